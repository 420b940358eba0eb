"""Code as policies: a game's own player, as a function or a ScriptedPlayer, and any ``module:function``."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agents.policies.adapters import PolicyController
from agents.policies.batch import (
    Array,
    BatchPolicy,
    Decide,
    Masks,
    SeatBySeatPolicy,
    SeatDraws,
    SeatGenerators,
    Seats,
    Seeds,
)
from agents.seats.controller import Action, ActionMask, ControllerError, SeatSpec
from agents.spaces import conform, idle_action

Function = Callable[..., Action]
"""(observation), (observation, action_mask) or (observation, action_mask, rng) -> action; `action_mask` is None where
all is legal, `rng` a numpy Generator of the seat's own, seeded anew for each episode."""

VectorFunction = Callable[[Array, Masks, SeatDraws], Array]
"""(observations (B, *shape), masks int8 (B, n) or None, draws) -> actions (B, *action shape)."""


class FunctionBatch(SeatBySeatPolicy):
    """Plays what ``function(observation, action_mask, rng)`` returns.

    Raises ControllerError, naming the function, where it raises or returns no legal action.
    """

    def __init__(self, function: Function, places: Sequence[SeatSpec], *, label: str = "") -> None:
        self.label = label or getattr(function, "__name__", "function")
        super().__init__(places)
        self._function, self._arguments = function, argument_count(function)

    def _start(self, place: SeatSpec, seed: int) -> Decide:
        rng = np.random.default_rng(seed) if self._arguments == 3 else None

        def decide(observation: Any, mask: ActionMask | None) -> Action:
            try:
                answer = self._function(*(observation, mask, rng)[: self._arguments])
            except (Exception, SystemExit) as error:
                raise ControllerError(f"{self.label} failed: {type(error).__name__}: {error}") from error
            try:
                return conform(answer, place.action_space, mask)
            except ValueError as error:
                raise ControllerError(f"{self.label} for {place.agent!r}: {error}") from None

        return decide


class VectorBatch(BatchPolicy):
    """Plays the actions of a function of batches; raises ControllerError where it fails or an action is illegal."""

    def __init__(self, function: VectorFunction, *, label: str = "function") -> None:
        self.label = label
        self._function = function
        self._draws = SeatGenerators()

    def begin(self, seats: Seats, seeds: Seeds) -> None:
        self._draws.begin(seats, seeds)

    def act(self, seats: Seats, observations: Array, masks: Masks) -> Array:
        try:
            actions = self._function(observations, masks, self._draws.of(seats))
        except Exception as error:
            raise ControllerError(f"{self.label} failed: {type(error).__name__}: {error}") from error
        if masks is not None and not masks[np.arange(len(seats)), actions].all():
            raise ControllerError(f"expected legal actions from {self.label}, got others")
        return actions


class FunctionController(PolicyController):
    """One live seat that a function plays, as in FunctionBatch."""

    def __init__(self, function: Function, *, label: str = "") -> None:
        super().__init__(
            lambda seat: FunctionBatch(function, [seat], label=label),
            label=label or getattr(function, "__name__", "function"),
        )


def argument_count(function: Function) -> int:
    """How many of (observation, action_mask, rng) the function takes, all where it does not say."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 3
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return 3
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if not 1 <= len(places) <= 3:
        raise ControllerError(f"expected a function (observation, action_mask) -> action, got: {function!r}")
    return len(places)


def load_function(word: str) -> Function:
    """The function that ``module:function`` names, the current folder included in the search."""
    module_name, _, name = word.partition(":")
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.append(os.getcwd())  # the installed command does not search the current folder
    try:
        module = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:  # a script without a main guard may exit at once
        reason = f"{type(error).__name__}: {error}"
        raise ControllerError(f"expected to import {module_name!r} of python:{word}, got: {reason}") from error
    function = getattr(module, name, None)
    if not callable(function):
        there = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        known = ", ".join(there[:20]) or "none"
        raise ControllerError(f"expected a function of {module_name!r} (it has {known}), got: {name!r}")
    return function  # type: ignore[no-any-return]


class ScriptedPlayer(ABC):
    """A player of one game or a few, made once; `begin` starts an episode of one seat.

    The caller's loop::

        decide = player.begin(seat, np.random.default_rng(7), "hard")
        action = decide(observation, mask)                       # at every turn, as its `obs_type` has it
    """

    obs_type: str = ""
    """The observations that it decides from, of `GameSpec.obs_types`; "" for the env's own."""

    @abstractmethod
    def begin(self, seat: SeatSpec, rng: np.random.Generator, level: str) -> Decide:
        """The decisions of one episode; all chance comes from `rng`, `level` is one of `LEVELS`."""


class ScriptedBatch(SeatBySeatPolicy):
    """Plays what a ScriptedPlayer decides; raises ControllerError where it fails."""

    def __init__(self, player: ScriptedPlayer, level: str, places: Sequence[SeatSpec], *, label: str) -> None:
        super().__init__(places)
        self._player, self._level, self.label = player, level, label

    def _start(self, place: SeatSpec, seed: int) -> Decide:
        play = self._player.begin(place, np.random.default_rng(seed), self._level)

        def decide(observation: Any, mask: ActionMask | None) -> Action:
            if observation is None:  # it took the seat in mid-turn, see Controller.obs_type
                return idle_action(place.action_space, mask)
            try:
                return play(observation, mask)
            except Exception as error:
                raise ControllerError(f"{self.label} failed: {type(error).__name__}: {error}") from error

        return decide


class ScriptedController(PolicyController):
    """One live seat that a ScriptedPlayer has."""

    def __init__(self, player: ScriptedPlayer, level: str, *, label: str) -> None:
        super().__init__(lambda seat: ScriptedBatch(player, level, [seat], label=label), label=label)
        self.obs_type = player.obs_type


def load_player(word: str) -> ScriptedPlayer:
    """The player that ``module:name`` of a GameSpec names."""
    module, _, name = word.partition(":")
    player: ScriptedPlayer = getattr(importlib.import_module(module), name)
    return player
