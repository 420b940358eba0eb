"""SnapshotController: a seat played by one frozen policy, or by another from a pool for each episode."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.policies.batch import Decide, SeatBySeatPolicy
from agents.policies.snapshot import SnapshotBatch
from agents.seats.controller import Action, Controller, ControllerError, Insight, SeatSpec, Turn
from agents.snapshots.onnx_policy import Decision, OnnxPolicy
from agents.snapshots.snapshot import Snapshot
from agents.snapshots.store import SnapshotError, SnapshotStore
from agents.spaces import idle_action

SMALL = 0.001
"""Seconds of one inference up to which `observe` infers by itself; larger graphs are inferred on a shared thread."""

_SEAT = np.zeros(1, np.intp)


@functools.cache
def _worker() -> ThreadPoolExecutor:
    """The thread of all large graphs; onnxruntime releases the GIL while it infers."""
    return ThreadPoolExecutor(1, thread_name_prefix="inference")


os.register_at_fork(after_in_child=_worker.cache_clear)  # a forked child has no such thread


class SnapshotController(Controller):
    """Starts deciding in `observe`; neither `observe` nor `act` waits for a large graph, see SMALL.

    Where the match does not wait for it, a turn that the thread has not begun is dropped for the next one.  Raises
    SnapshotError at `reset` where the policy does not fit the seat.
    """

    kind = "snapshot"

    def __init__(self, source: Snapshot | OnnxPolicy, *, greedy: bool = False) -> None:
        self._policy = source if isinstance(source, OnnxPolicy) else OnnxPolicy(source)
        self._batch = SnapshotBatch(self._policy, greedy=greedy)
        self._seat: SeatSpec | None = None
        self._decision: Decision | None = None  # the newest
        self._action: Action | None = None
        self._error: ControllerError | None = None  # instead of an action
        self._is_large = self._policy.seconds > SMALL
        self._thinking: Future[Decision] | None = None  # of the newest turn
        self._late: Future[Decision] | None = None  # of an earlier turn
        self.label, self.obs_type = self._policy.card.name, self._policy.card.obs_type

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot that plays."""
        return self._policy.snapshot

    @property
    def has_memory(self) -> bool:
        """Whether its decisions depend on earlier turns: a recurrent policy, or one with a stack of frames."""
        return bool(self._policy.initial_state())

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        self.snapshot.check(seat)
        self.close()
        self._seat = seat
        if self._is_large:
            _worker().submit(self._begin, seat, seed)  # behind an inference that still runs
        else:
            self._begin(seat, seed)
        self._action = self._decision = self._error = None

    def _begin(self, seat: SeatSpec, seed: int) -> None:
        self._batch.held.sticks = seat.sticks
        self._batch.begin(_SEAT, [seed])

    def replace(self, source: Snapshot | OnnxPolicy) -> None:
        """Continue with another policy from the next turn, without a reset; the label changes to its name.

        Building an OnnxPolicy takes milliseconds: pass one where a frame must not wait.  Raises SnapshotError, and
        keeps the old policy, where the new one does not fit the seat.
        """
        policy = source if isinstance(source, OnnxPolicy) else OnnxPolicy(source)
        if self._seat is not None:
            policy.snapshot.check(self._seat)
        self._is_large = self._is_large or policy.seconds > SMALL  # once large, its thread has the memory
        if self._is_large:
            _worker().submit(self._batch.replace, policy)
        else:
            self._batch.replace(policy)
        self._policy, self.label, self.obs_type = policy, policy.card.name, policy.card.obs_type

    def observe(self, turn: Turn) -> None:
        self._action = self._error = None
        if self._seat is None:
            self._error = ControllerError("expected reset(seat, seed=...) before the first turn, got none")
        elif turn.observation is None:  # it took the seat in mid-turn, see Controller.obs_type
            self._action = idle_action(self._seat.action_space, turn.action_mask)
        elif self._is_large:
            if self._thinking is not None and not self._thinking.cancel():
                self._late = self._thinking
            own = replace(turn, observation=np.array(turn.observation))  # the stage may reuse the array
            self._thinking = _worker().submit(self._decide, own)
        else:
            self._keep(lambda: self._decide(turn))

    def act(self) -> Action | None:
        if self._thinking is not None and self._thinking.done():
            decided, self._thinking = self._thinking, None
            self._keep(decided.result)
        if self._error is not None:
            raise self._error
        return self._action

    def stale(self) -> Action | None:
        if self._late is None or not self._late.done() or self._late.exception():
            return None
        decided, self._late = self._late, None
        return self._as_action(decided.result())

    def close(self) -> None:
        for future in (self._thinking, self._late):
            if future is not None:
                future.cancel()
        self._thinking = self._late = None

    def insight(self) -> Insight | None:
        decision = self._decision
        if decision is None or (decision.probabilities is None and decision.values is None):
            return None
        value = None if decision.values is None else float(decision.values[0])
        if decision.probabilities is None:
            return Insight(value=value)
        shares = decision.probabilities[0].tolist()
        return Insight(shares=shares, parts=self._parts(len(shares)), value=value)

    def report(self) -> dict[str, Any]:
        """The graph that played, by its fingerprint: a name can be given again."""
        return {"snapshot": self.label, "sha256": self.snapshot.card.sha256}

    def _parts(self, count: int) -> tuple[int, ...]:
        action = self.snapshot.card.action
        return {"multi_discrete": action.nvec or (), "multi_binary": (1,) * count}.get(action.kind, (count,))

    def _decide(self, turn: Turn) -> Decision:
        masks = None if turn.action_mask is None else np.asarray(turn.action_mask)[None]
        held, seen = self._batch.held, np.asarray(turn.observation)[None]
        if not held.any:
            return self._batch.decide(_SEAT, seen, masks)
        held.at(_SEAT, [turn.tick])
        due = held.due(_SEAT, masks)
        if due[0] or self._decision is None:
            return self._hold(due | True, self._batch.decide(_SEAT, seen, masks))
        return self._hold(due, self._decision)

    def _hold(self, due: NDArray[np.bool_], decision: Decision) -> Decision:
        """The newest decision with the action that the seat executes."""
        return replace(decision, actions=self._batch.held.play(_SEAT, due, decision.actions))

    def _keep(self, decide: Callable[[], Decision]) -> None:
        try:
            self._decision = decide()
        except ControllerError as error:  # raised by `act`
            self._error = error
        else:
            self._action = self._as_action(self._decision)

    def _as_action(self, decision: Decision) -> Action:
        action = decision.actions[0]
        return int(action) if self.snapshot.card.action.kind == "discrete" else action


