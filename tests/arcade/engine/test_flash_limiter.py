"""Reduced flashing: fast and large flashes lose their swing; all else is shown as it is."""

from __future__ import annotations

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

import pytest

from arcade.engine.window.scene import Scene

FPS = 60
LIGHT, DARK = (250, 250, 250), (5, 5, 5)


class Lamp(Scene):
    """A bar that never changes, and a lamp of some size that is on and off for `frames` frames each."""

    def __init__(self, frames: int, size: tuple[int, int]) -> None:
        self.frames, self.size, self.count, self.flashes = frames, size, 0, True

    def draw(self, canvas):
        canvas.fill(DARK)
        canvas.fill((120, 120, 120), (0, 0, 1280, 40))
        self.count += 1
        if self.flashes and self.count // self.frames % 2:
            canvas.fill(LIGHT, (300, 200, *self.size))


@pytest.fixture
def watch(turns):
    """Shows a lamp for some seconds; returns the relative luminance of its middle in each frame."""

    def show(lamp: Lamp, *, reduced: bool = True, seconds: float = 3) -> list[float]:
        turns.engine.apply(turns.engine.settings.changed(reduce_flashing=reduced), save=False)
        if turns.engine.scene is not lamp:
            turns.engine.push(lamp)
        seen = []
        for _ in range(round(seconds * FPS)):
            turns.frame()
            middle = (300 + lamp.size[0] // 2, 200 + lamp.size[1] // 2)
            seen.append((turns.engine.canvas.get_at(middle)[0] / 255) ** 2.2)
        return seen

    return show


def most_flashes(seen: list[float]) -> float:
    """Pairs of opposing changes by a tenth or more, in the worst second."""
    extreme, direction, when = seen[0], 0, []
    for frame, light in enumerate(seen):
        if (light - extreme) * direction > 0:
            extreme = light
        elif abs(light - extreme) >= 0.1:
            direction, extreme = (1 if light > extreme else -1), light
            when.append(frame)
    return max((sum(start <= frame < start + FPS for frame in when) / 2 for start in when), default=0)


@pytest.mark.parametrize("frames", [1, 2, 3, 6])
def test_flashes_of_five_to_thirty_a_second_are_softened(watch, frames):
    lamp = Lamp(frames, (900, 480))
    assert most_flashes(watch(lamp, reduced=False)) > 3
    assert most_flashes(watch(Lamp(frames, (900, 480)))) <= 3


def test_slow_changes_small_lamps_and_standing_pictures_stay_as_they_are(watch):
    bright = pytest.approx((250 / 255) ** 2.2)
    assert max(watch(Lamp(40, (900, 480)))) == bright
    assert watch(Lamp(2, (60, 60)))[-4:].count(bright) == 2
    assert watch(Lamp(10**9, (60, 60)))[-1] == pytest.approx((5 / 255) ** 2.2)


def test_it_is_bright_again_when_the_flashing_is_over(watch, turns):
    lamp = Lamp(2, (900, 480))
    watch(lamp)
    assert turns.engine.canvas.get_at((10, 10))[0] < 80
    lamp.flashes = False
    watch(lamp, seconds=5)
    assert turns.engine.canvas.get_at((10, 10))[0] == 120


def test_it_dims_steadily(watch, turns):
    lamp = Lamp(2, (900, 480))
    watch(lamp, seconds=1)
    bars = []
    for _ in range(30):
        turns.frame()
        bars.append(turns.engine.canvas.get_at((10, 10))[0])
    assert max(bars) - min(bars) <= 3
