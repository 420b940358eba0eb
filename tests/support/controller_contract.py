"""The controller contract as a check for your own controller::

check_controller(lambda: MyController(), seat)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from agents.seats.controller import ActionMask, Controller, SeatSpec, Turn
from agents.spaces import conform

Wait = Callable[[], None]
"""Called while `act` has no answer, as a match would draw a frame."""


class ContractError(AssertionError):
    """The controller broke the contract; the message says how."""


def check_controller(
    make_controller: Callable[[], Controller],
    seat: SeatSpec,
    *,
    turns: int = 20,
    masked: bool = False,
    repeatable: bool = True,
    wait: Wait = lambda: None,
    patience: float = 60.0,
) -> None:
    """Play two episodes with the same seed and one with another; raises ContractError for a broken contract.

    With `masked` every turn forbids some actions.  `repeatable` expects the same actions from the same seed.
    `patience` is the number of seconds that an answer may take.
    """
    controller = make_controller()
    _expect(isinstance(controller, Controller), "a subclass of Controller", controller)
    _expect(isinstance(controller.label, str) and bool(controller.label), "a label for people", controller.label)
    try:
        played = [_episode(controller, seat, seed, turns, masked, wait, patience) for seed in (7, 7, 8)]
    finally:
        controller.close()
        controller.close()  # twice does no harm
    if repeatable:
        same = all(np.array_equal(one, two) for one, two in zip(played[0], played[1], strict=True))
        _expect(same, "the same actions from the same seed and turns", "others")


def _episode(
    controller: Controller, seat: SeatSpec, seed: int, turns: int, masked: bool, wait: Wait, patience: float
) -> list[Any]:
    controller.reset(seat, seed=seed)
    _expect(controller.act() is None, "None from act before the first turn", "an action")
    rng, space = np.random.default_rng(seed), seat.observation_space
    actions = []
    for tick in range(turns):
        turn = Turn(seat.agent, tick, rng.random(space.shape).astype(space.dtype), _mask(seat, rng, masked))
        before = np.array(turn.observation, copy=True)
        controller.observe(turn)
        action = _answer(controller, wait, patience)
        try:
            conform(action, seat.action_space, turn.action_mask)
        except ValueError as error:
            raise ContractError(str(error)) from error
        _expect(np.array_equal(before, turn.observation), "an observation that is left as it was", "a changed one")
        again: Any = controller.act()
        _expect(np.array_equal(action, again), "the same answer when asked again", again)
        actions.append(action)
    controller.finish(1.0, terminated=True)
    return actions


def _answer(controller: Controller, wait: Wait, patience: float) -> Any:
    end = time.monotonic() + patience
    while (action := controller.act()) is None:
        _expect(time.monotonic() < end, f"an answer within {patience} s", "None")
        wait()
    return action


def _mask(seat: SeatSpec, rng: np.random.Generator, masked: bool) -> ActionMask | None:
    if not masked:
        return None
    mask = rng.integers(0, 2, int(seat.action_space.n)).astype(np.int8)
    mask[int(rng.integers(len(mask)))] = 1
    return mask


def _expect(kept: bool, what: str, got: object) -> None:
    if not kept:
        raise ContractError(f"expected {what}, got: {got!r}")
