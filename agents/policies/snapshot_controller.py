"""SnapshotController: a seat played by a frozen policy, in process."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.policies.snapshot import SnapshotBatch
from agents.seats.controller import Action, Controller, ControllerError, SeatSpec, Turn
from agents.seats.insight import Insight
from agents.snapshots.onnx_policy import Array, Decision, OnnxPolicy
from agents.snapshots.snapshot import Snapshot

_SEAT = np.zeros(1, np.intp)


class SnapshotController(Controller):
    """Decides in `act`, which takes as long as one forward pass (tens of microseconds for a small network).

    Raises SnapshotError at `reset` where the policy does not fit the seat.
    """

    kind = "snapshot"

    def __init__(self, source: Snapshot | OnnxPolicy, *, greedy: bool = False) -> None:
        self._batch = SnapshotBatch(source, greedy=greedy)
        self._seat: SeatSpec | None = None
        self._turn: Turn | None = None
        self._decision: Decision | None = None  # the newest
        self._action: Action | None = None
        self.label = self._batch.label

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot that plays."""
        return self._batch.policy.snapshot

    @property
    def has_memory(self) -> bool:
        """Whether its decisions depend on earlier turns: a recurrent policy, or one with a stack of frames."""
        return bool(self._batch.policy.initial_state())

    @property
    def action_probabilities(self) -> Array | None:
        """float32, (n,): of the newest decision, None before the first and for a Box."""
        shares = None if self._decision is None else self._decision.probabilities
        return None if shares is None else shares[0]

    @property
    def value(self) -> float | None:
        """The return that the policy expects from here; None before the first decision and where it does not say."""
        values = None if self._decision is None else self._decision.values
        return None if values is None else float(values[0])

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        self.snapshot.check(seat)
        self._seat = seat
        self._batch.begin(_SEAT, [seed])
        self._turn = self._action = self._decision = None

    def replace(self, source: Snapshot | OnnxPolicy) -> None:
        """Continue with another policy from the next turn, without a reset; the label follows.

        Building an OnnxPolicy takes milliseconds: hand one in ready-made where a frame must not wait.
        Raises SnapshotError, and keeps the old policy, where the new one does not fit the seat.
        """
        policy = source if isinstance(source, OnnxPolicy) else OnnxPolicy(source)
        if self._seat is not None:
            policy.snapshot.check(self._seat)
        self._batch.replace(policy)
        self.label = self._batch.label

    def observe(self, turn: Turn) -> None:
        self._turn, self._action = turn, None

    def act(self) -> Action | None:
        if self._action is None and self._turn is not None:
            self._action = self._decide(self._turn)
        return self._action

    def mind(self) -> Insight | None:
        shares, value = self.action_probabilities, self.value
        if shares is None:
            return None if value is None else Insight(value=value)
        return Insight(shares=shares.tolist(), parts=self._parts(len(shares)), value=value)

    def report(self) -> dict[str, Any]:
        """The graph that played, by its fingerprint: a name can be given again."""
        return {"snapshot": self.label, "sha256": self.snapshot.card.sha256}

    def _parts(self, count: int) -> tuple[int, ...]:
        action = self.snapshot.card.action
        match action.kind:
            case "multi_discrete":
                return action.nvec or ()
            case "multi_binary":
                return (1,) * count
        return (count,)

    def _decide(self, turn: Turn) -> Action:
        if self._seat is None:
            raise ControllerError("expected reset(seat, seed=...) before the first turn, got none")
        masks = None if turn.action_mask is None else np.asarray(turn.action_mask)[None]
        self._decision = self._batch.decide(_SEAT, np.asarray(turn.observation)[None], masks)
        action = self._decision.actions[0]
        return int(action) if self.snapshot.card.action.kind == "discrete" else action
