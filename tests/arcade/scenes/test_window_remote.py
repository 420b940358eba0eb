"""A real policy server behind a seat of the real window loop: answers in time, and a server that stands still."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agents.files import home as home_folder
from agents.seats.controller import SeatChoice
from arcade.scenes import routes
from arcade.scenes.match.match_scene import MatchScene

RIGHT = 2

SERVER = """
import agents
agents.serve(lambda observation: 2, endpoint="tcp://127.0.0.1:*", ready=lambda endpoint: print(endpoint, flush=True))
"""


SNAPSHOTS = """
from agents.snapshots.store import open_store
from agents.wire.server import PolicyServer

with PolicyServer(open_store(), endpoint="tcp://127.0.0.1:*") as server:
    print(server.address, flush=True)
    while True:
        server.serve_once(timeout=1.0)
"""

FLOOD = """
import zmq
from agents.wire.messages import Act, Hello, Welcome, decode, encode
from tests.support.attacks import frame

socket = zmq.Context().socket(zmq.ROUTER)
print("tcp://insecure@127.0.0.1:%d" % socket.bind_to_random_port("tcp://127.0.0.1"), flush=True)
acts = 0
while True:
    client, data = socket.recv_multipart()
    id, message = decode(data)
    if isinstance(message, Hello):
        socket.send_multipart([client, encode(Welcome(seat=message.seat, policy="x"), id=id)])
    elif isinstance(message, Act):
        acts += 1
        if acts <= 30:
            socket.send_multipart([client, frame("action", {"tick": message.tick, "action": 2}, id=id)])
            continue
        while True:
            socket.send_multipart([client, *[bytes(50)] * 1000])
