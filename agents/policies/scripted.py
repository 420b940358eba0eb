"""Controllers that need no learning: at random, idle, or any Python function."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium import spaces

from agents.seats.controller import Action, ActionMask, Controller, ControllerError, SeatSpec, Turn
from agents.spaces import conform, idle_action

__all__ = ["FunctionController", "IdleController", "RandomController", "idle_action", "load_function"]

Function = Callable[[Any, ActionMask | None, np.random.Generator], Action]
"""(observation, action_mask or None, rng) -> action."""

_BLOCK = 4096  # draws made at once: a draw of its own costs microseconds, an item of a block tens of nanoseconds


class RandomController(Controller):
    """Draws evenly from the legal actions."""

    label = kind = "random"

    def __init__(self) -> None:
        self._action: Action | None = None
        self._draw: Callable[[], Action] = _unready
        self._shares: Callable[[], float] = _unready
        self._start = 0

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        self._action = None
        self._draw = _sampler(seat.action_space, seed)
        self._shares = _shares(np.random.default_rng(seed)).__next__
        self._start = int(getattr(seat.action_space, "start", 0)) if _is_discrete(seat.action_space) else 0

    def observe(self, turn: Turn) -> None:
        mask = turn.action_mask
        if mask is None:
            self._action = self._draw()
        else:
            self._action = self._draw_legal(mask)

    def _draw_legal(self, mask: ActionMask) -> Action:
        for _ in range(4):  # even over the legal ones, and faster than listing them while many are
            action = self._draw()
            if mask[action - self._start]:
                return action
        legal = mask.nonzero()[0]
        return self._start + int(legal[int(self._shares() * len(legal))]) if len(legal) else self._start

    def act(self) -> Action | None:
        return self._action


def _unready() -> Any:
    raise ControllerError("expected reset(seat, seed=...) before the first turn, got none")


def _is_discrete(space: Any) -> bool:
    return isinstance(space, spaces.Discrete)


def _sampler(space: Any, seed: int) -> Callable[[], Action]:
    if _is_discrete(space):
        return _integers(space, np.random.default_rng(seed)).__next__
    if isinstance(space, spaces.Box) and space.dtype == np.float32 and space.is_bounded():
        return _points(space, np.random.default_rng(seed)).__next__
    own = deepcopy(space)
    own.seed(seed)
    return own.sample  # type: ignore[no-any-return]


def _integers(space: Any, rng: np.random.Generator) -> Iterator[int]:
    while True:
        yield from rng.integers(space.start, space.start + space.n, _BLOCK).tolist()


def _points(space: Any, rng: np.random.Generator) -> Iterator[np.ndarray]:
    while True:
        shares = rng.random((_BLOCK // 16, *space.shape), dtype=np.float32)
        yield from space.low + shares * (space.high - space.low)


def _shares(rng: np.random.Generator) -> Iterator[float]:
    while True:
        yield from rng.random(_BLOCK).tolist()


class IdleController(Controller):
    """Does nothing, or the first legal thing where doing nothing is not allowed."""

    label = kind = "idle"

    def __init__(self) -> None:
        self._space: Any = None
        self._idle: Action | None = None
        self._action: Action | None = None

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        self._space, self._idle, self._action = seat.action_space, idle_action(seat.action_space), None

    def observe(self, turn: Turn) -> None:
        mask = turn.action_mask
        self._action = self._idle if mask is None else idle_action(self._space, mask)

    def act(self) -> Action | None:
        return self._action


class FunctionController(Controller):
    """Plays what ``function(observation, action_mask, rng)`` returns.

    `rng` is a numpy Generator seeded afresh for each episode; action_mask is None where the game has none.
    Raises ControllerError, naming the function, where it raises or returns what is no legal action.
    """

    def __init__(self, function: Function, *, label: str = "") -> None:
        self._function = function
        self._name = label or getattr(function, "__qualname__", repr(function))
        self.label = label or getattr(function, "__name__", "function")
        self._turn: Turn | None = None
        self._action: Action | None = None
        self._seat: SeatSpec | None = None
        self._rng = np.random.default_rng(0)

    @classmethod
    def from_word(cls, word: str) -> FunctionController:
        """A controller that plays ``module:function``; raises ControllerError where there is none such."""
        return cls(load_function(word), label=word)

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        self._seat, self._turn, self._action = seat, None, None
        self._rng = np.random.default_rng(seed)

    def observe(self, turn: Turn) -> None:
        self._turn, self._action = turn, None

    def act(self) -> Action | None:
        if self._action is None and self._turn is not None:
            self._action = self._decide(self._turn)
        return self._action

    def _decide(self, turn: Turn) -> Action:
        if self._seat is None:
            _unready()
        assert self._seat is not None
        try:
            answer = self._function(turn.observation, turn.action_mask, self._rng)
        except (Exception, SystemExit) as error:
            reason = f"{type(error).__name__}: {error}"
            raise ControllerError(f"expected an action from {self._name}, got: {reason}") from error
        try:
            return conform(answer, self._seat.action_space, turn.action_mask)
        except ValueError as error:
            raise ControllerError(f"{self._name} for {turn.agent!r} at tick {turn.tick}: {error}") from None


def load_function(word: str) -> Function:
    """The function that ``module:function`` names, the current folder included in the search."""
    module_name, _, name = word.partition(":")
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.append(os.getcwd())  # the installed command starts without the folder one stands in
    try:
        module = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:  # a program that begins at once may end at once
        reason = f"{type(error).__name__}: {error}"
        raise ControllerError(f"expected to import {module_name!r} of python:{word}, got: {reason}") from error
    function = getattr(module, name, None)
    if not callable(function):
        there = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        known = ", ".join(there[:20]) or "none"
        raise ControllerError(f"expected a function of {module_name!r} (it has {known}), got: {name!r}")
    return function  # type: ignore[no-any-return]
