"""ActionWords: names of a seat's actions, for spectators."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.seats.controller import Action, AgentID, SeatSpec
from arcade.controls.cursor import Cursor
from arcade.games.spec import GameSpec
from arcade.language import local_number

SHOWN = 4  # most numbers of an array action


class ActionWords:
    """The game's words for an action of `agent`, else those of its board, else numbers.

    >>> words.of(2), words.of(np.array([0.5, -1.0]))
    ('right', '+0.50  -1.00')
    """

    def __init__(self, spec: GameSpec, agent: AgentID, space: Any) -> None:
        self._spec, self._agent, self._space = spec, agent, space
        self._count = getattr(space, "n", None) if not getattr(space, "shape", ()) else None
        self._words: dict[int, str] = {}  # by action index

    def named(self, index: int) -> str:
        """Name an action of a Discrete space; any other index is its number."""
        if index not in self._words:
            if not isinstance(self._count, int | np.integer):
                return str(index)
            cursor = Cursor(self._spec.names_of(self._agent))
            cursor.reset(
                SeatSpec(game=self._spec.id, agent=self._agent, observation_space=None, action_space=self._space)
            )
            mask = np.zeros(int(self._count), np.int8)
            mask[index] = 1
            cursor.show(mask)
            self._words[index] = cursor.options[0].label
        return self._words[index]

    def of(self, action: Action) -> str:
        """Name any action of the space, also as a file stores it."""
        if isinstance(self._count, int | np.integer) and self._space.contains(action):
            return self.named(int(action) - int(getattr(self._space, "start", 0)))
        values = np.asarray(action).ravel()
        if values.dtype.kind not in "fiub":
            return f"{action!r:.20}"
        shown = [
            local_number(f"{value:+.2f}") if values.dtype.kind == "f" else str(int(value)) for value in values[:SHOWN]
        ]
        return "  ".join(shown) + (" …" if len(values) > SHOWN else "")
