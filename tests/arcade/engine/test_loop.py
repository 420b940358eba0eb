"""The loop turns scenes, survives what they raise, and never rushes or sleeps past its schedule."""

from __future__ import annotations

import os
import sys
import threading
from itertools import pairwise

import pygame
import pytest

from agents.platform import system
from arcade.engine.input.events import KeyInput, QuitAsked
from arcade.engine.window.engine import Engine, FramePacer
from arcade.engine.window.scene import Scene
from arcade.session.settings import Settings, load_settings
from tests.support.sounds import opened


def test_one_turn_updates_and_draws_once(turns):
    before = turns.scene.draws
    turns.frame()
    assert turns.scene.updates[-1] == turns.now
    assert turns.scene.draws == before + 1


def test_a_thread_that_computes_takes_no_long_turns_from_the_window():
    before = sys.getswitchinterval()
    with Engine(settings=Settings()):
        assert sys.getswitchinterval() <= 0.001
    assert sys.getswitchinterval() == before


def test_run_keeps_the_rate_whatever_a_frame_costs(turns):
    costs = iter([0.005, 0.010, 0.0, 0.012] * 30)

    class Working(Scene):
        def draw(self, canvas):
            frames.append(turns.now)
            turns.now += next(costs)
            if turns.now >= start + 1.0:
                self.engine.quit()

    start, frames = turns.now, []
    turns.engine.replace(Working())
    turns.engine.run()
    assert 60 <= len(frames) <= 62
    assert turns.slept


def test_the_top_scene_looks_up_between_frames_and_sees_no_frame_in_it() -> None:
    now, rests, updates = [0.0], [], []

    class Resting(Scene):
        frames = 0

        def rest(self, now: float) -> None:
            rests.append((self.frames, now))

        def update(self, now: float) -> None:
            self.frames += 1
            updates.append(now)
            if self.frames == 4:
                self.engine.quit()

    def sleep(seconds: float) -> None:
        now[0] += seconds

    with Engine(settings=Settings(), clock=lambda: now[0], sleep=sleep) as engine:
        engine.push(Resting())
        engine.run()
    assert [after - before for before, after in pairwise(updates)] == pytest.approx([1 / 60] * 3)
    assert {frame for frame, _ in rests} == {0, 1, 2, 3}
    assert 9 <= len(rests) <= 20


def test_a_loop_that_is_behind_lets_the_top_scene_look_up_all_the_same(turns):
    rests = []
    turns.scene.rest = rests.append
    for _ in range(5):
        turns.now += 0.1  # each frame takes too long: there is nothing to sleep
        turns.engine.rest()
        turns.engine.frame(turns.now)
    assert len(rests) == 5
    assert not turns.slept


def test_a_stall_is_not_made_up_for_by_rushing():
    pacer = FramePacer(60)
    pacer.started(0.0)
    pacer.started(0.5)
    assert pacer.wait(0.5) == pytest.approx(1 / 60)


def test_a_late_frame_shortens_the_wait_for_the_next():
    pacer = FramePacer(50)
    pacer.started(0.0)
    pacer.started(0.025)
    assert pacer.wait(0.025) == pytest.approx(0.015)


def shown(turns, seconds_of, count, monkeypatch):
    """When each of `count` frames was shown, whose drawing takes `seconds_of` its number."""
    times = []

    def draw(canvas):
        turns.now += seconds_of(len(times))

    monkeypatch.setattr(turns.scene, "draw", draw)
    monkeypatch.setattr(turns.engine.video, "present", lambda: times.append(turns.now))
    for _ in range(count):
        turns.engine.turn()
    return times


def test_frames_that_take_different_times_to_draw_are_shown_at_even_intervals(turns, monkeypatch):
    times = shown(turns, lambda number: 0.006 if number % 3 == 0 else 0.002, 60, monkeypatch)
    intervals = [after - before for before, after in pairwise(times[5:])]
    assert intervals == pytest.approx([1 / 60] * len(intervals))


def test_a_frame_that_is_drawn_late_is_shown_at_once(turns, monkeypatch):
    times = shown(turns, lambda number: 0.012 if number == 30 else 0.002, 32, monkeypatch)
    assert times[30] - times[29] == pytest.approx(1 / 60 + 0.010)
    assert times[31] - times[29] == pytest.approx(2 / 60)


