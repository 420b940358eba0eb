"""SnapshotController: a seat played by a frozen policy, in process."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.seats.controller import Action, Controller, ControllerError, SeatSpec, Turn
from agents.seats.insight import Insight
from agents.snapshots.onnx_policy import Array, OnnxPolicy, State
from agents.snapshots.snapshot import Snapshot


class SnapshotController(Controller):
    """Decides in `act`, which takes as long as one forward pass (tens of microseconds for a small network).

    Raises SnapshotError at `reset` where the policy does not fit the seat.
    """

    kind = "snapshot"

    def __init__(self, source: Snapshot | OnnxPolicy, *, greedy: bool = False) -> None:
        self._policy = source if isinstance(source, OnnxPolicy) else OnnxPolicy(source)
        self._greedy = greedy
        self._seat: SeatSpec | None = None
        self._turn: Turn | None = None
        self._action: Action | None = None
        self._rng = np.random.default_rng(0)
        self._state: State = self._policy.initial_state()
        self.label = self._policy.card.name
        self.action_probabilities: Array | None = None  # float32, (n,): of the newest decision, for a HUD
        self.value: float | None = None  # what the policy expects to earn from here; None where it does not say

    @property
    def snapshot(self) -> Snapshot:
        return self._policy.snapshot

    @property
    def has_memory(self) -> bool:
        """Whether what it decides hangs on turns before this one: a recurrent policy, or one with a stack of frames."""
        return bool(self._policy.initial_state())

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        self._policy.snapshot.check(seat)
        self._seat = seat
        self._rng = np.random.default_rng(seed)
        self._state = self._policy.initial_state()
        self._turn = self._action = self.action_probabilities = self.value = None

    def replace(self, source: Snapshot | OnnxPolicy) -> None:
        """Play on with another policy from the next turn, without a reset; the label follows.

        Building an OnnxPolicy takes milliseconds: hand one in ready-made where a frame must not wait.
        Raises SnapshotError, and keeps the old one, where the new one does not fit the seat.
        """
        policy = source if isinstance(source, OnnxPolicy) else OnnxPolicy(source)
        if self._seat is not None:
            policy.snapshot.check(self._seat)
        self._policy, self._state, self.label = policy, policy.initial_state(), policy.card.name

    def observe(self, turn: Turn) -> None:
        self._turn, self._action = turn, None

    def act(self) -> Action | None:
        if self._action is None and self._turn is not None:
            self._action = self._decide(self._turn)
        return self._action

    def mind(self) -> Insight | None:
        shares = self.action_probabilities
        if shares is None:
            return None if self.value is None else Insight(value=self.value)
        return Insight(shares=shares.tolist(), parts=self._parts(len(shares)), value=self.value)

    def report(self) -> dict[str, Any]:
        """Which graph played, by its fingerprint: a name can be given again."""
        return {"snapshot": self._policy.card.name, "sha256": self._policy.card.sha256}

    def _parts(self, count: int) -> tuple[int, ...]:
        match self._policy.card.action.kind:
            case "multi_discrete":
                return self._policy.card.action.nvec or ()
            case "multi_binary":
                return (1,) * count
        return (count,)

    def _decide(self, turn: Turn) -> Action:
        if self._seat is None:
            raise ControllerError("expected reset(seat, seed=...) before the first turn, got none")
        masks = None if turn.action_mask is None else np.asarray(turn.action_mask)[None]
        decision = self._policy.decide(
            np.asarray(turn.observation)[None], masks, self._rng, greedy=self._greedy, state=self._state
        )
        self._state = decision.state
        self.action_probabilities = None if decision.probabilities is None else decision.probabilities[0]
        self.value = None if decision.values is None else float(decision.values[0])
        return self._as_action(decision.actions[0])

    def _as_action(self, action: Any) -> Action:
        return int(action) if self._policy.card.action.kind == "discrete" else action
