"""A training game is seen as it was played, from its seed and its moves alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from agents.wire.trainer_events import WatchPiece
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.match.stage.hosted import StageHost
from arcade.match.stage.local import LocalStage
from arcade.session.training.client import MOST_TICKS, EpisodeBuffer
from arcade.session.training.spectator import Spectator
from arcade.session.worker import Stages, Worker

DEADLINE = 300.0


@dataclass
class Played:
    """One game as a trainer would tell of it, and the picture it ended with."""

    ticks: list[dict[str, Any]]
    picture: np.ndarray


def play(spec: GameSpec, *, seed: int, ticks: int) -> Played:
    """Random moves, as they go over the wire."""
    rng, told = np.random.default_rng(seed), []
    with LocalStage(spec, render=True) as stage:
        stage.reset(seed)
        tick = stage.wait()
        while not tick.over and len(told) < ticks:
            actions = {}
            for agent in tick.acting:
                mask, space = tick.action_masks.get(agent), stage.spaces[agent][1]
                space.seed(int(rng.integers(2**31)))
                actions[agent] = space.sample() if mask is None else int(rng.choice(np.flatnonzero(mask)))
            told.append({str(agent): np.asarray(action).tolist() for agent, action in actions.items()})
            stage.step(actions)
            tick = stage.wait()
        return Played(told, np.array(tick.frame))


def piece(number: int, ticks: list[Any], *, first: bool = False, over: bool = False, **more: Any) -> WatchPiece:
    return WatchPiece(episode=number, seed=number, first=first, ticks=ticks, over=over, **more)


class Seat:
    """A spectator on a clock that runs as fast as the game can."""

    def __init__(self, game: str) -> None:
        self.spec, self.worker, self.now = find_game(game), Worker(), 50.0
        self.buffer = EpisodeBuffer()
        self.stages = Stages(self.worker)
        self.stages.open(StageHost())
        self.spectator = Spectator(self.stages, lambda: self.spec)

    def until(self, condition: Callable[[], object], what: str) -> None:
        deadline = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < deadline, f"expected {what}: {self.spectator.trouble or self.spectator.tick}"
            self.worker.poll()
            self.spectator.update(self.now, self.buffer)
            self.now += 0.05
            time.sleep(0.0005)

    def close(self) -> None:
        self.spectator.close()
        self.worker.settle()
        self.stages.close()
        self.worker.close()


@pytest.fixture
def sit_down() -> Iterator[Callable[[str], Seat]]:
    seats: list[Seat] = []

    def make(game: str) -> Seat:
        seats.append(Seat(game))
        return seats[-1]

    yield make
    for seat in seats:
        seat.close()


@pytest.mark.parametrize("game", ["house/volley", "classic/connect_four_v3", "sisl/multiwalker_v9"])
def test_the_game_ends_as_it_did_in_training(sit_down, game) -> None:
    seat = sit_down(game)
    played = play(seat.spec, seed=5, ticks=40)
    seat.buffer.take(piece(4, [{}] * 9))
    seat.buffer.take(piece(5, played.ticks[:7], first=True, lineup={"left_0": "volley-1"}))
    seat.buffer.take(piece(5, played.ticks[7:]))
    seat.until(lambda: seat.spectator.tick == len(played.ticks) and seat.spectator._last, "the last tick")
    assert seat.spectator.episode.lineup == {"left_0": "volley-1"}
    assert (seat.spectator.frame == played.picture).all()


def test_after_a_game_comes_the_newest_and_those_between_are_left_out(sit_down) -> None:
    seat = sit_down("classic/tictactoe_v3")
    played = {number: play(seat.spec, seed=number, ticks=9) for number in (1, 2, 3)}
    for number, game in played.items():
        seat.buffer.take(piece(number, game.ticks, first=True, over=True))
        if number == 1:
            seat.until(lambda: seat.spectator.episode, "the first game")
    seen = []

    def third() -> bool:
        seen.append(seat.spectator.episode.number)
        return seat.spectator.episode.number == 3 and seat.spectator.tick == len(played[3].ticks)

    seat.until(third, "the third game")
    assert sorted(set(seen)) == [1, 3]


@pytest.mark.parametrize(
    "odd", [{}, {"left_0": 99, "right_0": 0}, {"left_0": "jump", "right_0": [1, 2]}, {"left_0": 0}]
)
def test_moves_that_do_not_fit_end_that_game_only(sit_down, odd) -> None:
    seat = sit_down("house/volley")
    still = {"left_0": 0, "right_0": 0}
    seat.buffer.take(piece(1, [still, still, odd, still], first=True))
    seat.until(lambda: seat.spectator.trouble, "word of it")
    assert seat.spectator.tick == 2
    seat.buffer.take(piece(2, [still] * 5, first=True))
    seat.until(lambda: seat.spectator.episode.number == 2 and seat.spectator.tick == 5, "the next game")
    assert not seat.spectator.trouble


def test_a_game_that_cannot_be_made_is_told_of(sit_down) -> None:
    seat = sit_down("house/volley")
    seat.spec = GameSpec(
        id="none", title="None", entry="no_such_module:env", agents=("a",), teams=(("a",),), turn_based=False, fps=60
    )
    seat.buffer.take(piece(1, [{}], first=True))
    seat.until(lambda: seat.spectator.trouble, "word of it")
    assert seat.spectator.trouble == "This game cannot be shown here: the package no_such_module is missing"


def test_an_episode_without_end_takes_bounded_room() -> None:
    buffer = EpisodeBuffer()
    buffer.take(piece(1, [], first=True))
    for _ in range(20):
        buffer.take(piece(1, [{"a": 0}] * 4000))
    assert len(buffer.coming.ticks) == MOST_TICKS
    assert buffer.coming.whole