def test_a_picture_does_not_keep_the_game_waiting(turns, monkeypatch):
    due = [float("inf")]
    monkeypatch.setattr(turns.scene, "due_in", lambda now: due[0] - now)
    shown(turns, lambda number: 0.006, 10, monkeypatch)
    times = shown(turns, lambda number: 0.001 if number else 0.002, 1, monkeypatch)
    due[0] = times[0] + 1 / 60 - 0.001  # the next is drawn by then, and would be shown later
    assert shown(turns, lambda number: 0.001, 1, monkeypatch) == [pytest.approx(due[0])]


def test_a_game_that_is_always_due_keeps_no_frame_waiting():
    pacer = FramePacer(60)
    pacer.started(0.0)
    for look in range(210):
        pacer.keep_clear(look / 12_000)
    assert pacer.wait(0.0175) == 0


def test_frames_come_midway_between_the_steps_of_a_game():
    pacer, now = FramePacer(60), 0.0
    for number in range(60):
        step = number / 60 + 0.001  # just after a frame at first
        pacer.started(now)
        pacer.keep_clear(step)
        now += pacer.wait(now)
    assert (now - step) % (1 / 60) == pytest.approx(1 / 120)


def test_the_frame_rate_follows_the_setting(turns):
    turns.engine.apply(turns.engine.settings.changed(frame_limit=30), save=False)
    turns.frame()
    assert turns.engine.pacer.wait(turns.now) == pytest.approx(1 / 30)


def test_a_minimised_window_rests_unless_somebody_plays(turns, monkeypatch):
    monkeypatch.setattr(pygame.display, "get_active", lambda: False)
    drawn, updated = turns.scene.draws, len(turns.scene.updates)
    turns.scene.plays = False
    turns.frame()
    assert (turns.scene.draws, len(turns.scene.updates)) == (drawn, updated + 1)
    assert turns.engine.pacer.wait(turns.now) == pytest.approx(1 / 10)
    turns.scene.plays = True
    turns.frame()
    assert turns.scene.draws == drawn + 1
    assert turns.engine.pacer.period == pytest.approx(1 / 60)


def test_the_narrator_follows_the_setting_and_says_why_it_is_silent(turns, monkeypatch):
    monkeypatch.setenv("PATH", "")
    turns.engine.apply(turns.engine.settings.changed(narrator=True), save=False)
    turns.frame()
    assert turns.engine.narrator.is_on
    assert "No voice found" in " ".join(turns.engine.toasts.messages)


@pytest.mark.parametrize(("card", "vsync", "wait", "renderer"), [
    (True, False, None, None), (True, True, "1", "1"), (False, False, None, "0"), (False, True, None, "0"),
])  # fmt: skip
def test_the_system_shows_the_window_with_vertical_sync_or_at_least_fast(card, vsync, wait, renderer, monkeypatch):
    names = ("SDL_RENDER_VSYNC", "SDL_FRAMEBUFFER_ACCELERATION")
    for name in names:
        monkeypatch.setenv(name, "")  # noted, so that it is restored
        monkeypatch.delenv(name)
    monkeypatch.setattr(type(system), "has_graphics_card", card)
    with Engine(settings=Settings(vsync=vsync)):
        assert [os.environ.get(name) for name in names] == [wait, renderer]


def test_the_stack(turns):
    upper = type(turns.scene)()
    turns.engine.push(upper)
    turns.frame()
    assert turns.engine.scenes == (turns.scene, upper)
    lower_draws = turns.scene.draws
    turns.frame()
    assert turns.scene.draws == lower_draws
    upper.transparent = True
    turns.frame()
    assert turns.scene.draws == lower_draws + 1
    turns.engine.pop()
    assert upper.leaves == 1
    assert turns.scene.resumes == 1
    turns.engine.pop()
    assert not turns.engine.running
    turns.engine.run()  # ends at once


def test_a_scene_below_is_updated_when_the_top_says_so(turns):
    upper = type(turns.scene)()
    turns.engine.push(upper)
    turns.frame()
    seen = len(turns.scene.updates)
    upper.updates_below = True
    turns.frame()
    assert len(turns.scene.updates) == seen + 1


@pytest.mark.parametrize("where", ["enter", "handle", "update", "draw"])
def test_a_scene_that_raises_gives_way_to_the_error_scene(where, turns):
    told = []

    class Failing(Scene):
        def fail(self, *_):
            raise ZeroDivisionError("the moon fell down")

    setattr(Failing, where, Failing.fail)
    error_scene = type(turns.scene)()

    def make_error_scene(error, words):
        told.append((error, words))
        return error_scene

    turns.engine.error_route = make_error_scene
    turns.engine.push(Failing())
    turns.tap(pygame.K_UP)
    turns.frame()
    assert turns.engine.scenes == (error_scene,)
    assert isinstance(told[0][0], ZeroDivisionError)
    assert "the moon fell down" in told[0][1]
    turns.frame()
    assert error_scene.draws


