"""Random play: an even draw from the legal actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium import spaces

from agents.policies.adapters import PolicyController
from agents.policies.batch import Array, BatchPolicy, Masks, Seats, Seeds
from agents.seats.controller import Action, ActionMask, SeatSpec

_BLOCK = 256  # draws made at once: a draw of its own costs microseconds, an item of a block tens of nanoseconds


class RandomBatch(BatchPolicy):
    """Draws evenly from the legal actions; `places` are the places of a match."""

    label = "random"

    def __init__(self, places: Sequence[SeatSpec]) -> None:
        self._places = places
        self._seeds: dict[int, int] = {}
        self._dice: dict[int, _Dice] = {}

    def begin(self, seats: Seats, seeds: Seeds) -> None:
        for seat, seed in zip(seats.tolist(), seeds, strict=True):
            self._seeds[seat] = int(seed)
            self._dice.pop(seat, None)

    def act(self, seats: Seats, observations: Array, masks: Masks) -> Array:
        rows: Sequence[ActionMask | None] = [None] * len(seats) if masks is None else list(masks)
        drawn = [self.act_one(seat, None, mask) for seat, mask in zip(seats.tolist(), rows, strict=True)]
        space = self._places[int(seats[0]) % len(self._places)].action_space
        return np.array(drawn, space.dtype).reshape(len(seats), *space.shape)

    def act_one(self, seat: int, observation: Any, mask: ActionMask | None) -> Action:
        dice = self._dice.get(seat)
        if dice is None:
            space = self._places[seat % len(self._places)].action_space
            dice = self._dice[seat] = _Dice(space, self._seeds[seat])
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
        self._shares = _shares(np.random.default_rng(seed))
        self._start = int(space.start) if isinstance(space, spaces.Discrete) else 0

    def draw_legal(self, mask: ActionMask) -> Action:
        for _ in range(4):  # even over the legal ones, and faster than listing them while many are
            action = self.draw()
            if mask[action - self._start]:
                return action
        legal = mask.nonzero()[0]
        return self._start + int(legal[int(next(self._shares) * len(legal))]) if len(legal) else self._start


def _sampler(space: Any, seed: int) -> Callable[[], Action]:
    if isinstance(space, spaces.Discrete):
        return _integers(space, np.random.default_rng(seed)).__next__
    if isinstance(space, spaces.Box) and space.dtype == np.float32 and space.is_bounded():
        return _points(space, np.random.default_rng(seed)).__next__
    own = deepcopy(space)
    own.seed(seed)
    return own.sample  # type: ignore[no-any-return]


def _integers(space: spaces.Discrete[Any], rng: np.random.Generator) -> Iterator[int]:
    start, end = int(space.start), int(space.start) + int(space.n)
    while True:
        yield from rng.integers(start, end, _BLOCK).tolist()


def _points(space: spaces.Box, rng: np.random.Generator) -> Iterator[np.ndarray]:
    while True:
        shares = rng.random((_BLOCK, *space.shape), dtype=np.float32)
        yield from space.low + shares * (space.high - space.low)


def _shares(rng: np.random.Generator) -> Iterator[float]:
    while True:
        yield from rng.random(_BLOCK).tolist()
