"""SnapshotBatch: inference of a snapshot for many seats; LoadedPolicy: a snapshot for your own loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from agents.policies.batch import Array, BatchPolicy, Masks, SeatGenerators, SeatMemory, Seats, Seeds, stacked
from agents.policies.held import HeldActions
from agents.seats.controller import Action, ActionMask
from agents.snapshots.card import SnapshotCard
from agents.snapshots.onnx_policy import Decision, OnnxPolicy
from agents.snapshots.snapshot import Snapshot
from agents.snapshots.store import open_store


class SnapshotBatch(BatchPolicy):
    """A snapshot: one inference for all seats that act together, with each seat's own draws and recurrent state.

    `source` may open the graph anew at each call, for a cache that closes graphs.  `greedy` takes the likeliest
    action instead of drawing.  `act` follows the rules that the snapshot was trained by, those of its card;
    `frame_skip` and `sticks` are those of the match, as in SeatSpec.  Raises SnapshotError where the graph does not
    load.
    """

    def __init__(
        self, source: Snapshot | OnnxPolicy | Callable[[], OnnxPolicy], *, greedy: bool = False, frame_skip: int = 1,
        sticks: bool = False,
    ) -> None:  # fmt: skip
        if isinstance(source, Snapshot):
            source = OnnxPolicy(source)
        self._open: Callable[[], OnnxPolicy] = (lambda: source) if isinstance(source, OnnxPolicy) else source
        self._greedy = greedy
        self._draws = SeatGenerators()
        self._memory = SeatMemory(self.policy.initial_state())
        self.held = HeldActions(step=frame_skip, sticks=sticks)
        self._follow(self.policy.card)
        self.label, self.obs_type = self.policy.card.name, self.policy.card.obs_type

    @property
    def policy(self) -> OnnxPolicy:
        """The graph."""
        return self._open()

    def begin(self, seats: Seats, seeds: Seeds) -> None:
        self._draws.begin(seats, seeds)
        self._memory.forget(seats)
        self.held.begin(seats, seeds)

    def replace(self, policy: OnnxPolicy) -> None:
        """Continue with another policy; the draws continue, the recurrent state starts from zeros."""
        self._open, self.label, self.obs_type = lambda: policy, policy.card.name, policy.card.obs_type
        self._memory = SeatMemory(policy.initial_state())
        self._follow(policy.card)

    def act(self, seats: Seats, observations: Array, masks: Masks) -> Array:
        if not self.held.any:
            return self.decide(seats, observations, masks).actions
        due = self.held.due(seats, masks)
        drawn = np.zeros(0)
        if due.any():
            drawn = self.decide(seats[due], observations[due], None if masks is None else masks[due]).actions
        return self.held.play(seats, due, drawn)

    def act_one(self, seat: int, observation: Any, mask: ActionMask | None) -> Action:
        policy = self.policy
        if policy.picks_one and not self._greedy and not self.held.any:
            return policy.pick_one(observation, mask, lambda: self._draws.number(seat))
        return super().act_one(seat, observation, mask)

    def decide(self, seats: Seats, observations: Array, masks: Masks) -> Decision:
        """A new decision of each seat, with probabilities and values; raises ControllerError where the graph fails."""
        state = self._memory.recall(seats)
        decision = self.policy.decide(
            stacked(observations), masks, self._draws.of(seats), greedy=self._greedy, state=state
        )
        self._memory.keep(seats, decision.state)
        return decision

    def _follow(self, card: SnapshotCard) -> None:
        self.held.follow(frame_skip=card.frame_skip, sticky_actions=card.sticky_actions, start=card.action.start)


class LoadedPolicy:
    """A snapshot that decides for a batch of observations, anew at each call, whatever `card.frame_skip` is.

    Row i of a batch is the same seat from call to call: its recurrent state continues and its actions are drawn from
    its own random generator, until `reset`.  Example::

        >>> import agents, numpy as np
        >>> policy = agents.load("volley-7")
        >>> decision = policy.act(np.zeros((3, *policy.card.observation.shape), np.float32))
        >>> decision.actions.shape, decision.probabilities.shape
        ((3,), (3, 6))
    """

    def __init__(self, snapshot: Snapshot, *, seed: int = 0, greedy: bool = False) -> None:
        self.card: SnapshotCard = snapshot.card
        self._batch = SnapshotBatch(snapshot, greedy=greedy)
        self._seeds = np.random.default_rng(seed)
        self._rows = 0  # that have begun

    def act(self, observations: Array, masks: Masks = None) -> Decision:
        """Decide for `observations`, (B, *card.observation.shape) of the card's dtype.

        `masks` is int8 (B, n), 1 where an action is legal; None where all are.  Returns a Decision: `actions` as the
        env takes them, (B,) int64 for a discrete action and (B, *shape) for others; `probabilities` float32, (B, n),
        for multi_discrete (B, sum of nvec), None for a box; `values` float32 (B,), None where the snapshot has none.

        Raises ValueError for another shape, ControllerError where the graph fails or no action is legal.
        """
        observations = np.asarray(observations)
        shape = self.card.observation.shape
        if observations.shape[1:] != shape or not len(observations):
            raise ValueError(f"expected observations of shape (batch, {str(shape)[1:]}, got: {observations.shape}")
        if len(observations) > self._rows:
            self._begin(np.arange(self._rows, len(observations)))
        return self._batch.decide(np.arange(len(observations)), observations, masks)

    def reset(self, rows: Seats | None = None) -> None:
        """Begin new episodes in `rows`, ints (k,), or in all rows: their recurrent state is zeros again."""
        self._begin(np.arange(self._rows) if rows is None else np.asarray(rows, np.intp))

    def _begin(self, rows: Seats) -> None:
        self._batch.begin(rows, self._seeds.integers(2**62, size=len(rows)))
        self._rows = max(self._rows, int(rows.max(initial=-1)) + 1)


def load(name: str, *, game: str | None = None, seed: int = 0, greedy: bool = False) -> LoadedPolicy:
    """Load a snapshot by its name, ``latest``, ``best`` or path, from the user's and the bundled ones.

    `game` is the catalogue id that it must play, None for any.  The same `seed` draws the same actions; `greedy` takes
    the likeliest action instead of drawing.  Raises SnapshotError where there is no such snapshot, or a broken one.

        >>> import agents
        >>> agents.load("volley-7").card.game
        'house/volley'
    """
    return LoadedPolicy(open_store().get(name, game=game), seed=seed, greedy=greedy)
