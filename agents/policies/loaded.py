"""``agents.load``: a snapshot as a numpy policy for anyone's own loop."""

from __future__ import annotations

import numpy as np

from agents.policies.batch import Array, Masks, Seats
from agents.policies.snapshot import SnapshotBatch
from agents.snapshots.card import SnapshotCard
from agents.snapshots.onnx_policy import Decision
from agents.snapshots.snapshot import Snapshot
from agents.snapshots.store import open_store


class LoadedPolicy:
    """A snapshot that decides for a batch of observations.

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
