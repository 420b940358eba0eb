"""SnapshotBatch: the one way in which a snapshot decides, for one seat or for many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agents.policies.batch import Array, BatchPolicy, Masks, SeatMemory, Seats, Seeds
from agents.policies.draws import SeatGenerators
from agents.seats.controller import Action, ActionMask
from agents.snapshots.onnx_policy import Decision, OnnxPolicy
from agents.snapshots.snapshot import Snapshot


class SnapshotBatch(BatchPolicy):
    """A snapshot: one inference for all seats that act together, with each seat's own draws and recurrent state.

    `source` may open the graph anew at each call, for a cache that closes graphs.  `greedy` takes the likeliest
    action instead of drawing.  Raises SnapshotError where the graph does not load.
    """

    def __init__(self, source: Snapshot | OnnxPolicy | Callable[[], OnnxPolicy], *, greedy: bool = False) -> None:
        if isinstance(source, Snapshot):
            source = OnnxPolicy(source)
        self._open: Callable[[], OnnxPolicy] = (lambda: source) if isinstance(source, OnnxPolicy) else source
        self._greedy = greedy
        self._draws = SeatGenerators()
        self._memory = SeatMemory(self.policy.initial_state())
        self.label = self.policy.card.name

    @property
    def policy(self) -> OnnxPolicy:
        """The graph."""
        return self._open()

    def begin(self, seats: Seats, seeds: Seeds) -> None:
        self._draws.begin(seats, seeds)
        self._memory.forget(seats)

    def replace(self, policy: OnnxPolicy) -> None:
        """Continue with another policy; the draws go on, the recurrent state starts from zeros."""
        self._open, self.label = lambda: policy, policy.card.name
        self._memory = SeatMemory(policy.initial_state())

    def act(self, seats: Seats, observations: Array, masks: Masks) -> Array:
        return self.decide(seats, observations, masks).actions

    def act_one(self, seat: int, observation: Any, mask: ActionMask | None) -> Action:
        policy = self.policy
        if policy.picks_one and not self._greedy:
            return policy.pick_one(observation, mask, lambda: self._draws.number(seat))
        return super().act_one(seat, observation, mask)

    def decide(self, seats: Seats, observations: Array, masks: Masks) -> Decision:
        """As `act`, with probabilities and values; raises ControllerError where the graph fails."""
        state = self._memory.recall(seats)
        decision = self.policy.decide(observations, masks, self._draws.of(seats), greedy=self._greedy, state=state)
        self._memory.keep(seats, decision.state)
        return decision
