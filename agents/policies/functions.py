"""FunctionBatch: Python functions as policies: games' scripted players, and any ``module:function``."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from agents.seats.controller import Action, ActionMask, ControllerError, Insight, SeatSpec
from agents.spaces import conform, idle_action

Function = Callable[..., Action]
"""(observation), (observation, action_mask) or (observation, action_mask, rng) -> action; `action_mask` is None where
all is legal, `rng` a numpy Generator of the seat's own, seeded anew for each episode.

A class that remembers an episode is made for each one, as ``Player(seat, rng)`` with its SeatSpec; its object is called
as (observation, action_mask) -> action.  Its `obs_type` names the observations that it wants, see `Controller`."""

VectorFunction = Callable[[Array, Masks, SeatDraws], Array]
"""(observations (B, *shape), masks int8 (B, n) or None, draws) -> actions (B, *action shape)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An action with the insight into it, which a function may return instead of the action alone."""

    action: int
    insight: Insight


class FunctionBatch(SeatBySeatPolicy):
    """Plays what ``function(observation, action_mask, rng)`` returns.

    Raises ControllerError, naming the function, where it raises or returns no legal action.
    """

    def __init__(self, function: Function, places: Sequence[SeatSpec], *, label: str = "") -> None:
        self.label = label or getattr(function, "__name__", "function")
        super().__init__(places)
        self._function, self.obs_type = function, obs_type_of(function)
        self._arguments = 2 if is_class(function) else argument_count(function)

    def _start(self, place: SeatSpec, seed: int) -> Decide:
        function, arguments = self._function, self._arguments
        rng = np.random.default_rng(seed) if arguments == 3 or is_class(function) else None
        if is_class(function):
            function = self._called(function, place, rng)

        def decide(observation: Any, mask: ActionMask | None) -> Action:
            if observation is None:  # it took the seat in mid-turn, see Controller.obs_type
                return idle_action(place.action_space, mask)
            answer = self._called(function, *(observation, mask, rng)[:arguments])
            try:
                return conform(answer, place.action_space, mask)
            except ValueError as error:
                raise ControllerError(f"{self.label} for {place.agent!r}: {error}") from None

        return decide

    def _called(self, function: Function, *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except (Exception, SystemExit) as error:
            raise ControllerError(f"{self.label} failed: {type(error).__name__}: {error}") from error


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
        self.obs_type = obs_type_of(function)


def obs_type_of(function: Function) -> str:
    """The observations that a class, or a partial of one, decides from; "" for the env's own."""
    return str(getattr(getattr(function, "func", function), "obs_type", ""))


def is_class(function: Function) -> bool:
    """Whether it is a class whose objects play one episode each, or a partial of one."""
    return isinstance(getattr(function, "func", function), type)


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
        text = f"expected to import {module_name!r} of python:{word}, got: {type(error).__name__}: {error}"
        raise ControllerError(text, code="not_installed" if isinstance(error, ImportError) else "invalid") from error
    function = getattr(module, name, None)
    if not callable(function):
        there = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        known = ", ".join(there[:20]) or "none"
        raise ControllerError(f"expected a function of {module_name!r} (it has {known}), got: {name!r}")
    return function  # type: ignore[no-any-return]
