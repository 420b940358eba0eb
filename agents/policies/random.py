"""Random play: an even draw from the legal actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium import spaces

from agents.policies.adapters import PolicyController
from agents.policies.batch import SeatBySeatPolicy, Seats, Seeds
from agents.seats.controller import Action, ActionMask, SeatSpec

_BLOCK = 256  # draws made at once: a draw of its own costs microseconds, an item of a block tens of nanoseconds


class RandomBatch(SeatBySeatPolicy):
    """Draws evenly from the legal actions."""

    label = "random"

    def __init__(self, places: Sequence[SeatSpec]) -> None:
        super().__init__(places)
        self._seeds: dict[int, int] = {}
        self._dice: dict[int, _Dice] = {}

    def begin(self, seats: Seats, seeds: Seeds) -> None:
        for seat, seed in zip(seats.tolist(), seeds, strict=True):
            self._seeds[seat] = int(seed)
            self._dice.pop(seat, None)

    def act_one(self, seat: int, observation: Any, mask: ActionMask | None) -> Action:
        dice = self._dice.get(seat)
        if dice is None:
            dice = self._dice[seat] = _Dice(self._place(seat).action_space, self._seeds[seat])
        return dice.draw() if mask is None else dice.draw_legal(mask)


class RandomController(PolicyController):
    """One live seat that plays at random."""

    label = kind = "random"

    def __init__(self) -> None:
        super().__init__(lambda seat: RandomBatch([seat]))


class _Dice:
    """The draws of one seat in one episode."""

    def __init__(self, space: Any, seed: int) -> None:
        self.draw = _sampler(space, seed)
        rng = np.random.default_rng(seed)
        self._shares = _repeat(lambda: rng.random(_BLOCK).tolist())
        self._start = int(space.start) if isinstance(space, spaces.Discrete) else 0

    def draw_legal(self, mask: ActionMask) -> Action:
        for _ in range(4):  # even over the legal ones, and faster than listing them while many are
            action = self.draw()
            if mask[action - self._start]:
                return action
        legal = mask.nonzero()[0]
        return self._start + int(legal[int(next(self._shares) * len(legal))]) if len(legal) else self._start


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
