"""Adapters: a batch policy as the controller of a live seat, and controllers as a batch policy."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from agents.policies.batch import Array, BatchPolicy, Decide, Masks, Seats, Seeds, as_batch, mask_rows, place_of
from agents.seats.controller import Action, ActionMask, AgentID, Controller, ControllerError, SeatSpec, Turn
from agents.spaces import conform

PATIENCE = 2.0
"""Seconds for one decision of all controllers of a batch, unless one needs more."""

_SEAT = np.zeros(1, np.intp)


class PolicyController(Controller):
    """One live seat that a batch policy decides for; `make_policy` makes it for the seat at the first `reset`."""

    def __init__(self, make_policy: Callable[[SeatSpec], BatchPolicy], *, label: str = "", obs_type: str = "") -> None:
        self.label, self.obs_type = label or self.label, obs_type
        self._make_policy = make_policy
        self._policy: BatchPolicy | None = None
        self._seat: SeatSpec | None = None
        self._decide: Decide | None = None
        self._turn: Turn | None = None
        self._action: Action | None = None

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        if self._policy is None or seat != self._seat:
            self.close()
            self._policy, self._seat = self._make_policy(seat), seat
        self._policy.begin(_SEAT, [seed])
        self._decide = self._turn = self._action = None

    def observe(self, turn: Turn) -> None:
        self._turn, self._action = turn, None

    def act(self) -> Action | None:
        if self._action is None and self._turn is not None:
            turn, decide = self._turn, self._decide or self._decider()
            try:
                self._action = decide(turn.observation, turn.action_mask)
            except ControllerError as error:
                raise ControllerError(f"{error} (at tick {turn.tick})") from error
        return self._action

    def close(self) -> None:
        if self._policy is not None:
            self._policy.close()
        self._policy = self._decide = None

    def _decider(self) -> Decide:
        if self._policy is None:
            raise ControllerError("expected reset(seat, seed=...) before the first turn, got none")
        self._decide = self._policy.decider(0)
        return self._decide


class ControllerBatch(BatchPolicy):
    """A controller for each seat that acts: all of them observe, then all answers are awaited.

    The ticks of turns are a step of the place's frame skip apart, and they carry no rewards.  Raises ControllerError
    where a controller fails, does not answer in time, or answers with an illegal action.
    """

    def __init__(
        self, make: Callable[[SeatSpec], Controller], places: Sequence[SeatSpec], *, label: str, obs_type: str = ""
    ) -> None:
        self.label, self.obs_type, self._make, self._places = label, obs_type, make, places
        self._seeds: dict[int, int] = {}
        self._used: dict[int, tuple[Controller, int]] = {}  # seat to its controller and its next tick
        self._free: dict[AgentID, list[Controller]] = {}

    def begin(self, seats: Seats, seeds: Seeds) -> None:
        for seat, seed in zip(seats.tolist(), seeds, strict=True):
            self._seeds[seat] = int(seed)
            if seat in self._used:
                controller, _ = self._used.pop(seat)
                controller.finish(0.0, terminated=True)
                self._free.setdefault(place_of(seat, self._places).agent, []).append(controller)

    def act(self, seats: Seats, observations: Array, masks: Masks) -> Array:
        rows = mask_rows(seats, masks)
        asked = [self._observe(*row) for row in zip(seats.tolist(), observations, rows, strict=True)]
        space = place_of(int(seats[0]), self._places).action_space
        try:
            answers = [conform(answer, space, mask) for answer, mask in zip(wait_for(asked), rows, strict=True)]
        except ValueError as error:
            raise ControllerError(f"{self.label}: {error}") from None
        return as_batch(answers, space)

    def _observe(self, seat: int, observation: Any, mask: ActionMask | None) -> Controller:
        controller, tick = self._used.get(seat) or self._fill_seat(seat)
        place = place_of(seat, self._places)
        self._used[seat] = controller, tick + place.frame_skip
        controller.observe(Turn(place.agent, tick, observation, mask))
        return controller

    def close(self) -> None:
        for controller in [own for own, _ in self._used.values()] + [c for free in self._free.values() for c in free]:
            controller.close()
        self._used, self._free = {}, {}

    def _fill_seat(self, seat: int) -> tuple[Controller, int]:
        place = place_of(seat, self._places)
        free = self._free.get(place.agent)
        controller = free.pop() if free else self._make(place)
        if controller.obs_type != self.obs_type:
            raise ControllerError(f"expected a player by the env's own observations, got {self.label}")
        controller.reset(place, seed=self._seeds[seat])
        if controller.other_types:  # which turns do not have here
            controller.reset(replace(place, other_spaces={}), seed=self._seeds[seat])
        return controller, 0


def wait_for(controllers: Sequence[Controller]) -> list[Any]:
    """The answer of each controller to its newest turn; raises ControllerError where one is too late."""
    answers = [controller.act() for controller in controllers]
    patience = max([PATIENCE, *(controller.patience + PATIENCE for controller in controllers if controller.patience)])
    end = time.monotonic() + patience
    while waiting := [i for i, answer in enumerate(answers) if answer is None]:
        if time.monotonic() > end:
            label = controllers[waiting[0]].label
            raise ControllerError(f"expected {label} to answer within {patience:g} s, got nothing")
        time.sleep(2e-4)
        for i in waiting:
            answers[i] = controllers[i].act()
    return answers
