"""A game that is over too soon for hands is made longer where a person plays, and the result says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.seats.controller import SeatChoice
from arcade.games import find_game, games
from arcade.scenes import app, routes
from arcade.scenes.match.match_scene import MatchScene
from arcade.window import show_recording
from tests.support.open_arcade import OpenArcade
from tests.support.replay_files import head, tick, write_records

AI = SeatChoice("scripted")


def test_with_a_person_it_is_made_for_people_and_stays_so_in_a_rematch(sit: Callable[..., OpenArcade]) -> None:
    sitting = sit()
    sitting.until(lambda: sitting.services.ready, "the services")
    spec = replace(find_game("house/volley"), people_kwargs={"points": 9})
    person, machines = {"left_0": SeatChoice("keyboard"), "right_0": AI}, {"left_0": AI, "right_0": AI}
    scene = begin(sitting, MatchScene(sitting.services, routes.Match(spec, person)))
    child = scene.match.stage
    assert child.spec.kwargs["points"] == 9
    assert scene.match.settings["game_kwargs"] == {"points": 9}
    again = begin(sitting, MatchScene(sitting.services, routes.Match(spec, person, scene.session.release_stage())))
    assert again.match.stage is child
    last = begin(sitting, MatchScene(sitting.services, routes.Match(spec, machines, again.session.release_stage())))
    assert "points" not in last.match.stage.spec.kwargs
    assert "game_kwargs" not in last.match.settings


def test_a_replay_of_people_is_shown_with_the_game_as_they_played_it(
    sit: Callable[..., OpenArcade], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, opened = find_game("mpe/simple_push_v3"), []
    begin_with = head(spec.id, kwargs=dict(spec.for_people().kwargs))
    path = write_records(tmp_path / "a.replay", [begin_with, tick(0), tick(1, [(agent, 0) for agent in spec.agents])])
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(app, "run_window", lambda *_, over, **__: opened.append(over) or 0)
    show_recording(path, speed=0.5)
    sitting = sit()
    sitting.engine.push(opened[0])
    scene = sitting.engine.scene
    sitting.until(lambda: scene.ready and scene.playback.tick is not None, "a tick")
    assert scene.loaded.stage.spec.kwargs == spec.for_people().kwargs
    assert scene.playback.speed == 0.5


def begin(sitting: OpenArcade, scene: MatchScene) -> Any:
    sitting.engine.push(scene)
    sitting.until(lambda: scene.match is not None and scene.match.tick is not None, "a tick")
    return scene


def test_people_have_half_a_minute_at_least_where_the_game_ends_by_the_clock() -> None:
    seconds = {
        spec.id: spec.for_people().kwargs["max_cycles"] / spec.fps
        for spec in games()
        if spec.family == "mpe" or spec.id == "butterfly/pistonball_v6"
    }
    assert min(seconds.values()) >= 30
    assert all("max_cycles" not in spec.kwargs for spec in games())
