"""Known opponents of the strongest levels, and the best known results of cooperative games, each with its source.

The seat words of the opponents are `python:tests.benchmarks.references:NAME`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from agents.seats.controller import SeatSpec
from arcade.games.catalogue import find_game
from arcade.games.players.atari.paddles import BALL_X, BALL_Y, PONG, QUADRAPONG, Paddle
from arcade.games.players.atari.play import RAM, Memory
from arcade.games.players.atari.warlords import CASTLES, Castle


@dataclass(frozen=True, slots=True)
class Reference:
    """A known opponent in one game."""

    name: str
    seat: str
    matches: int = 16  # seeds for each team of the expert
    sides: tuple[int, ...] = ()  # the teams that the expert plays; (): each


@dataclass(frozen=True, slots=True)
class Best:
    """The best known result of a cooperative game."""

    mean_return: float  # of one agent
    source: str


_STRAIGHT = "agents that know the whole state: python -m tests.benchmarks.particle_optimum 60"
BEST: Mapping[str, Best] = {
    "butterfly/cooperative_pong_v6": Best(100.0, "upper bound: the reward of a whole episode, PettingZoo's page"),
    "butterfly/knights_archers_zombies_v11": Best(11.25, "upper bound: all 45 zombies of 900 ticks, by four"),
    "butterfly/pistonball_v6": Best(100.0, "upper bound: the whole way of the ball, PettingZoo's page"),
    "mpe/simple_v3": Best(-7.19, _STRAIGHT),
    "mpe/simple_reference_v3": Best(-8.47, _STRAIGHT),
    "mpe/simple_speaker_listener_v4": Best(-9.18, _STRAIGHT),
    "mpe/simple_spread_v3": Best(-8.61, _STRAIGHT),
    "mpe/simple_formation_v1": Best(-5.07, _STRAIGHT),
    "mpe/simple_line_v1": Best(-5.45, _STRAIGHT),
    "classic/hanabi_v5": Best(25.0, "upper bound: all 25 cards"),
    "mpe/collect_treasure_v1": Best(
        53.37, "six collectors that have all to themselves: python -m tests.benchmarks.cooperative_best --episodes 60"
    ),
    "atari/entombed_cooperative_v3": Best(
        13.0,
        "upper bound: 11 sections of 192 lines in 9000 ticks, four ticks a line, and two lost lives, which score too",
    ),
    "sisl/multiwalker_v9": Best(103.0, "500 ticks without a fall at the speed of a gait that risks one, 2.38 a second"),
    "sisl/pursuit_v5": Best(75.0, "all 30 evaders at once, each caught by four of the eight: 30 x 5 x 4/8"),
}
"""By game."""


class Follower:
    """Moves its own figure towards the ball, or the opponent, at once and without a thought of where it will be.

    Serves and hits by pressing fire every other while.
    """

    obs_type = RAM
    fire_every = 24  # ticks

    def __init__(self, seat: SeatSpec, rng: np.random.Generator) -> None:
        spec = find_game(seat.game)
        self._place = spec.agents.index(seat.agent)
        self._names = {name: index for index, name in enumerate(spec.names_of(seat.agent))}
        self._follow = FOLLOWS[seat.game][self._place]
        self._tick = int(rng.integers(self.fire_every))

    def __call__(self, memory: Any, action_mask: Any) -> int:
        self._tick += 1
        keys = [key for follow in self._follow if (key := follow.key(memory))]
        fires = ["fire"] if self._tick % self.fire_every < 2 else []
        return self._names.get(" ".join(keys + fires) or "nothing", 0)


@dataclass(frozen=True, slots=True)
class Follow:
    """One axis of a follower."""

    own: int  # address of its place
    other: int  # of what it follows
    offset: float  # of the other's place when both are level, less the own
    less: str  # the key that lowers the own place, and the one that raises it
    more: str

    def key(self, memory: Memory) -> str:
        """The key to hold, "" for none."""
        off = int(memory[self.other]) - int(memory[self.own]) - self.offset
        return "" if abs(off) < 3 else self.more if off > 0 else self.less


@dataclass(frozen=True, slots=True)
class FollowCastle:
    """The shield of a castle in Warlords, kept as near to the ball as it goes."""

    castle: Castle

    def key(self, memory: Memory) -> str:
        """The key to hold, "" for none."""
        own, ball = (memory[self.castle.x], memory[self.castle.y]), (memory[0x04] - 4, memory[0x0E])
        off = self.castle.way(*map(float, ball)) - self.castle.way(*map(float, own))
        return "" if abs(off) < 3 else "right" if off > 0 else "left"


def _paddle(one: Paddle) -> Follow:
    keys = ("up", "down") if one.is_upright else ("left", "right")
    return Follow(one.own, BALL_Y if one.is_upright else BALL_X, one.middle, *keys)


def _boxer(own: int) -> tuple[Follow, ...]:
    other = 1 - own
    across, down = (
        Follow(0x20 + own, 0x20 + other, 0, "left", "right"),
        Follow(0x22 + own, 0x22 + other, 17, "up", "down"),
    )
    return down, across


FOLLOWS: Mapping[str, tuple[tuple[Follow | FollowCastle, ...], ...]] = {
    "atari/pong_v3": tuple((_paddle(one),) for one in PONG),
    "atari/quadrapong_v4": tuple((_paddle(one),) for one in QUADRAPONG),
    "atari/boxing_v2": (_boxer(0), _boxer(1)),
    "atari/tennis_v3": tuple((Follow(own, 0x10, 7, "left", "right"),) for own in (0x1A, 0x1B)),
    "atari/warlords_v3": tuple((FollowCastle(one),) for one in CASTLES),
}
"""By game and seat, in the order of its axes: up or down before left or right where there are both."""


def beats_last(observation: Any, action_mask: Any) -> int:
    """Rock paper scissors: what beats the other's last choice, its observation."""
    return (int(observation) + 1) % 3


