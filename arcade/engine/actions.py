"""From hands to actions: which action of a seat's space the controls that count now mean.

How each kind of space is played is in the docstring of its map; `make_action_map` picks one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from agents.controller import Action, ActionMask
from arcade.games.actions import NOOP


class ActionMap(ABC):
    """Turns the controls of one device into actions of one space."""

    def press(self, control: str) -> None:  # noqa: B027  (most maps keep no state)
        """A control went down, or repeats while it is held; for maps that step through something."""

    @abstractmethod
    def action(self, controls: Sequence[str], axes: Mapping[str, float], mask: ActionMask | None) -> Action:
        """What `controls` (oldest press first) and `axes` mean; idle where they mean nothing; legal under `mask`."""


class ChordMap(ActionMap):
    """Discrete actions with words, as in "up right fire": the largest of them whose parts are all held is played.

    A key too many therefore never turns an action into nothing; among equals the one with the newest press wins.
    `fire` is a; where nothing fires, a stands for `up` if there is no `down` (a jump), and b too.  Words like
    "say 3, left" carry a message: a and b step through the messages, which stay said.
    """

    _MOVES = ("up", "down", "left", "right", "fire")

    def __init__(self, names: Sequence[str], *, start: int = 0) -> None:
        self._start = start
        self._parts = [frozenset(part for part in self._MOVES if part in name.split()) for name in names]
        self._messages = [_message(name) for name in names]
        self._said = 0
        self._idle = names.index(NOOP) if NOOP in names else 0
        known = frozenset().union(*self._parts)
        self._aliases = {"a": "fire", "b": "fire"}
        if "fire" not in known and "down" not in known:
            self._aliases = {"a": "up", "b": "up"}

    @property
    def said(self) -> int:
        """The message that is said now; 0 in games without messages."""
        return self._said

    def press(self, control: str) -> None:
        by = {"a": 1, "b": -1}.get(control, 0)
        last = max(self._messages)
        if last > 0 and by:
            self._said = (self._said + by) % (last + 1)

    def action(self, controls: Sequence[str], axes: Mapping[str, float], mask: ActionMask | None) -> Action:
        held = {self._aliases.get(control, control): place for place, control in enumerate(controls)}
        best, best_rank = self._idle_under(mask), (-1, -1)
        for index, parts in enumerate(self._parts):
            fits = parts <= held.keys() and self._messages[index] in (-1, self._said)
            if fits and (parts or self._says(index)) and (mask is None or mask[index]):
                rank = (len(parts), max((held[part] for part in parts), default=-1))
                if rank > best_rank:
                    best, best_rank = index, rank
        return self._start + best

    def _says(self, index: int) -> bool:
        return self._messages[index] >= 0

    def _idle_under(self, mask: ActionMask | None) -> int:
        if mask is None or mask[self._idle] or not np.any(mask):
            return self._idle
        return int(np.flatnonzero(mask)[0])


class NumberMap(ActionMap):
    """Discrete actions without words: left, right, up and down step through the numbers; the one reached is sent."""

    def __init__(self, count: int, *, start: int = 0) -> None:
        self._count, self._start = count, start
        self.cursor = 0

    def press(self, control: str) -> None:
        by = {"left": -1, "up": -1, "b": -1, "right": 1, "down": 1, "a": 1}.get(control, 0)
        self.cursor = (self.cursor + by) % self._count

    def action(self, controls: Sequence[str], axes: Mapping[str, float], mask: ActionMask | None) -> Action:
        legal = np.flatnonzero(mask) if mask is not None and np.any(mask) else np.arange(self._count)
        nearest = int(legal[np.argmin(np.abs(legal - self.cursor))])
        return self._start + nearest


class BoxMap(ActionMap):
    """Continuous actions from sticks: right and up are positive, full deflection reaches the bound.

    One number: up and down, or right and left, whichever is further out.  More: left stick x and y, right stick x
    and y, the triggers.  Keys and the cross deflect fully; a and b stand for the right stick's x, x and y for its y.
    """

    # entry of the action → (axis, its sign, control for +, control for -)
    _ENTRIES = (
        ("x", 1, "right", "left"),
        ("y", -1, "up", "down"),
        ("rx", 1, "a", "b"),
        ("ry", -1, "x", "y"),
        ("rt", 1, "r", ""),
        ("lt", 1, "l", ""),
    )

    def __init__(self, space: Any) -> None:
        self._space = space
        self._low = np.where(np.isfinite(space.low), space.low, -1.0).astype(float).ravel()
        self._high = np.where(np.isfinite(space.high), space.high, 1.0).astype(float).ravel()

    def action(self, controls: Sequence[str], axes: Mapping[str, float], mask: ActionMask | None) -> Action:
        reach = [_reach(entry, controls, axes) for entry in self._ENTRIES]
        if len(self._low) == 1:
            reach = [max(reach[1], reach[0], key=abs)]
        values = np.zeros(len(self._low))
        count = min(len(values), len(reach))
        values[:count] = reach[:count]
        scaled = np.clip(np.where(values >= 0, values * self._high, values * -self._low), self._low, self._high)
        return scaled.reshape(self._space.shape).astype(self._space.dtype)


class SwitchMap(ActionMap):
    """MultiBinary and MultiDiscrete: one control an entry, in the order of `_ORDER`; held is the highest value.

    The first two entries of a MultiDiscrete with three values or more are left and right, then up and down: 0 for
    neither, 1 and 2 for the two.
    """

    _ORDER = ("a", "b", "x", "y", "up", "down", "left", "right", "l", "r")

    def __init__(self, space: Any) -> None:
        self._shape, self._dtype = space.shape, space.dtype
        counts = getattr(space, "nvec", None)
        self._counts = np.full(space.shape, 2).ravel() if counts is None else np.asarray(counts).ravel()

    def action(self, controls: Sequence[str], axes: Mapping[str, float], mask: ActionMask | None) -> Action:
        pairs = [("left", "right"), ("up", "down")]
        buttons = iter(self._ORDER)
        values = np.zeros(len(self._counts), int)
        for entry, count in enumerate(self._counts):
            if count >= 3 and pairs:
                low, high = pairs.pop(0)
                values[entry] = 1 if low in controls else 2 if high in controls else 0
            else:
                values[entry] = (count - 1) * (next(buttons, "") in controls)
        return values.reshape(self._shape).astype(self._dtype)


def make_action_map(space: Any, names: Sequence[str] = ()) -> ActionMap:
    """The map for an action space (gymnasium's) with the words of its actions, where they are known."""
    if hasattr(space, "low"):
        return BoxMap(space)
    if hasattr(space, "nvec") or not hasattr(space, "start"):
        return SwitchMap(space)
    moves = {word for name in names for word in name.split()} & set(ChordMap._MOVES)
    if len(names) == space.n and moves:
        return ChordMap(names, start=int(space.start))
    return NumberMap(int(space.n), start=int(space.start))


def _message(name: str) -> int:
    word = name.partition(",")[0].split()
    return int(word[1]) if len(word) == 2 and word[0] == "say" else -1


def _reach(entry: tuple[str, int, str, str], controls: Sequence[str], axes: Mapping[str, float]) -> float:
    axis, sign, plus, minus = entry
    return sign * axes.get(axis, 0.0) or float((plus in controls) - (minus in controls))
