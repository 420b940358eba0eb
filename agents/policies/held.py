"""HeldActions: the rules that a policy was trained by, followed in any match: frame skip and sticky actions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.policies.batch import Array, BatchPolicy, Masks, SeatGenerators, Seats, Seeds, grown

STICKY_SEED = 0x5EED
"""Combined with the seat's seed, so that sticky actions change none of the policy's own draws."""


class HeldActions:
    """Which seats decide at a turn, and what the others repeat.

    A policy trained with frame skip n decides at every n-th tick, and its seat repeats the action in between; with
    sticky actions its seat repeats, by chance, the last action instead of a new one (Machado et al. 2018, arXiv
    1709.06009).  An action that became illegal is not repeated.  The caller's loop::

        due = held.due(seats, masks)                    # bool (B,)
        actions = held.play(seats, due, decide(seats[due]))
    """

    def __init__(self, *, frame_skip: int = 1, sticky_actions: float = 0.0, start: int = 0) -> None:
        self._draws = SeatGenerators()
        self._left = np.zeros(0, np.int64)  # ticks until the seat decides
        self._last = np.zeros(0)  # its newest action, (seats, *action shape)
        self._has_last = np.zeros(0, np.bool_)
        self.follow(frame_skip=frame_skip, sticky_actions=sticky_actions, start=start)

    def follow(self, *, frame_skip: int, sticky_actions: float, start: int) -> None:
        """Follow other rules from now on; every seat decides at its next turn.  `start` is the smallest action."""
        self._skip, self._chance, self._start = frame_skip, sticky_actions, start
        self._left[:] = 0

    @property
    def any(self) -> bool:
        """Whether there are rules: otherwise each seat decides at each turn."""
        return self._skip > 1 or self._chance > 0

    def begin(self, seats: Seats, seeds: Seeds) -> None:
        """Begin episodes on `seats`: they decide at their first turn."""
        needed = int(seats.max(initial=-1)) + 1
        self._left, self._has_last = grown(self._left, needed), grown(self._has_last, needed)
        self._left[seats], self._has_last[seats] = 0, False
        self._draws.begin(seats, np.asarray(seeds).astype(np.uint64) ^ np.uint64(STICKY_SEED))

    def due(self, seats: Seats, masks: Masks, *, ticks: int = 1) -> NDArray[np.bool_]:
        """(B,): the seats that decide now, `ticks` after their last turn."""
        self._left[seats] = np.maximum(0, self._left[seats] - ticks)
        due = np.asarray((self._left[seats] == 0) | ~self._has_last[seats], np.bool_)
        if masks is not None and not due.all():
            held = np.flatnonzero(~due)
            due[held] = masks[held, self._last[seats[held]].astype(np.intp) - self._start] == 0
        return due

    def play(self, seats: Seats, due: NDArray[np.bool_], drawn: Array) -> Array:
        """The actions (B, …) of `seats`; those that are `due` drew new ones, (due, …)."""
        own = seats[due]
        if len(own):
            self._keep(own, self._stick(own, drawn))
        return self._last[seats]

    def _stick(self, seats: Seats, drawn: Array) -> Array:
        if not self._chance or not self._has_last[seats].any():
            return drawn
        sticks = (self._draws.numbers(seats) < self._chance) & self._has_last[seats]
        return np.where(sticks.reshape(-1, *[1] * (drawn.ndim - 1)), self._last[seats], drawn)

    def _keep(self, seats: Seats, actions: Array) -> None:
        if self._last.shape[1:] != actions.shape[1:] or self._last.dtype != actions.dtype:
            self._last = np.zeros((0, *actions.shape[1:]), actions.dtype)
        self._last = grown(self._last, len(self._left))
        self._last[seats], self._has_last[seats], self._left[seats] = actions, True, self._skip


class HeldBatch(BatchPolicy):
    """Another batch policy that follows rules in an env without them."""

    def __init__(self, policy: BatchPolicy, held: HeldActions) -> None:
        self._policy, self._held, self.label = policy, held, policy.label

    def begin(self, seats: Seats, seeds: Seeds) -> None:
        self._policy.begin(seats, seeds)
        self._held.begin(seats, seeds)

    def act(self, seats: Seats, observations: Array, masks: Masks) -> Array:
        due = self._held.due(seats, masks)
        drawn = np.zeros(0)
        if due.any():
            drawn = self._policy.act(seats[due], observations[due], None if masks is None else masks[due])
        return self._held.play(seats, due, drawn)

    def close(self) -> None:
        self._policy.close()
