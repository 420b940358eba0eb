"""Lineage: what a run froze of one policy, the pool of those whom it meets, and when to freeze next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from agents.snapshots.store import Snapshot, SnapshotStore
from arcade.games.spec import GameSpec
from trainer.config import RunConfig
from trainer.league.freezing import Freezer, FreezeRules, snapshot_name
from trainer.league.league import exploiter_due
from trainer.league.pool import Pool
from trainer.networks.seat import SeatNetwork
from trainer.sampling.plan import MAIN, Policy


class Lineage:
    """One policy of a run; `alone` where it is the only one, so that its snapshots need not tell whose they are."""

    def __init__(
        self, policy: Policy, run: RunConfig, spec: GameSpec, *, run_id: str, store: SnapshotStore, alone: bool
    ) -> None:
        self.policy, self._store, self._game = policy, store, spec.id
        self._name = run_id if alone else f"{run_id}-{policy.id}"
        self.pool, self.rules = Pool(), FreezeRules(run.freeze)
        self.parent = ""  # name of the snapshot that the policy went on from
        self.frozen = 0
        self.names: list[str] = []  # of the snapshots of this policy that others meet, oldest first
        self._exploits = run.opponents.league and policy.id != MAIN
        self._freezer = Freezer(store, policy, game=spec.id, run=run_id, algorithm=run.algorithm)

    def due(self, step: int) -> str:
        """Why to freeze now, "" for not yet."""
        if self._exploits:
            rules = self.rules
            return exploiter_due(self.policy.id, rules.settings, self.pool, steps=step - rules.last_step)
        return self.rules.due(step, self.pool)

    def freeze(
        self, network: SeatNetwork, *, step: int, note: str, seen: tuple[NDArray[Any], NDArray[Any] | None]
    ) -> Snapshot:
        """The policy as it stands becomes a snapshot; raises ExportError, SnapshotError or OSError."""
        self.rules.last_step = step
        snapshot = self._freezer.freeze(
            network,
            name=self._free_name(),
            step=step,
            parent=self.parent,
            note=note,
            observations=seen[0],
            masks=seen[1],
        )
        self.parent = snapshot.card.name
        self.frozen += 1
        self.pool.begin_anew()
        return snapshot

    def start_from(self, parent: Snapshot) -> None:
        """The policy begins with the weights of `parent`."""
        self.parent, self.rules.last_step = parent.card.name, parent.card.step

    def begin_again(self) -> None:
        """The policy has its first weights again."""
        self.parent = ""
        self.pool.forget()

    def rated_as(self, is_rated: Callable[[str], bool]) -> str:
        """The newest snapshot on the policy's way that is rated, "" where none is."""
        names = [self.parent, *self.names[::-1]] if self.parent else []
        return next((name for name in names if is_rated(name)), "")

    def own(self, run_id: str) -> list[str]:
        """Names of the run's snapshots of this policy in the store, oldest first."""
        stem = snapshot_name(self._name, 0).rpartition("-")[0]
        cards = self._store.list(self._game)
        return [c.name for c in cards if c.run == run_id and c.name.rpartition("-")[0] == stem]

    def as_data(self) -> dict[str, Any]:
        return {
            "pool": self.pool.as_data(), "parent": self.parent, "frozen": self.frozen,
            "last_freeze": self.rules.last_step, "names": self.names,
        }  # fmt: skip

    def take(self, data: dict[str, Any]) -> None:
        """Go on from `as_data`."""
        self.pool = Pool.from_data(data["pool"])
        self.parent, self.frozen, self.rules.last_step = data["parent"], data["frozen"], data["last_freeze"]
        self.names = list(data["names"])

    def _free_name(self) -> str:
        """The next name that no snapshot has: a kill may have come between a freeze and its checkpoint."""
        taken = {card.name for card in self._store.list(self._game)} | set(self._store.refused)
        while (name := snapshot_name(self._name, self.frozen)) in taken:
            self.frozen += 1
        return name
