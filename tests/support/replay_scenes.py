"""Recordings on show in the replay scene."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agents.policies.functions import FunctionController
from agents.policies.random import IdleController
from arcade.games import find_game
from arcade.games.spec import load_entry
from arcade.match.play.match import Match
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.match.stage.local import LocalStage
from arcade.scenes import routes
from arcade.scenes.replay.scene import ReplayScene
from tests.support.open_arcade import OpenArcade

TICKS = 200


def record(path: Path, game: str, players: dict[str, Any], *, ticks: int = TICKS) -> Path:
    """Write a match of these players to `path`, at most so many ticks of it."""
    with LocalStage(find_game(game)) as stage:
        writer = ReplayWriter(path)
        Match(stage, players, seed=10, max_ticks=ticks, recorders=[writer]).run()
        writer.close()
    return path


def record_volley(path: Path) -> Path:
    """The scripted player against one who stands still."""
    spec = find_game("house/volley")
    players = {"left_0": FunctionController(load_entry(spec.scripted), label="scripted"), "right_0": IdleController()}
    players["left_0"].kind = "scripted"
    return record(path, spec.id, players)


def show(sitting: OpenArcade, path: Path, **options: Any) -> ReplayScene:
    """Open the recording, and wait until it is on show."""
    scene = ReplayScene(sitting.services, routes.Replay(path, **options))
    sitting.engine.push(scene)
    sitting.until(lambda: scene.ready and scene.playback.tick is not None, "a recording on show")
    return scene


def settle(sitting: OpenArcade, scene: ReplayScene) -> None:
    """Wait for the tick that was asked for."""
    sitting.until(lambda: scene.playback.settled, "the tick that was asked for")
