"""A player of Leduc hold'em: an equilibrium strategy, kept in leduc.json, with the mistakes of beginners below expert.

`python -m tests.benchmarks.leduc_equilibrium` made the strategy, by CFR+ on the game as it is played here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import SeatSpec
from arcade.games.players.mistakes import BEGINNER, level_now

MISTAKES = {"easy": 1.0, "normal": 0.67, "hard": 0.33, "expert": 0.0}
"""Share of the hands that a level plays as easy does, which calls and bluffs too much."""

_CALL, _RAISE, _FOLD, _CHECK = range(4)
_RANKS = "JQK"


@dataclass(frozen=True, slots=True)
class Seen:
    """What a player sees at a turn, besides the own card."""

    own: int  # chips in the pot
    other: int
    common: int | None  # the rank of the common card, 0 for a jack to 2 for a king


Style = Callable[[int, Seen], tuple[float, float, float]]
"""(own rank, what is seen) -> the chances to pass, raise and fold."""


def key_of(rank: int, turns: Sequence[Seen]) -> str:
    """Return the key of a decision in the strategy: the own card, the common one and the chips at all turns so far."""
    common = turns[-1].common
    cards = _RANKS[rank] + ("" if common is None else _RANKS[common])
    return " ".join([cards, *(f"{turn.own}-{turn.other}{'' if turn.common is None else '*'}" for turn in turns)])


@cache
def strategy() -> dict[str, tuple[float, float, float]]:
    """Return the chances to pass (check or call), raise and fold, by key."""
    rows = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return {key: (row[0], row[1], row[2]) for key, row in rows.items()}


class Player:
    """Plays one hand or a session; called with RLCard's observation, float32 (36,): parts that are 1 at one place."""

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "expert", mistakes: float = 0) -> None:
        self._rng, self._level, self._mistakes = rng, level, mistakes
        self.key = ""  # of the newest decision
        self._rank = -1
        self._turns: list[Seen] = []  # of the hand
        self._expected = 0  # chips that the own side has in the pot if the hand continues
        self._style: Style | None = None  # of this hand; None: the equilibrium

    def __call__(self, observation: Any, action_mask: Any) -> int:
        rank, seen = read(observation)
        if self._is_new(rank, seen):
            self._rank, self._turns = rank, []
            self._style = self._drawn_style()
        self._turns.append(seen)
        self.key = key_of(rank, self._turns)
        shares = legal_shares(rank, self._turns, action_mask, self._style)
        choice = int(self._rng.choice(3, p=shares))
        self._expected = (*chips_after(seen), -1)[choice]
        return actions_of(action_mask)[choice]

    def _drawn_style(self) -> Style | None:
        level = level_now(self._level, self._mistakes, self._rng)
        if level == BEGINNER:
            return reckless
        return loose if self._rng.random() < MISTAKES[level] else None

    def _is_new(self, rank: int, seen: Seen) -> bool:
        """Whether another hand has begun: other cards, chips that do not follow, or no common card after one."""
        before = self._turns[-1] if self._turns else None
        return (
            before is None
            or rank != self._rank
            or seen.own != self._expected
            or (before.common is not None and before.common != seen.common)
        )


def read(observation: Any) -> tuple[int, Seen]:
    """Return the rank of the own card, and what else a player sees."""
    common = observation[3:6]
    own, other = int(np.argmax(observation[6:21])), int(np.argmax(observation[21:36]))
    return int(np.argmax(observation[:3])), Seen(own, other, int(np.argmax(common)) if common.any() else None)


def actions_of(mask: Any) -> tuple[int, int, int]:
    """Return the actions that pass, raise and fold."""
    return (_CHECK if mask[_CHECK] else _CALL), _RAISE, _FOLD


def chips_after(seen: Seen) -> tuple[int, int]:
    """Return the own chips in the pot after a pass and after a raise."""
    return seen.other, max(seen.own, seen.other) + (2 if seen.common is None else 4)


def legal_shares(rank: int, turns: Sequence[Seen], mask: Any, style: Style | None) -> NDArray[np.float64]:
    """Return the chances, (3,), to pass, raise and fold at the newest turn, of which at least one is legal."""
    wished = style(rank, turns[-1]) if style else strategy().get(key_of(rank, turns), (1, 0, 0))
    shares = np.array(wished, float) * [bool(mask[action]) for action in actions_of(mask)]
    return shares / shares.sum() if shares.sum() > 0 else np.array([1.0, 0.0, 0.0])


def chances(observations: Sequence[Any], masks: Sequence[Any], level: str) -> NDArray[np.float64]:
    """Return the probabilities, (4,), of a level's actions at the newest of its turns in a hand.

    How likely it plays the hand as easy does follows from what it did before (Kuhn's theorem: there is a behaviour
    strategy for each mixture of such).
    """
    ranks, seen = zip(*map(read, observations), strict=True)
    mistakes = MISTAKES[level]
    reach = np.array([1 - mistakes, mistakes])  # of the equilibrium and of easy's style
    for turn, mask in enumerate(masks):
        both = [legal_shares(ranks[0], seen[: turn + 1], mask, style) for style in (None, loose)]
        if turn + 1 < len(seen):
            done = chips_after(seen[turn]).index(seen[turn + 1].own)
            reach = reach * [shares[done] for shares in both]
    weights = reach / reach.sum() if reach.sum() > 0 else np.array([1 - mistakes, mistakes])
    found = np.zeros(4)
    found[list(actions_of(masks[-1]))] = weights @ both
    return found


def reckless(rank: int, seen: Seen) -> tuple[float, float, float]:
    """Return the chances to pass, raise and fold of a beginner, who raises without a look at the cards."""
    return 0.1, 0.9, 0.0


def loose(rank: int, seen: Seen) -> tuple[float, float, float]:
    """Return the chances to pass, raise and fold of one who never folds, and bluffs more often than it bets a pair."""
    return (0.7, 0.3, 0.0) if seen.common == rank else (0.5, 0.5, 0.0)
