"""HeldActions: the rules that a policy was trained by, followed in any match: frame skip and sticky actions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from agents.policies.batch import Array, BatchPolicy, Masks, SeatGenerators, Seats, Seeds, grown

STICKY_SEED = 0x5EED
"""Combined with the seat's seed, so that sticky actions change none of the policy's own draws."""

_AT_ONCE = np.iinfo(np.int64).min


class HeldActions:
    """Which seats decide at a turn, and what the others repeat.

    A policy trained with frame skip n decides at every n-th tick, and its seat repeats the action in between; with
    sticky actions its seat repeats, by chance, the last action instead of a new one (Machado et al. 2018, arXiv
    1709.06009).  An action that became illegal is not repeated.  The caller's loop::

        due = held.due(seats, masks)                    # bool (B,)
        actions = held.play(seats, due, decide(seats[due]))

    A match may have rules of its own.  With frame skip its turns are `step` ticks apart, unless `at` tells the ticks;
    where `sticks` is set, it repeats actions by chance, and nothing is repeated by chance here.
    """

    def __init__(
        self, *, frame_skip: int = 1, sticky_actions: float = 0.0, start: int = 0, step: int = 1, sticks: bool = False
    ) -> None:
        self.sticks, self._step = sticks, step
        self._draws = SeatGenerators()
        self._now = np.zeros(0, np.int64)  # the tick of the seat's newest turn
        self._until = np.zeros(0, np.int64)  # the tick at which it decides anew
        self._last = np.zeros(0)  # its newest action, (seats, *action shape)
        self._has_last = np.zeros(0, np.bool_)
        self.follow(frame_skip=frame_skip, sticky_actions=sticky_actions, start=start)

    def follow(self, *, frame_skip: int, sticky_actions: float, start: int) -> None:
        """Follow other rules from now on; every seat decides at its next turn.  `start` is the smallest action."""
        self._skip, self._chance, self._start = frame_skip, sticky_actions, start
        self._until[:] = _AT_ONCE

    @property
    def any(self) -> bool:
        """Whether there are rules: otherwise each seat decides at each turn."""
        return self._skip > 1 or (self._chance > 0 and not self.sticks)

    def begin(self, seats: Seats, seeds: Seeds) -> None:
        """Begin episodes on `seats`: they decide at their first turn."""
        needed = int(seats.max(initial=-1)) + 1
        self._now, self._until = grown(self._now, needed), grown(self._until, needed)
        self._has_last = grown(self._has_last, needed)
        self._now[seats], self._has_last[seats] = -self._step, False
        self._draws.begin(seats, np.asarray(seeds).astype(np.uint64) ^ np.uint64(STICKY_SEED))

    def at(self, seats: Seats, ticks: Sequence[int]) -> None:
        """The next turn of `seats` is at these ticks of their matches; after a step back they decide anew."""
        found = np.array(ticks, np.int64)
        self._until[seats[found < self._now[seats]]] = _AT_ONCE
        self._now[seats] = found - self._step

    def due(self, seats: Seats, masks: Masks) -> NDArray[np.bool_]:
        """(B,): the seats that decide now, at their next turn."""
        self._now[seats] += self._step
        due = np.asarray((self._now[seats] >= self._until[seats]) | ~self._has_last[seats], np.bool_)
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
        if not self._chance or self.sticks or not self._has_last[seats].any():
            return drawn
        sticks = (self._draws.numbers(seats) < self._chance) & self._has_last[seats]
        return np.where(sticks.reshape(-1, *[1] * (drawn.ndim - 1)), self._last[seats], drawn)

    def _keep(self, seats: Seats, actions: Array) -> None:
        if self._last.shape[1:] != actions.shape[1:] or self._last.dtype != actions.dtype:
            self._last = np.zeros((0, *actions.shape[1:]), actions.dtype)
        self._last = grown(self._last, len(self._now))
        self._last[seats], self._has_last[seats] = actions, True
        self._until[seats] = self._now[seats] + self._skip


class HeldBatch(BatchPolicy):
    """Another batch policy that follows rules in an env without them."""

    def __init__(self, policy: BatchPolicy, held: HeldActions) -> None:
        self._policy, self._held, self.label, self.obs_type = policy, held, policy.label, policy.obs_type

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
