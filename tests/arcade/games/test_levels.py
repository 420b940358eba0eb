"""Every difficulty level of every game plays every seat as shipped, and no two of its openings are alike."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import arcade
from agents.policies.adapters import PolicyController
from agents.policies.batch import BatchPolicy
from agents.seats.controller import LEVELS, Action, AgentID, SeatChoice, SeatSpec
from agents.snapshots.store import open_store
from agents.spaces import is_legal
from arcade.games import find_game
from arcade.match.play.lineup import make_mapping, make_policy
from arcade.match.play.match import Match
from arcade.match.play.result import Recorder
from arcade.match.play.seats import PolicyMapping
from arcade.match.stage.local import LocalStage
from arcade.match.stage.tick import Tick

GAMES = [game.id for game in arcade.games()]
TICKS, MOVES = 20, 2
"""Of a match; in a turn-based game, of each seat."""
OPENING, OPENING_MOVES = 60, 4
OPENINGS = {
    "butterfly/cooperative_pong_v6": 120,  # with few serves
    "atari": 500, "atari/video_checkers_v4": 1500,  # where a move takes two hundred ticks
    # there is but one way at first
    "atari/entombed_competitive_v3": 1100, "atari/entombed_cooperative_v3": 1100,
}  # fmt: skip
FEW = ("mpe/simple_crypto_v3",)
"""Of so few different games that two are the same at times: here a secret and a key of two words each."""
PICTURE = 20
"""Ticks from one picture that is compared to the next."""


def players(stage: LocalStage, level: str) -> PolicyMapping:
    """The level in every seat, in this process also where a live seat's search has one of its own."""
    spec, choice, store = stage.spec, SeatChoice("level", level), open_store()
    if not spec.is_board_game:
        return make_mapping(stage, dict.fromkeys(spec.agents, choice), store=store)

    def policy(seat: SeatSpec) -> BatchPolicy:
        return make_policy(choice, [seat], spec=spec, store=store)

    return {agent: PolicyController(policy) for agent in spec.agents}


class Moves(Recorder):
    """Keeps every action, and checks that it was legal at the time."""

    def __init__(self, stage: LocalStage) -> None:
        self.played: list[tuple[AgentID, bytes]] = []
        self.seen: list[int] = []  # by all, from time to time
        self.newest = Tick(0, ())
        self._spaces = stage.spaces

    def tick(self, tick: Tick, actions: dict[AgentID, Action], seconds: float) -> None:
        for agent, action in actions.items():
            assert is_legal(action, self._spaces[agent][1], self.newest.action_masks.get(agent))
            self.played.append((agent, np.asarray(action).tobytes()))
        self.newest = tick
        if tick.index % PICTURE == 0:
            seen = b"".join(np.asarray(one).tobytes() for one in tick.observations.values())
            self.seen.append(hash(seen))


def play(stage: LocalStage, level: str, *, seed: int, ticks: int) -> Moves:
    moves = Moves(stage)
    result = Match(stage, players(stage, level), seed=seed, max_ticks=ticks, recorders=[moves]).run()
    assert not result.error
    assert not any(result.late.values())
    return moves


@pytest.mark.parametrize("game", GAMES)
def test_every_level_plays_every_seat(game: str) -> None:
    spec = find_game(game)
    with LocalStage(spec) as stage:
        for level in LEVELS:
            moves = play(stage, level, seed=2, ticks=MOVES * spec.seats if spec.turn_based else TICKS)
            assert {agent for agent, _ in moves.played} == set(spec.agents), level


@pytest.mark.parametrize("game", GAMES)
def test_no_two_openings_are_alike(game: str) -> None:
    """Of the strongest level, in boards of one that thinks for a moment: all draw in the same way."""
    spec = find_game(game)
    level = "hard" if spec.is_board_game else "expert"
    longest = OPENINGS.get(game, OPENINGS.get(spec.family, OPENING))
    ticks = OPENING_MOVES * spec.seats if spec.turn_based else longest
    with LocalStage(spec) as stage:
        openings = [play(stage, level, seed=seed, ticks=ticks) for seed in (1, 2, 3)]
    differ = [
        one.played != other.played and (spec.turn_based or one.seen != other.seen)  # or the keys were of no effect
        for one, other in combinations(openings, 2)
    ]
    assert any(differ) if game in FEW else all(differ)
