"""A match in the window keeps the speed that was asked for, and a frame never waits for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.seats.controller import SeatChoice
from arcade.match.play.match import Match
from arcade.match.stage.tick import Tick
from arcade.scenes import routes
from arcade.scenes.match.match_scene import MatchScene

FRAMES = 20


@pytest.mark.parametrize("speed", [0.5, 1, 4, 64])
def test_ticks_of_a_frame_are_as_many_as_the_speed_says(sit, fair_clock, speed) -> None:
    sitting = sit({"clock": fair_clock.read, "sleep": fair_clock.sleep}, speed=speed)
    spec = sitting.library.featured
    spec = replace(spec, kwargs={**spec.kwargs, "points": 10_000, "max_ticks": 10**6})
    scene = MatchScene(sitting.services, routes.Match(spec, dict.fromkeys(spec.agents, SeatChoice("idle"))))
    sitting.engine.push(scene)
    sitting.until(lambda: scene.match is not None and scene.match.tick, "a match")
    fair_clock.match = scene.match
    sitting.frame(2)
    begun, now = scene.match.tick.index, fair_clock.now
    sitting.frame(FRAMES)
    played = (scene.match.tick.index - begun) / (60 * speed * (fair_clock.now - now))
    assert 0.75 < played < 1.25


def test_only_pictures_that_may_be_seen_are_drawn_and_the_last_is(sit, fair_clock, monkeypatch) -> None:
    drawn, receive = [], Match._receive

    def watched(match: Match, tick: Tick, now: float) -> None:
        drawn.append((match, tick.index, tick.frame is not None))
        receive(match, tick, now)

    monkeypatch.setattr(Match, "_receive", watched)
    sitting = sit({"clock": fair_clock.read, "sleep": fair_clock.sleep}, speed=16)
    spec = sitting.library.featured
    spec = replace(spec, kwargs={**spec.kwargs, "max_ticks": 200})
    scene = MatchScene(sitting.services, routes.Match(spec, dict.fromkeys(spec.agents, SeatChoice("idle"))))
    sitting.engine.push(scene)
    sitting.until(lambda: scene.match is not None and scene.match.tick, "a match")
    match = fair_clock.match = scene.match
    sitting.until(lambda: match.over, "its end")
    seen = {index: has_frame for of, index, has_frame in drawn if of is match}
    assert match.result.ended == "finished"
    assert seen[match.tick.index], "the last picture is always drawn"
    assert 5 < sum(seen.values()) < len(seen) / 4
