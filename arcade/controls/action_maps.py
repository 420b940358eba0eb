"""Action maps: turn the controls of a device into Discrete actions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np

from agents.seats.controller import Action, ActionMask
from arcade.games.controls import SeatControls
from arcade.games.naming import (
    LEAP,
    LEAP_BACK,
    LETTERS,
    NEXT,
    PREVIOUS,
    Phrase,
    idle_of,
    message_of,
    moves_of,
    words_of,
)

FIRM = 0.5  # how far half of a stick is pushed before it counts as a control that is held


_NOTHING: tuple[int, int] = (0, -1)

_STEPS = {NEXT: 1, PREVIOUS: -1, LEAP: 10, LEAP_BACK: -10}


class ActionMap(ABC):
    """Turns the controls of one device into actions of one space, by the rows of a seat's controls.

    `press` is called for each press, `action` whenever an answer is asked for, `turn` once a tick has played it.
    """

    def __init__(self, controls: SeatControls) -> None:
        self._rows: dict[str, list[str]] = {}  # control → the actions of its rows
        for row in controls.rows:
            for control in row.controls:
                self._rows.setdefault(control, []).append(row.action)

    @property
    def words(self) -> str:
        """The setting that stays between presses, for people: "saying C"; "" without one."""
        return ""

    @property
    def ready(self) -> bool:
        """Whether `action` is an answer already; False while a game waits for more presses."""
        return True

    def uses(self, control: str) -> bool:
        """Whether a control does anything in this seat."""
        return control in self._rows

    def press(self, control: str) -> None:
        """A control went down, or repeats while it is held; for maps that step through something."""
        for action in self._rows.get(control, ()):
            self._step(action)

    def turn(self) -> None:  # noqa: B027  (most maps do not care for time)
        """The last action was played: a tick is over."""

    @abstractmethod
    def action(self, controls: Sequence[str], axes: Mapping[str, float], mask: ActionMask | None) -> Action:
        """The action of `controls` (oldest press first) and `axes`; idle without a meaning; legal under `mask`.

        `axes` are halves of sticks and how far each is pushed, 0 … 1.
        """

    def _step(self, action: str) -> None:  # noqa: B027
        """A control of the row with this action went down."""

    def _held(self, controls: Sequence[str], axes: Mapping[str, float]) -> dict[str, int]:
        """The actions of the rows that are held → when, the newest press last; sticks come before all presses."""
        firm = [half for half, push in axes.items() if push > FIRM]
        return {
            action: when for when, control in enumerate([*firm, *controls]) for action in self._rows.get(control, ())
        }


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


class NumberMap(ActionMap):
    """Steps through numbered actions and repeats the one reached, or the nearest legal one."""

    def __init__(self, controls: SeatControls, count: int, *, names: Sequence[str] = (), start: int = 0) -> None:
        super().__init__(controls)
        self._count, self._start, self._names = count, start, names
        self.cursor = 0

    @property
    def words(self) -> str:
        if self.cursor < len(self._names):
            return self._names[self.cursor]
        return f"action {self._start + self.cursor}"

    def _step(self, action: str) -> None:
        self.cursor = (self.cursor + _STEPS.get(action, 0)) % self._count

    def action(self, controls: Sequence[str], axes: Mapping[str, float], mask: ActionMask | None) -> Action:
        legal = np.flatnonzero(mask) if mask is not None and np.any(mask) else np.arange(self._count)
        nearest = int(legal[np.argmin(np.abs(legal - self.cursor))])
        return self._start + nearest


def _parts_of(words: Phrase, phrases: Mapping[str, Phrase]) -> frozenset[str] | None:
    """The rows that make up an action of these words, long ones first; None where they do not."""
    left, parts = set(words), set()
    for action in sorted(phrases, key=lambda action: -len(phrases[action])):
        if phrases[action] and phrases[action] <= left:
            parts.add(action)
            left -= phrases[action]
    return None if left else frozenset(parts)
