"""ChordMap: Discrete actions with words, made up of what is held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from agents.seats.controller import Action, ActionMask
from arcade.controls.action_maps.base import ActionMap
from arcade.games.actions import LETTERS
from arcade.games.controls import SeatControls
from arcade.games.naming import NEXT, PREVIOUS, Phrase, idle_of, message_of, moves_of, words_of

_NOTHING: tuple[int, int] = (0, -1)


class ChordMap(ActionMap):
    """The largest action whose parts are all held is played: with "up", "right" and "fire" held, "up right fire".

    A key too many therefore never turns an action into nothing; among equals the one with the newest press wins.
    Words like "say C, left" carry a message: the rows of NEXT and PREVIOUS step through the messages, which stay said.
    """

    def __init__(self, controls: SeatControls, names: Sequence[str], *, start: int = 0) -> None:
        super().__init__(controls)
        self._start = start
        phrases = {row.action: frozenset(words_of(row.action)) for row in controls.rows}
        self._parts = [_parts_of(moves_of(name), phrases) for name in names]
        self._messages = [message_of(name) for name in names]
        self._count = max(self._messages) + 1
        self._said = 0
        self._idle = names.index(controls.idle) if controls.idle in names else idle_of(names)

    @property
    def words(self) -> str:
        return f"saying {LETTERS[self._said]}" if self._count else ""

    def _step(self, action: str) -> None:
        by = {NEXT: 1, PREVIOUS: -1}.get(action, 0)
        if by and self._count:
            self._said = (self._said + by) % self._count

    def action(self, controls: Sequence[str], axes: Mapping[str, float], mask: ActionMask | None) -> Action:
        held = self._held(controls, axes)
        best, best_rank = self._idle_under(mask), _NOTHING
        for index, parts in enumerate(self._parts):
            if parts is None or not parts <= held.keys() or self._messages[index] not in (-1, self._said):
                continue
            rank = (len(parts) + self._speaks(index), max((held[part] for part in parts), default=-1))
            if rank > best_rank and (mask is None or mask[index]):
                best, best_rank = index, rank
        return self._start + best

    def _speaks(self, index: int) -> int:
        return int(self._messages[index] >= 0)

    def _idle_under(self, mask: ActionMask | None) -> int:
        if mask is None or mask[self._idle] or not np.any(mask):
            return self._idle
        return int(np.flatnonzero(mask)[0])


def _parts_of(words: Phrase, phrases: Mapping[str, Phrase]) -> frozenset[str] | None:
    """The rows that make up an action of these words, long ones first; None where they do not."""
    left, parts = set(words), set()
    for action in sorted(phrases, key=lambda action: -len(phrases[action])):
        if phrases[action] and phrases[action] <= left:
            parts.add(action)
            left -= phrases[action]
    return None if left else frozenset(parts)