_FOLLOWER = Reference("follower of the ball", "python:tests.benchmarks.references:Follower")
_RALLY = replace(_FOLLOWER, matches=40)  # which seldom end: most matches are drawn
_RULES = Reference("rule player of RLCard", "python:tests.benchmarks.rlcard_rules:{}", 100)
_FOUR = "python:tests.benchmarks.minimax:{}"
REFERENCES: Mapping[str, tuple[Reference, ...]] = {
    **dict.fromkeys(FOLLOWS, (_FOLLOWER,)),
    "atari/boxing_v2": (replace(_FOLLOWER, name="follower of the other boxer"),),
    "atari/pong_v3": (_RALLY,),
    "atari/quadrapong_v4": (_RALLY,),
    "classic/chess_v6": (
        Reference("Stockfish at skill 0 with 100 ms a move", "uci:stockfish?skill=0&movetime_ms=100", 10),
    ),
    "classic/connect_four_v3": (
        Reference("alpha-beta search of six moves", _FOUR.format("six"), 10),
        Reference("alpha-beta search of eight moves that plays second", _FOUR.format("eight"), 20, sides=(0,)),
    ),
    "classic/go_9x9_v5": (Reference("GNU Go at level 1", "gtp:gnugo?level=1", 10),),
    "classic/leduc_holdem_v4": (replace(_RULES, seat=_RULES.seat.format("Leduc")),),
    "classic/rps_v2": (
        Reference("player that beats the last choice", "python:tests.benchmarks.references:beats_last", 50),
    ),
    "classic/texas_holdem_no_limit_v6": (replace(_RULES, seat=_RULES.seat.format("NoLimit")),),
    "classic/texas_holdem_v4": (replace(_RULES, seat=_RULES.seat.format("Limit")),),
}
"""By game; what is asked of the expert against them is in `arcade.games.strengths.marks`."""
