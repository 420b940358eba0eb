"""Random and idle policies: a uniform draw from the legal actions, or no-op."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium import spaces

from agents.policies.adapters import PolicyController
from agents.policies.batch import Decide, SeatBySeatPolicy
from agents.seats.controller import Action, ActionMask, SeatSpec
from agents.spaces import idle_action

_BLOCK = 256  # draws made at once: a draw of its own costs microseconds, an item of a block tens of nanoseconds


class RandomBatch(SeatBySeatPolicy):
    """Draws evenly from the legal actions."""

    label = "random"

    def _start(self, place: SeatSpec, seed: int) -> Decide:
        space, rng = place.action_space, np.random.default_rng(seed)
        draw = _sampler(space, seed)
        shares = _repeat(lambda: rng.random(_BLOCK).tolist())
        start = int(space.start) if isinstance(space, spaces.Discrete) else 0

        def decide(observation: Any, mask: ActionMask | None) -> Action:
            if mask is None:
                return draw()
            for _ in range(4):  # even over the legal ones, and faster than listing them while many are
                action = draw()
                if mask[action - start]:
                    return action
            legal = mask.nonzero()[0]
            return start + int(legal[int(next(shares) * len(legal))]) if len(legal) else start

        return decide


class RandomController(PolicyController):
    """One live seat that plays at random."""

    label = kind = "random"

    def __init__(self) -> None:
        super().__init__(lambda seat: RandomBatch([seat]))


class IdleBatch(SeatBySeatPolicy):
    """Does nothing, or takes the first legal action where doing nothing is illegal."""

    label = "idle"

    def _start(self, place: SeatSpec, seed: int) -> Decide:
        idle = idle_action(place.action_space)
        return lambda observation, mask: idle if mask is None else idle_action(place.action_space, mask)


class IdleController(PolicyController):
    """One live seat that does nothing."""

    label = kind = "idle"

    def __init__(self) -> None:
        super().__init__(lambda seat: IdleBatch([seat]))


def _sampler(space: Any, seed: int) -> Callable[[], Action]:
    rng = np.random.default_rng(seed)
    if isinstance(space, spaces.Discrete):
        start, end = int(space.start), int(space.start) + int(space.n)
        return _repeat(lambda: rng.integers(start, end, _BLOCK).tolist()).__next__
    if isinstance(space, spaces.Box) and space.dtype == np.float32 and space.is_bounded():
        shape, width = (_BLOCK, *space.shape), space.high - space.low
        return _repeat(lambda: space.low + rng.random(shape, dtype=np.float32) * width).__next__
    own = deepcopy(space)
    own.seed(seed)
    return own.sample  # type: ignore[no-any-return]


def _repeat(draw_block: Callable[[], Iterable[Any]]) -> Iterator[Any]:
    while True:
        yield from draw_block()