def test_a_scene_that_fails_to_leave_does_not_hold_the_others_up(turns):
    class Clinging(Scene):
        def leave(self):
            raise RuntimeError("I stay")

    turns.engine.push(Clinging())
    turns.engine.pop()
    assert turns.engine.scene is turns.scene


def test_an_error_scene_that_raises_ends_the_loop(turns):
    class Hopeless(Scene):
        def draw(self, canvas):
            raise RuntimeError("even this")

    turns.engine.error_route = lambda *_: Hopeless()
    turns.engine.push(Hopeless())
    turns.frame()
    with pytest.raises(RuntimeError, match="even this"):
        turns.frame()


def test_closing_the_window_ends_the_loop_unless_the_scene_keeps_it(turns):
    turns.scene.handle = lambda event: isinstance(event, QuitAsked)
    turns.post(pygame.QUIT)
    turns.frame()
    assert turns.engine.running
    turns.scene.handle = lambda event: None
    turns.post(pygame.QUIT)
    turns.frame()
    assert not turns.engine.running


def test_close_leaves_every_scene_and_can_be_called_twice(turns):
    turns.engine.close()
    turns.engine.close()
    assert turns.scene.leaves == 1
    assert not pygame.display.get_init()


def test_f11_fills_the_screen_and_is_remembered(turns):
    turns.tap(pygame.K_F11)
    turns.frame()
    assert turns.engine.video.fullscreen
    turns.frame()
    assert turns.engine.canvas.get_size() == turns.engine.theme.window == pygame.display.get_window_size()
    turns.engine.close()
    assert load_settings()[0].fullscreen


def join_screenshots():
    for thread in [thread for thread in threading.enumerate() if thread.name == "screenshot"]:
        thread.join(60)


def test_f12_saves_a_picture(turns, tmp_path):
    turns.tap(pygame.K_F12)
    turns.frame()
    join_screenshots()
    (path,) = (tmp_path / "home" / "screenshots").iterdir()
    assert pygame.image.load(path).get_at((5, 5))[:3] == (10, 20, 30)
    assert [event.name for event in turns.scene.of(KeyInput) if event.pressed] == []
    turns.frame()
    assert turns.engine.toasts.messages == (f"Picture saved: {path}",)


def test_f12_on_a_disk_that_refuses_says_why(turns, tmp_path):
    (tmp_path / "home" / "screenshots").write_text("in the way")
    turns.tap(pygame.K_F12)
    turns.frame()
    join_screenshots()
    turns.frame()
    assert turns.engine.toasts.messages == ("The picture could not be written: File exists",)


def test_applied_settings_take_effect_and_are_written(turns):
    turns.engine.apply(Settings(volume=0.25, mute=True, window_width=1600, window_height=900))
    assert (turns.engine.sound.volume, turns.engine.sound.mute) == (0.25, True)
    assert turns.engine.video.size == (1600, 900)
    turns.engine.close()
    assert load_settings()[0].volume == 0.25


def test_a_window_dragged_to_a_size_keeps_it_when_something_else_is_set(turns):
    pygame.display.set_mode((1000, 700), pygame.RESIZABLE)
    turns.frame()
    turns.engine.apply(turns.engine.settings.changed(volume=0.1))
    assert pygame.display.get_window_size() == (1000, 700)


def test_the_first_frame_does_not_share_the_machine_with_the_sound(tmp_path, monkeypatch):
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    with Engine(settings=Settings()) as engine:
        engine.push(Scene())
        assert not opened(engine.sound, 1), "expected no device to be opened before anything is shown"
        engine.frame(0.0)
        assert opened(engine.sound, 120), engine.sound.failure or "expected the effects within two minutes"


def test_texts_of_a_match_take_no_memory_once_it_was_left(turns):
    class Scoring(Scene):
        is_large = True

        def draw(self, canvas):
            for points in range(60):
                self.engine.theme.draw_text(canvas, f"{self.name}: {points} points", (0, 0))

    engine = turns.engine

    def play(name):
        scene = Scoring()
        scene.name = name
        engine.replace(scene)
        turns.frame()
        engine.replace(Scene())
        turns.frame()
        return engine.theme.text.bytes

    first, *later = [play(name) for name in ("first", "second", "third", "fourth")]
    assert max(later) <= 1.5 * first
