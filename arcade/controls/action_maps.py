"""Action maps: turn the controls of a device into Discrete actions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np

from agents.seats.controller import Action, ActionMask
from arcade.games import naming
from arcade.games.controls import SeatControls
from arcade.games.naming import LEAP, LEAP_BACK, LETTERS, NEXT, PREVIOUS, Phrase
from arcade.games.texts import translated
from arcade.language import _

FIRM = 0.5  # push from which half of a stick counts as held
_STEPS = {NEXT: 1, PREVIOUS: -1, LEAP: 10, LEAP_BACK: -10}


class ActionMap(ABC):
    """Turns the controls of one device into actions of one space, by the rows of a seat's controls."""

    def __init__(self, controls: SeatControls) -> None:
        self._rows: dict[str, list[str]] = {}  # control → the actions of its rows
        for row in controls.rows:
            for control in row.controls:
                self._rows.setdefault(control, []).append(row.action)

    @property
    def setting(self) -> str:
        """The setting that stays between presses, for the screen: "saying C"; "" without one."""
        return ""

    @property
    def ready(self) -> bool:
        """Whether `action` is final; False while a game waits for more presses."""
        return True

    def uses(self, control: str) -> bool:
        """Return whether a control has a meaning in this seat."""
        return control in self._rows

    def press(self, control: str) -> None:
        """Handle a control that goes down or repeats, for maps with steps."""
        for action in self._rows.get(control, ()):
            self._step(action)

    def turn(self) -> None:  # noqa: B027
        """Note the end of a tick, which played the last action."""

    @abstractmethod
    def action(self, controls: Sequence[str], sticks: Mapping[str, float], mask: ActionMask | None) -> Action:
        """Return the action of `controls` (oldest press first) and `sticks`, legal under `mask`; else the idle one.

        `sticks` are the pushes of halves of axes, 0 … 1.
        """

    def _step(self, action: str) -> None:  # noqa: B027
        """Handle a press for the row with this action."""

    def _held(self, controls: Sequence[str], sticks: Mapping[str, float]) -> dict[str, int]:
        """Return the actions of the held rows → their order, the newest press last; sticks precede presses."""
        firm = [half for half, push in sticks.items() if push > FIRM]
        return {
            action: when for when, control in enumerate([*firm, *controls]) for action in self._rows.get(control, ())
        }


class ChordMap(ActionMap):
    """Plays the largest action with all parts held, such as "up right fire"; of equal ones the newest press.

    In names such as "say C, left" the message stays set; the rows of NEXT and PREVIOUS step through the messages.
    """

    def __init__(self, controls: SeatControls, names: Sequence[str], *, start: int = 0) -> None:
        super().__init__(controls)
        self._start = start
        phrases = {row.action: frozenset(naming.words_of(row.action)) for row in controls.rows}
        self._parts = [_parts_of(naming.moves_of(name), phrases) for name in names]
        self._messages = [naming.message_of(name) for name in names]
        self._count = max(self._messages) + 1
        self._message = 0
        self._idle = names.index(controls.idle) if controls.idle in names else naming.idle_of(names)

    @property
    def setting(self) -> str:
        return _("saying {letter}").format(letter=LETTERS[self._message]) if self._count else ""

    def _step(self, action: str) -> None:
        by = {NEXT: 1, PREVIOUS: -1}.get(action, 0)
        if by and self._count:
            self._message = (self._message + by) % self._count

    def action(self, controls: Sequence[str], sticks: Mapping[str, float], mask: ActionMask | None) -> Action:
        held = self._held(controls, sticks)
        best, best_rank = self._idle_under(mask), (0, -1)
        for index, parts in enumerate(self._parts):
            if parts is None or not parts <= held.keys() or self._messages[index] not in (-1, self._message):
                continue
            speaks = int(self._messages[index] >= 0)
            rank = (len(parts) + speaks, max((held[part] for part in parts), default=-1))
            if rank > best_rank and (mask is None or mask[index]):
                best, best_rank = index, rank
        return self._start + best

    def _idle_under(self, mask: ActionMask | None) -> int:
        if mask is None or mask[self._idle] or not np.any(mask):
            return self._idle
        return int(np.flatnonzero(mask)[0])


class NumberMap(ActionMap):
    """Steps through numbered actions; plays the chosen one, or the nearest legal one."""

    def __init__(self, controls: SeatControls, count: int, *, names: Sequence[str] = (), start: int = 0) -> None:
        super().__init__(controls)
        self._count, self._start, self._names = count, start, names
        self.cursor = 0

    @property
    def setting(self) -> str:
        if self.cursor < len(self._names):
            return translated(self._names[self.cursor])
        return _("action {number}").format(number=self._start + self.cursor)

    def _step(self, action: str) -> None:
        self.cursor = (self.cursor + _STEPS.get(action, 0)) % self._count

    def action(self, controls: Sequence[str], sticks: Mapping[str, float], mask: ActionMask | None) -> Action:
        legal = np.flatnonzero(mask) if mask is not None and np.any(mask) else np.arange(self._count)
        nearest = int(legal[np.argmin(np.abs(legal - self.cursor))])
        return self._start + nearest


def _parts_of(words: Phrase, phrases: Mapping[str, Phrase]) -> frozenset[str] | None:
    """Split an action's words into rows, long ones first; None where that fails."""
    left, parts = set(words), set()
    for action in sorted(phrases, key=lambda action: -len(phrases[action])):
        if phrases[action] and phrases[action] <= left:
            parts.add(action)
            left -= phrases[action]
    return None if left else frozenset(parts)
