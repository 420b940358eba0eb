"""Seats whose mind changes while the match goes on: new snapshots, and a policy server that comes and goes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agents.files import folder
from agents.seats.controller import SeatChoice
from agents.seats.kinds import parse_seat
from agents.wire.control import EventPublisher
from arcade.scenes import routes
from tests.support.volley_snapshots import freeze

SERVER = """
import sys, agents
agents.serve(lambda observation: 0, endpoint=sys.argv[1], ready=lambda endpoint: print(endpoint, flush=True))
"""


def start_match(sitting, **lineup: SeatChoice):
    from arcade.scenes.match.match_scene import MatchScene

    scene = MatchScene(sitting.services, routes.Match(sitting.library.featured, lineup))
    sitting.engine.push(scene)
    sitting.until(lambda: scene.match is not None and scene.match.tick, "a match")
    return scene


@pytest.mark.parametrize(("word", "limits"), [("pool", ""), ("snapshot:latest?reaction_ms=20", " (20 ms)")])
def test_a_frozen_snapshot_takes_the_seat_when_the_rally_ends(sit, monkeypatch, word, limits) -> None:
    freeze("first", action=1)
    sitting = sit()
    scene = start_match(sitting, left_0=SeatChoice("idle"), right_0=parse_seat(word))
    match = scene.match
    assert match.mapping["right_0"].label == f"first{limits}" or word == "pool"  # which draws from those that ship too
    with EventPublisher() as trainer:
        run = Path(folder("runs")) / "run-1"
        run.mkdir()
        addresses = {"control": "tcp://127.0.0.1:9", "events": trainer.endpoint, "pid": os.getpid()}
        (run / "endpoints.json").write_text(json.dumps(addresses))
        sitting.until(lambda: sitting.services.trainer_status, "the trainer to be found")
        sitting.until(lambda: match.tick is not None and match.tick.index > 5, "a rally")
        freeze("second", action=2)

        heard, playing = [], sitting.services.setup.playing
        take = playing.on_frozen
        monkeypatch.setattr(playing, "on_frozen", lambda game, name: (heard.append(name), take(game, name)))

        def told() -> bool:
            """News sent before the subscription stands is lost, so it is told again until it was heard."""
            if not heard:
                trainer.publish("snapshot_frozen", {"name": "second", "game": "house/volley", "step": 1})
            return bool(heard)

        sitting.until(told, "the news")
        sitting.until(
            lambda: match.mapping["right_0"].label == f"second{limits}" or match.over, "the new snapshot in its seat"
        )
    assert not match.over
    assert any(match.score), "a rally ended before the seat changed"
    sitting.until(lambda: scene.session.last_actions.get("right_0") == 2, "the new snapshot's own action")
    assert any("second" in text and "takes the seat" in text for text in scene.hud.toasts.messages), (
        scene.hud.toasts.messages
    )
    assert match.mapping["left_0"].label == "idle"


def serve(endpoint: str) -> tuple[subprocess.Popen[str], str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, "-c", SERVER, endpoint]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    return server, server.stdout.readline().strip()


def test_a_policy_server_that_is_killed_leaves_the_match_going_and_its_successor_is_heard(sit) -> None:
    server, endpoint = serve("tcp://127.0.0.1:*")
    try:
        sitting = sit()
        scene = start_match(sitting, left_0=SeatChoice("remote", endpoint), right_0=SeatChoice("scripted"))
        match, remote = scene.match, scene.match.mapping["left_0"]
        sitting.until(lambda: remote.rtt_ms is not None, "an answer")
        server.send_signal(signal.SIGKILL)
        server.wait(60)
        sitting.until(lambda: any("does not answer" in text for text in scene.hud.toasts.messages), "the HUD to say so")
        ticks, late = match.tick.index, match.late["left_0"]
        sitting.until(lambda: match.tick.index > ticks + 10 or match.over, "play to go on")
        assert match.late["left_0"] > late
        server, _ = serve(endpoint)
        sitting.until(
            lambda: any("is back" in text for text in scene.hud.toasts.messages) or match.over, "the HUD to say so"
        )
        assert not match.over
    finally:
        server.kill()
        server.wait(60)
