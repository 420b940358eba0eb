"""Action maps for array actions: controls for each entry, or for one entry at a time."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from agents.seats.controller import Action, ActionMask
from arcade.controls.action_maps import ActionMap
from arcade.games.controls import ControlsError, SeatControls
from arcade.games.entries import LESS, MORE, PLAY, RESET, assemble, entries_of
from arcade.games.naming import NEXT, PREVIOUS

RAMP = 0.15  # seconds from a key press to full deflection, so that a tap nudges
SLIDE = 0.6  # seconds of a desk slider from its rest to its end
STEP = 0.1  # of a desk slider for each press in a game that waits

_ROW = re.compile(r"(\d+)(?:([-+<>])|=(\d+))")
_SIGNS = {MORE: 1, LESS: -1, NEXT: 1, PREVIOUS: -1}


class EntryMap(ActionMap):
    """Gives each entry its own controls.

    The actions of the rows: ``3+`` ``3-`` push number 3 up or down while held; ``3=2`` sets choice 3 to 2 while held;
    ``3>`` ``3<`` step choice 3 permanently.  Sticks set a number directly; keys and buttons ramp up.
    Of two values of one choice the newest press counts.
    """

    def __init__(self, controls: SeatControls, space: Any, *, fps: float) -> None:
        super().__init__(controls)
        self._space, self._entries = space, entries_of(space)
        self._changes = {row.action: self._read(row.action) for row in controls.rows}  # action → entry, change
        self._is_number = np.array([entry.count == 0 for entry in self._entries])
        self._kept = np.zeros(len(self._entries))  # choices while nothing is held
        self._level = np.zeros(len(self._entries))  # of each number at the last tick, by keys
        self._next = self._level
        self._step_of_ramp = 1.0 / max(1, round(RAMP * fps))
        if controls.idle:
            index, change = self._read(controls.idle)
            self._kept[index] = int(change) if change.isdecimal() else 0

    @property
    def setting(self) -> str:
        stepped = sorted({index for index, change in self._changes.values() if change in (NEXT, PREVIOUS)})
        return ", ".join(f"{self._entries[index].name}: {self._kept[index]:.0f}" for index in stepped)

    def _step(self, action: str) -> None:
        index, change = self._changes[action]
        if change in (NEXT, PREVIOUS):
            self._kept[index] = (self._kept[index] + _SIGNS[change]) % self._entries[index].count

    def turn(self) -> None:
        self._level = self._next

    def action(self, controls: Sequence[str], sticks: Mapping[str, float], mask: ActionMask | None) -> Action:
        pushes = self._sum({half: push for half, push in sticks.items() if push > 0})
        keys = self._sum(dict.fromkeys(controls, 1.0))
        directions = np.sign(keys)
        before = np.where(np.sign(self._level) == directions, np.abs(self._level), 0.0)
        self._next = directions * np.minimum(1.0, before + self._step_of_ramp)
        numbers = np.where(pushes != 0, np.clip(pushes, -1, 1), self._next)
        values = np.where(self._is_number, numbers, self._choices(controls, sticks))
        return assemble(self._space, self._entries, values.tolist())

    def _sum(self, pushes: Mapping[str, float]) -> Any:
        """Add up the pushes on each number."""
        total = np.zeros(len(self._entries))
        for control, push in pushes.items():
            for action in self._rows.get(control, ()):
                index, change = self._changes[action]
                total[index] += push * (change == MORE) - push * (change == LESS)
        return total

    def _choices(self, controls: Sequence[str], sticks: Mapping[str, float]) -> Any:
        values = self._kept.copy()
        held = self._held(controls, sticks)
        for index, change in (self._changes[action] for action in sorted(held, key=held.__getitem__)):
            if change.isdecimal():
                values[index] = int(change)
        return values

    def _read(self, action: str) -> tuple[int, str]:
        """Return an entry, and its change (a sign) or value."""
        found = _ROW.fullmatch(action)
        if found is None or int(found[1]) >= len(self._entries):
            last = len(self._entries) - 1
            raise ControlsError(f"expected actions like 0+ or 0=1 of the entries 0 to {last}, got: {action!r}")
        index, change = int(found[1]), found[2] or found[3]
        entry = self._entries[index]
        fits = int(change) < entry.count if change.isdecimal() else (change in (MORE, LESS)) == (entry.count == 0)
        if not fits:
            kind = f"a choice of {entry.count}" if entry.count else "a number"
            raise ControlsError(f"expected an action for {kind}, got: {action!r}")
        return index, change


class DeskMap(ActionMap):
    """Changes one entry at a time, like the sliders of a mixing desk; all keep their values.

    With a row that plays the values, the game waits for it, and each press is a step.
    """

    def __init__(self, controls: SeatControls, space: Any, *, fps: float) -> None:
        super().__init__(controls)
        self._space, self._entries = space, entries_of(space)
        self._values = [0.0] * len(self._entries)
        self._slide = 1.0 / max(1, round(SLIDE * fps))
        self._pointed = 0
        self._moved = 0.0  # change of the chosen number in this tick
        self._waits = any(row.action == PLAY for row in controls.rows)
        self._played = False

    @property
    def setting(self) -> str:
        entry, value = self._entries[self._pointed], self._values[self._pointed]
        return f"{entry.name}: {value:.0f}" if entry.count else f"{entry.name}: {entry.number(value):.2f}"

    @property
    def ready(self) -> bool:
        return self._played or not self._waits

    def _step(self, action: str) -> None:
        here, entry = self._pointed, self._entries[self._pointed]
        if action in (NEXT, PREVIOUS):
            self._pointed = (here + _SIGNS[action]) % len(self._entries)
        elif action == RESET:
            self._values[here] = 0.0
        elif action == PLAY:
            self._played = True
        elif action in (MORE, LESS) and entry.count:
            self._values[here] = (self._values[here] + _SIGNS[action]) % entry.count
        elif action in (MORE, LESS) and self._waits:
            self._values[here] = _within(self._values[here] + STEP * _SIGNS[action])

    def turn(self) -> None:
        self._values[self._pointed], self._moved = self._here(), 0.0
        self._played = False

    def action(self, controls: Sequence[str], sticks: Mapping[str, float], mask: ActionMask | None) -> Action:
        held = self._held(controls, sticks)
        self._moved = 0.0 if self._waits else self._slide * ((MORE in held) - (LESS in held))
        values = [*self._values]
        values[self._pointed] = self._here()
        return assemble(self._space, self._entries, values)

    def _here(self) -> float:
        value = self._values[self._pointed]
        return value if self._entries[self._pointed].count else _within(value + self._moved)


def _within(push: float) -> float:
    return min(1.0, max(-1.0, push))