MAX_OPEN = 8
"""Graphs kept open, so that a long series does not load the same graph again and again."""


class GraphCache:
    """The graphs of a store's snapshots, the most recently used in memory; `get` raises SnapshotError."""

    def __init__(self, store: SnapshotStore, *, size: int = MAX_OPEN) -> None:
        self._store = store
        self.get = lru_cache(size)(self._open)

    def _open(self, name: str, game: str) -> OnnxPolicy:
        return OnnxPolicy(self._store.get(name, game=game))

    def draw(self, seat: SeatSpec, seed: int, *, by_own: bool = False) -> OnnxPolicy:
        """A policy drawn evenly from the snapshots that fit the seat; another is drawn for one that is refused.

        `by_own` leaves out those that decide from other observations than the env's own.  Raises SnapshotError where
        none fits.
        """
        rng = np.random.default_rng(seed)
        cards = [card for card in self._store.list(seat.game) if card.plays(seat.agent)]
        names = [card.name for card in cards if not (by_own and card.obs_type)]
        while names:
            try:
                policy = self.get(names.pop(int(rng.integers(len(names)))), seat.game)
                policy.snapshot.check(seat)
            except SnapshotError:
                continue  # broken, or made for earlier rules of the game
            return policy
        raise SnapshotError(f"expected a snapshot of {seat.game} that plays {seat.agent!r}, got none in the store")


class PoolController(SnapshotController):
    """One live seat that draws another snapshot of its game for each episode, by the episode's seed."""

    kind = "pool"

    def __init__(self, store: SnapshotStore, game: str) -> None:
        self.graphs = GraphCache(store)
        super().__init__(self.graphs.get("latest", game))

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        policy = self.graphs.draw(seat, seed)
        self._seat = None  # checked against the new seat below, not against the last one
        self.replace(policy)
        super().reset(seat, seed=seed)


class PoolBatch(SeatBySeatPolicy):
    """Draws another snapshot of the game for each seat and episode, by the seat's seed; see GraphCache.draw."""

    label = "pool"

    def __init__(self, store: SnapshotStore, places: Sequence[SeatSpec]) -> None:
        super().__init__(places)
        self._graphs = GraphCache(store)

    def _start(self, place: SeatSpec, seed: int) -> Decide:
        name = self._graphs.draw(place, seed, by_own=True).card.name  # all seats of a call see alike
        policy = SnapshotBatch(
            lambda: self._graphs.get(name, place.game), frame_skip=place.frame_skip, sticks=place.sticks
        )
        policy.begin(np.zeros(1, np.intp), [seed])
        return policy.decider(0)
