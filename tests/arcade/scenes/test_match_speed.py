"""A match in the window keeps the speed that was asked for, and a frame never waits for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.controller import SeatChoice
from arcade.scenes.match import MatchScene

FRAMES = 20


@pytest.mark.parametrize("speed", [0.5, 1, 4, 64])
def test_ticks_of_a_frame_are_as_many_as_the_speed_says(sit, fair_clock, speed) -> None:
    sitting = sit({"clock": fair_clock.read, "sleep": fair_clock.sleep}, speed=speed)
    spec = sitting.lobby.featured
    spec = replace(spec, kwargs={**spec.kwargs, "points": 10_000, "max_ticks": 10**6})
    scene = MatchScene(sitting.lobby, spec, dict.fromkeys(spec.agents, SeatChoice("idle")))
    sitting.engine.push(scene)
    sitting.until(lambda: scene.match is not None and scene.match.tick, "a match")
    fair_clock.match = scene.match
    sitting.frame(2)
    begun, now = scene.match.tick.index, fair_clock.now
    sitting.frame(FRAMES)
    played = (scene.match.tick.index - begun) / (60 * speed * (fair_clock.now - now))
    assert 0.75 < played < 1.25
