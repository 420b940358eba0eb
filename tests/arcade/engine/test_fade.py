"""A screen fades into the next one within a moment, and never where the user wants less motion."""

from __future__ import annotations

import pygame
import pytest

from arcade.engine.window.engine import Engine
from arcade.engine.window.fade import LARGEST, SECONDS, Fade
from arcade.engine.window.scene import Scene
from arcade.session.settings import Settings


class Plain(Scene):
    def __init__(self, colour: str) -> None:
        self.colour, self.events = colour, []

    def handle(self, event):
        self.events.append(event)

    def draw(self, canvas):
        canvas.fill(self.colour)


def colour_of(engine):
    return engine.canvas.get_at((5, 5))[:3]


@pytest.mark.parametrize("reduced", [False, True])
def test_the_screen_before_fades_away_unless_motion_is_reduced(reduced, tmp_path, monkeypatch):
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    with Engine(settings=Settings(reduce_motion=reduced)) as engine:
        engine.push(Plain("red"))
        engine.frame(10.0)
        engine.push(Plain("blue"))
        engine.frame(10.02)
        engine.frame(10.02 + SECONDS / 2)
        red, _, blue = colour_of(engine)
        assert (red > 60) is not reduced
        assert blue > 60
        engine.frame(10.03 + SECONDS)
        assert colour_of(engine) == (0, 0, 255)


def test_a_window_that_is_too_large_to_blend_changes_at_once():
    fade, canvas = Fade(), pygame.Surface((2560, LARGEST // 2560 + 1))
    fade.begin(canvas, 0.0)
    canvas.fill("blue")
    fade.draw(canvas, 0.01)
    assert canvas.get_at((0, 0))[:3] == (0, 0, 255)