"""


@pytest.fixture
def server() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A policy server that always walks right, and where it listens."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    child = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True, env=environment)
    yield child, child.stdout.readline().strip()
    child.kill()
    child.wait(60)


def long_match(sitting, endpoint: str) -> MatchScene:
    """Volley that nobody wins soon, both seats remote."""
    spec = sitting.library.featured
    spec = replace(spec, kwargs={**spec.kwargs, "points": 10_000, "max_ticks": 10**6})
    scene = MatchScene(sitting.services, routes.Match(spec, dict.fromkeys(spec.agents, SeatChoice("remote", endpoint))))
    sitting.engine.push(scene)
    sitting.until(lambda: scene.match is not None and scene.match.tick, "a match")
    sitting.until(lambda: all(c.rtt_ms is not None for c in scene.match.mapping.values()), "answers")
    return scene


def test_seats_far_away_have_the_rest_of_the_frame_to_answer_in(sit, server, fair_clock) -> None:
    _, endpoint = server
    clock = fair_clock
    sitting = sit({"clock": clock.read, "sleep": clock.sleep})
    scene = long_match(sitting, endpoint)
    match = clock.match = scene.match

    def play(frames: int) -> None:
        for _ in range(frames):
            sitting.engine.rest()
            sitting.engine.frame(clock.now)

    play(5)
    late, index = dict(match.late), match.tick.index
    play(40)
    assert match.tick.index >= index + 30
    assert match.late == late
    assert set(scene.session.last_actions.values()) == {RIGHT}


def test_a_server_that_stands_still_makes_seats_late_and_the_hud_says_so_until_it_goes_on(sit, server) -> None:
    child, endpoint = server
    sitting = sit()
    scene = long_match(sitting, endpoint)
    match = scene.match
    child.send_signal(signal.SIGSTOP)
    sitting.until(
        lambda: sum("does not answer" in text for text in scene.hud.toasts.messages) == 2,
        "the HUD to name both seats",
    )
    late, ticks, shown = dict(match.late), match.tick.index, pixels(sitting)
    sitting.until(lambda: match.tick.index > ticks + 30, "play to go on")
    assert (pixels(sitting) != shown).any(), "the picture moves on"
    played = match.tick.index - ticks
    assert {agent: match.late[agent] - late[agent] for agent in late} == dict.fromkeys(late, played)
    assert f"Left {match.late['left_0']}" in scene.hud.facts.network()
    assert "away" not in scene.hud.facts.network()
    child.send_signal(signal.SIGCONT)
    sitting.until(
        lambda: sum("is back" in text for text in scene.hud.toasts.messages) == 2, "the HUD to say that they are back"
    )
    sitting.until(lambda: not any(c.silent for c in match.mapping.values()), "answers again")
    answered = {agent: controller.counts.answered for agent, controller in match.mapping.items()}
    sitting.until(
        lambda: all(c.counts.answered > answered[agent] + 5 for agent, c in match.mapping.items()), "more answers"
    )
    assert not match.over


def test_a_seat_whose_server_cannot_play_ends_the_match_with_the_reason(sit, monkeypatch) -> None:
    monkeypatch.setattr("agents.wire.patience.HELLO_SECONDS", 0.2)
    sitting = sit()
    spec = sitting.library.featured
    lineup = {"left_0": SeatChoice("remote", "tcp://127.0.0.1:1"), "right_0": SeatChoice("scripted")}
    scene = MatchScene(sitting.services, routes.Match(spec, lineup))
    sitting.engine.push(scene)
    sitting.until(lambda: sitting.on == "ErrorScene", "the error")
    page = sitting.engine.scene
    assert page.heading == "Match ended early", "nothing is wrong with the game"
    assert page.message == "Remote player at this computer in the seat Left cannot play on: no policy server answers"
    assert "expected a policy server at tcp://127.0.0.1:1" in page.lines[0], "the details say more"
    assert (scene.match.result.ended, scene.match.result.loser) == ("forfeit", "left_0")


def test_a_server_that_floods_the_seat_with_frames_ends_the_match_in_plain_words(sit) -> None:
    sitting = sit()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    with subprocess.Popen([sys.executable, "-c", FLOOD], stdout=subprocess.PIPE, text=True, env=environment) as child:
        spec = sitting.library.featured
        lineup = {"left_0": SeatChoice("remote", child.stdout.readline().strip()), "right_0": SeatChoice("scripted")}
        scene = MatchScene(sitting.services, routes.Match(spec, lineup))
        sitting.engine.push(scene)
        sitting.until(lambda: sitting.on == "ErrorScene", "the error")
        child.kill()
    assert sitting.engine.scene.message == "x in the seat Left cannot play on: the policy server gave wrong answers"
    result = scene.match.result
    assert (result.ended, result.loser, result.rated) == ("forfeit", "left_0", False)
    assert result.ticks >= 30


@pytest.mark.parametrize(
    ("homes", "reason"),
    [
        ("one", "the policy server has no such policy for this game"),
        ("two", "the keys of this machine and of the policy server do not match"),
    ],
)
def test_a_server_without_the_policy_or_our_key_ends_the_match_in_plain_words(sit, tmp_path, homes, reason) -> None:
    home = home_folder() if homes == "one" else tmp_path / "of-the-server"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "ARCADE_HOME": str(home)}
    sitting = sit()
    with subprocess.Popen(
        [sys.executable, "-c", SNAPSHOTS], stdout=subprocess.PIPE, text=True, env=environment
    ) as child:
        address = child.stdout.readline().strip()
        spec = sitting.library.featured
        lineup = {"left_0": SeatChoice("remote", f"{address}/nosuch"), "right_0": SeatChoice("scripted")}
        sitting.engine.push(MatchScene(sitting.services, routes.Match(spec, lineup)))
        sitting.until(lambda: sitting.on == "ErrorScene", "the error")
        child.kill()
    assert sitting.engine.scene.message == f"nosuch in the seat Left cannot play on: {reason}"


def test_a_match_whose_server_is_lost_near_its_end_is_lost_for_its_seat_and_shows_its_result(sit, server) -> None:
    child, endpoint = server
    sitting = sit()
    spec = sitting.library.featured
    spec = replace(spec, kwargs={**spec.kwargs, "points": 10_000, "max_ticks": 300})
    lineup = {"left_0": SeatChoice("remote", endpoint), "right_0": SeatChoice("scripted")}
    scene = MatchScene(sitting.services, routes.Match(spec, lineup))
    sitting.engine.push(scene)
    sitting.until(lambda: scene.match is not None and scene.match.mapping["left_0"].counts.answered > 5, "answers")
    child.kill()
    sitting.until(lambda: scene.session.outcome is not None, "the result")
    outcome = scene.session.outcome
    assert (outcome.result.ended, outcome.result.loser, outcome.result.rated) == ("forfeit", "left_0", False)
    assert outcome.why.endswith("cannot play on: the policy server did not answer at the end of the match")
    assert sitting.on == "MatchScene"


def pixels(sitting):
    import pygame

    return pygame.surfarray.array3d(sitting.engine.canvas)[::4, ::4].copy()
