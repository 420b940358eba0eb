"""A player of rock paper scissors that learns the other's habits from the finished rounds.

Simple predictors (the last choice again, a step onwards, win-stay lose-shift, what followed the same rounds before)
guess the next choice, also as one who sees through them would, as in Dan Egnor's Iocaine Powder (1999,
https://webdocs.cs.ualberta.ca/~darse/rsbpc1.html).  They are weighed by how well they guessed so far, as a Bayesian
mixture.  Lower levels have a habit of people in part of their choices: win-stay lose-shift (Wang, Xu, Zhou 2014,
Social cycling and conditional responses in the Rock-Paper-Scissors game).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from agents.seats.controller import SeatSpec
from arcade.games.players.mistakes import BEGINNER, level_now

CHOICES = 3
"""Rock, paper, scissors: each is beaten by the next one."""

HABIT = {"easy": 0.95, "normal": 0.75, "hard": 0.5, "expert": 0.0}
"""Share of a level's choices that follow a habit."""

_SURE = 0.7  # how likely a predictor takes its guess to be
_MEMORY = 0.9  # weight of a round in the next one
_BLUFF = 0.1  # chance of any choice at all, so that none can be counted on

Guess = Callable[[Sequence[int], Sequence[int]], int | None]
"""(own choices, the other's) -> the other's next choice, None without an idea."""


class Player:
    """Plays one match: called with the other's last choice, 0 to 2, or 3 before the first."""

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "expert", mistakes: float = 0) -> None:
        self._rng, self._level, self._mistakes = rng, level, mistakes
        self._own: list[int] = []
        self._other: list[int] = []
        self._logs = np.zeros(len(PREDICTORS))  # of the predictors' weights
        self._guessed = np.zeros((len(PREDICTORS), CHOICES))  # the shares that each expected of the other's choices

    def __call__(self, observation: Any, action_mask: Any) -> int:
        seen = int(observation)
        if seen < CHOICES and len(self._other) < len(self._own):
            self._other.append(seen)
            self._logs = _MEMORY * self._logs + np.log(self._guessed[:, seen])
        self._guessed = np.array([_shares(guess(self._own, self._other)) for guess in PREDICTORS])
        choice = self._choose()
        self._own.append(choice)
        return choice

    def _choose(self) -> int:
        rng = self._rng
        level = level_now(self._level, self._mistakes, rng)
        if level == BEGINNER and self._own:
            return self._own[-1]  # it keeps to what it chose
        if level == BEGINNER or rng.random() < HABIT[level]:
            guess = stay_or_shift(self._other, self._own)
            return int(rng.choice(CHOICES, p=(0.5, 0.25, 0.25))) if guess is None else guess
        weights = np.exp(self._logs - self._logs.max())
        expected = weights @ self._guessed / weights.sum()
        gains = [expected[choice - 1] - expected[choice - 2] for choice in range(CHOICES)]  # it beats the one before
        if rng.random() < _BLUFF or max(gains) - min(gains) < 1e-3:
            return int(rng.integers(CHOICES))
        return int(np.argmax(gains))


def _shares(guess: int | None) -> list[float]:
    if guess is None:
        return [1 / CHOICES] * CHOICES
    return [_SURE if choice == guess else (1 - _SURE) / (CHOICES - 1) for choice in range(CHOICES)]


def stay_or_shift(own: Sequence[int], other: Sequence[int]) -> int | None:
    """The other repeats a choice that won, and after a loss or a draw takes what would have beaten the winner."""
    if not other:
        return None
    if (other[-1] - own[-1]) % CHOICES == 1:
        return other[-1]
    return (own[-1] + 1) % CHOICES


def _nothing(own: Sequence[int], other: Sequence[int]) -> None:
    return None


def _from_last(step: int, own: Sequence[int], other: Sequence[int]) -> int | None:
    """So many steps onwards from the other's last choice."""
    return (other[-1] + step) % CHOICES if other else None


def _from_own(step: int, own: Sequence[int], other: Sequence[int]) -> int | None:
    """So many steps onwards from the last choice that the other saw."""
    return (own[-1] + step) % CHOICES if own else None


def _shift(lost: int, drawn: int, own: Sequence[int], other: Sequence[int]) -> int | None:
    """A choice that won stays; else so many steps onwards after a loss and after a draw."""
    if not other:
        return None
    outcome = (other[-1] - own[-1]) % CHOICES  # 0: drawn, 1: the other won, 2: it lost
    return (other[-1] + (drawn, 0, lost)[outcome]) % CHOICES


def _most_frequent(rounds: int, own: Sequence[int], other: Sequence[int]) -> int | None:
    recent = other[-rounds:]
    return max(range(CHOICES), key=recent.count) if recent else None


def _followed(length: int, view: int, own: Sequence[int], other: Sequence[int]) -> int | None:
    """What the other chose after the newest rounds like the last `length`; `view`: 0 both, 1 the other's, 2 own."""
    rounds = [other, own, list(zip(own, other, strict=True))][(view + 2) % 3]
    now = rounds[-length:]
    if len(now) < length:
        return None
    starts = range(len(rounds) - length - 1, -1, -1)
    return next((other[start + length] for start in starts if rounds[start : start + length] == now), None)


def _seen_through(guess: Guess, own: Sequence[int], other: Sequence[int]) -> int | None:
    """The other guesses so about us, and beats that."""
    found = guess(other, own)
    return None if found is None else (found + 1) % CHOICES


def _twice(guess: Guess, own: Sequence[int], other: Sequence[int]) -> int | None:
    """The other expects us to beat the guess, and beats that."""
    found = guess(own, other)
    return None if found is None else (found + 2) % CHOICES


_BASE: tuple[Guess, ...] = (
    stay_or_shift,
    *(partial(_from_last, step) for step in range(CHOICES)),
    *(partial(_from_own, step) for step in range(CHOICES)),
    *(partial(_shift, lost, drawn) for lost in (1, 2) for drawn in range(CHOICES)),
    *(partial(_most_frequent, rounds) for rounds in (5, 100)),
    *(partial(_followed, length, view) for length in (1, 2, 3) for view in range(3)),
)
PREDICTORS: tuple[Guess, ...] = (
    _nothing,
    *(view for guess in _BASE for view in (guess, partial(_seen_through, guess), partial(_twice, guess))),
)
