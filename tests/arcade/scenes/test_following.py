"""Snapshots frozen at awkward times: while a match is launched, and such that do not fit their seat."""

from __future__ import annotations

from agents.policies.random import IdleController
from agents.seats.controller import SeatChoice
from agents.snapshots.snapshot import SnapshotError
from arcade.scenes import routes
from arcade.scenes.match.match_scene import MatchScene
from arcade.session.match.following import Following


class Misfit(IdleController):
    """A snapshot that refuses the seat."""

    closed = False

    def reset(self, seat, *, seed: int) -> None:
        raise SnapshotError("expected 12 numbers a turn, got: 14")

    def close(self) -> None:
        self.closed = True


def play(sitting, second: str) -> MatchScene:
    spec = sitting.library.featured
    lineup = {"left_0": SeatChoice("idle"), "right_0": SeatChoice(*second.split(":"))}
    scene = MatchScene(sitting.services, routes.Match(spec, lineup))
    sitting.engine.push(scene)
    return scene


def test_a_snapshot_frozen_while_the_match_is_launched_is_followed(sit, monkeypatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(Following, "_load", lambda self, name: asked.append(name) or {})
    sitting = sit()
    scene = play(sitting, "snapshot:latest")
    assert scene.match is None
    for game, name in (("house/volley", "older"), ("house/volley", "newer"), ("atari/pong_v3", "other")):
        scene.session.on_frozen(game, name)
    sitting.until(lambda: scene.match is not None and scene.match.tick, "a match")
    sitting.until(lambda: asked, "the snapshot to be loaded")
    assert asked == ["newer"]


def test_a_snapshot_that_does_not_fit_is_told_of_and_play_goes_on(sit) -> None:
    sitting = sit()
    scene = play(sitting, "snapshot:latest")
    sitting.until(lambda: scene.match is not None and scene.match.tick, "a match")
    match, misfit = scene.match, Misfit()
    sat = match.mapping["right_0"]
    scene.session.following._take({"right_0": misfit})
    sitting.until(
        lambda: any("expected 12 numbers" in text for text in scene.hud.toasts.messages) or sitting.on != "MatchScene",
        "word of it",
    )
    assert sitting.on == "MatchScene"
    assert match.mapping["right_0"] is sat
    assert misfit.closed
    assert not scene.session.following.swaps
    index = match.tick.index
    sitting.until(lambda: match.tick.index > index + 3, "play to go on")
