"""Lineage: the snapshots of one learning policy, its opponent pool, and the rules for when it is frozen (`due`)."""

from __future__ import annotations

import time
from typing import Any

from numpy.typing import NDArray

from agents.matchmaking.pool import Pool
from agents.snapshots.card import KLPenalty
from agents.snapshots.store import Snapshot, SnapshotStore
from arcade.games.spec import GameSpec
from trainer.config import RunConfig
from trainer.config.algorithms.algorithm import KLPenaltySettings
from trainer.config.sections import FreezeSettings
from trainer.league.export import Freezer, snapshot_name
from trainer.league.opponent_shares import win_rates
from trainer.networks.seat import SeatNetwork
from trainer.sampling.plan import MAIN, MAIN_EXPLOITER, Policy

FIRST_MINUTES = 1.0
"""Of training before the first snapshot by time, so that even a long run soon has an opponent."""


class Lineage:
    """One policy of a run; snapshots are named after the run and the policy, or `alone` after the run."""

    def __init__(
        self, policy: Policy, run: RunConfig, spec: GameSpec, *, run_id: str, store: SnapshotStore, alone: bool
    ) -> None:
        self.policy, self._store, self._game = policy, store, spec.id
        self._name = run_id if alone else f"{run_id}-{policy.id}"
        self.pool, self.last_freeze = Pool(), 0  # env step
        self._frozen_at = time.monotonic()
        self.parent = ""  # name of the snapshot that the policy continues
        self.frozen = 0
        self.names: list[str] = []  # of the policy's snapshots that others meet, oldest first
        self._settings, self._exploits = run.freeze, run.opponents.league and policy.id != MAIN
        self._freezer = Freezer(
            store, policy, game=spec.id, run=run_id, algorithm=run.algorithm, rules=run.wrappers,
            obs_type=spec.learnt_obs_type, kl_penalty=kl_penalty_of(run),
        )  # fmt: skip

    def due(self, step: int) -> str:
        """The reason to freeze now, "" for not yet."""
        steps, minutes = step - self.last_freeze, self._settings.minutes
        if len(self.names) <= self.frozen <= 1:  # at most the untrained policy, and no earlier snapshot to meet
            minutes = min(minutes, FIRST_MINUTES)
        if minutes and steps and time.monotonic() - self._frozen_at >= minutes * 60:
            return "time"
        if self._exploits:
            return exploiter_due(self.policy.id, self._settings, self.pool, steps=steps)
        return learner_due(self._settings, self.pool, steps=steps)

    def freeze(
        self, network: SeatNetwork, *, step: int, seconds: float, note: str,
        seen: tuple[NDArray[Any], NDArray[Any] | None],
    ) -> Snapshot:  # fmt: skip
        """Freeze the policy as it is now; raises ExportError, SnapshotError or OSError."""
        self.last_freeze, self._frozen_at = step, time.monotonic()
        snapshot = self._freezer.freeze(
            network, name=self._free_name(), step=step, seconds=seconds, parent=self.parent, note=note,
            observations=seen[0], masks=seen[1],
        )  # fmt: skip
        self.parent = snapshot.card.name
        self.frozen += 1
        self.pool.begin_period()
        return snapshot

    def start_from(self, parent: Snapshot) -> None:
        """Continue `parent`, whose weights the policy has."""
        self.parent, self.last_freeze = parent.card.name, parent.card.step

    def reset(self) -> None:
        """Clear parent and results, after a reset to the first weights."""
        self.parent = ""
        self.pool.clear()

    def saved_names(self, run_id: str) -> list[str]:
        """Names of the run's snapshots of this policy in the store, oldest first."""
        stem = snapshot_name(self._name, 0).rpartition("-")[0]
        cards = self._store.list(self._game)
        return [c.name for c in cards if c.run == run_id and c.name.rpartition("-")[0] == stem]

    def as_data(self) -> dict[str, Any]:
        return {
            "pool": self.pool.as_data(), "parent": self.parent, "frozen": self.frozen,
            "last_freeze": self.last_freeze, "names": self.names,
        }  # fmt: skip

    def restore(self, data: dict[str, Any]) -> None:
        """Restore `as_data`."""
        self.pool = Pool.from_data(data["pool"])
        self.parent, self.frozen, self.last_freeze = data["parent"], data["frozen"], data["last_freeze"]
        self.names = list(data["names"])

    def _free_name(self) -> str:
        """The next free name: a kill may have come between a freeze and its checkpoint."""
        taken = {card.name for card in self._store.list(self._game)} | set(self._store.refused)
        while (name := snapshot_name(self._name, self.frozen)) in taken:
            self.frozen += 1
        return name


def learner_due(settings: FreezeSettings, pool: Pool, *, steps: int) -> str:
    """The reason to freeze a policy that is no exploiter, `steps` after its last freeze; "" for not yet."""
    if settings.save_steps and steps >= settings.save_steps:
        return "steps"
    recent = pool.recent()
    enough = steps >= settings.min_steps and recent.games >= settings.min_games
    return "win rate" if settings.win_rate and enough and recent.win_rate >= settings.win_rate else ""


def exploiter_due(role: str, settings: FreezeSettings, pool: Pool, *, steps: int) -> str:
    """The reason to freeze an exploiter, `steps` after its last freeze; "" for not yet."""
    if settings.save_steps and steps >= settings.save_steps:
        return "time out"
    if not settings.win_rate or steps < settings.min_steps:
        return ""
    targets = pool.places(kind="live", policies=(MAIN,)) if role == MAIN_EXPLOITER else pool.places(kind="snapshot")
    if not len(targets) or pool.recent(targets).games < settings.min_games:
        return ""
    return "targets beaten" if win_rates(pool, targets).min() >= settings.win_rate else ""


def kl_penalty_of(run: RunConfig) -> KLPenalty | None:
    """The run's KL penalty, as the cards of its snapshots have it."""
    training = run.training
    if not isinstance(training, KLPenaltySettings) or not training.kl_penalty:
        return None
    return KLPenalty(
        reference=run.reference, coefficient=training.kl_penalty, fade_steps=training.kl_penalty_steps,
        direction=training.kl_direction,
    )  # fmt: skip
