"""Rollback: plays ahead of the inputs that are known, and corrects itself when others come.

As in GGPO (https://www.ggpo.net): inputs that are missing are predicted to be the last known ones; where a sealed input
differs, the game goes back to the moment before it and is played again up to the present.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from agents.seats.controller import Action, AgentID

MAX_AHEAD = 10
"""Ticks between the present and the newest tick whose inputs are all known.

GGPO has 8; over TCP a lost packet comes a round trip and a quarter later, 10 ticks of 60 a second for one of 80 ms."""

MAX_DELAY = 3
"""Ticks from a decision to the tick that it is for."""

Moves = Mapping[AgentID, Action]
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Game(Protocol[T_co]):
    """A game that can go back."""

    def step(self, moves: Moves, *, shown: bool) -> T_co:
        """The next tick; `shown`: to people, so that it needs a picture."""

    def save(self) -> Any:
        """The present moment."""

    def load(self, state: Any, moves: Moves) -> T_co:
        """Go back to that moment and play `moves`; the tick that they lead to."""


@dataclass
class _Foreseen(Generic[T]):
    """A step with predicted inputs."""

    before: Any  # the state
    moves: Moves
    tick: T  # that it led to


class Rollback(Generic[T]):
    """The steps from the newest sealed tick to the present.

    ``foresee(moves)`` plays ahead; ``confirm(moves)`` seals the oldest of these steps with the inputs that count; after
    all that is sealed, ``replay`` plays up to the present again where one differed.
    """

    def __init__(self, game: Game[T]) -> None:
        self._game = game
        self._ahead: deque[_Foreseen[T]] = deque()
        self._lost = 0  # steps that were undone
        self.count = self.longest = 0  # rollbacks; the most ticks of one

    def __len__(self) -> int:
        """Ticks that the present is ahead of the sealed ones, undone ones included."""
        return len(self._ahead) + self._lost

    @property
    def newest(self) -> T | None:
        """The present tick; None where it is a sealed one."""
        return self._ahead[-1].tick if self._ahead else None

    def foresee(self, moves: Moves, *, shown: bool = True) -> T:
        """Play one step ahead with these inputs."""
        state = self._game.save()
        tick = self._game.step(moves, shown=shown)
        self._ahead.append(_Foreseen(state, moves, tick))
        return tick

    def confirm(self, moves: Moves) -> T:
        """The tick that the inputs of the oldest step ahead lead to; steps after wrong ones are undone."""
        if not self._ahead:
            self._lost = max(0, self._lost - 1)
            return self._game.step(moves, shown=not self._lost)
        oldest = self._ahead.popleft()
        if same_moves(oldest.moves, moves):
            return oldest.tick
        undone = len(self._ahead)
        self.count, self.longest = self.count + 1, max(self.longest, undone + 1)
        self._ahead.clear()
        self._lost += undone
        return self._game.load(oldest.before, moves)

    def revise(self, known: Callable[[T | None, Moves], Moves]) -> None:
        """Undo the steps from the first one on that differs from what is known by now.

        `known` has the inputs at a tick (None: the sealed one), given those that were predicted.
        """
        before: T | None = None
        for place, step in enumerate(self._ahead):
            moves = known(before, step.moves)
            if not same_moves(moves, step.moves):
                undone = len(self._ahead) - place
                self.count, self.longest = self.count + 1, max(self.longest, undone)
                while len(self._ahead) > place:
                    self._ahead.pop()
                self._ahead.append(_Foreseen(step.before, moves, self._game.load(step.before, moves)))
                self._lost += undone - 1
                return
            before = step.tick

    def replay(self, predict: Callable[[T | None], Moves | None]) -> None:
        """Play the undone steps again; `predict` has the inputs at a tick (None: the sealed one), None at the end."""
        while self._lost:
            self._lost -= 1
            moves = predict(self.newest)
            if moves is None:
                self._lost = 0
                return
            self.foresee(moves, shown=not self._lost)


def same_moves(one: Moves, other: Moves) -> bool:
    """Whether two inputs are the same."""
    return one.keys() == other.keys() and all(_same(one[agent], other[agent]) for agent in one)


def _same(one: Action, other: Action) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return bool(np.array_equal(one, other))
    return bool(one == other)
