"""The metrics of a run, and the events that publish them with its status, pools, snapshots and watched games."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from agents.wire.trainer_events import Matchmaking, Metrics, PoolTable, SnapshotFrozen, WatchPiece, WinRates
from trainer.league.lineage import Lineage
from trainer.league.opponents import OpponentPools
from trainer.league.pool import NEWEST
from trainer.runs.control import TrainerServer
from trainer.sampling.episodes import EpisodeResult

SECONDS_BETWEEN_EVENTS = 1.0

LEARNER_METRICS = {
    "entropy": "entropy", "kl": "mean_kl_loss", "policy_loss": "policy_loss", "vf_loss": "vf_loss",
    "vf_explained_var": "vf_explained_var", "qf_loss": "qf_loss", "q_mean": "qf_mean", "alpha": "alpha_value",
    "kl_penalty": "kl_penalty_coefficient", "reference_kl": "reference_kl",
}  # fmt: skip
"""Our names of learner metrics to RLlib's."""


def learning_metrics(
    lineages: Sequence[Lineage], result: dict[str, Any], episodes: Sequence[EpisodeResult]
) -> dict[str, float]:
    """Episode lengths, and the figures of each policy: NAME, or NAME/POLICY where several learn."""
    metrics: dict[str, float] = {}
    if lengths := [episode.ticks for episode in episodes if not episode.again]:
        metrics["episode_ticks"] = fmean(lengths)
    for lineage in lineages:
        id = lineage.policy.id
        own = _policy_metrics(lineage, result, [episode for episode in episodes if episode.policy == id])
        metrics |= {name if len(lineages) == 1 else f"{name}/{id}": value for name, value in own.items()}
    return metrics


def _policy_metrics(
    lineage: Lineage, result: dict[str, Any], episodes: Sequence[EpisodeResult]
) -> dict[str, float]:  # fmt: skip
    """The score is over the episodes that were not against itself, if there are any."""
    recent = lineage.pool.recent()
    metrics = {"win_rate": recent.win_rate} if recent.games else {}
    if scored := [episode.score for episode in episodes if episode.opponent] or [e.score for e in episodes]:
        metrics["score"] = fmean(scored)
    learner = result.get("learners", {}).get(lineage.policy.id, {})
    figures = {name: float(learner[key]) for name, key in LEARNER_METRICS.items() if key in learner}
    # RLlib reports NaN for metrics that were logged earlier and not in this iteration.
    return metrics | {name: figure for name, figure in figures.items() if not math.isnan(figure)}


def win_rates(lineages: Sequence[Lineage]) -> dict[str, float]:
    """Pool member to the win rate against it, of all policies together."""
    return {name: rate for lineage in lineages for name, rate in lineage.pool.win_rates().items()}


def mean_win_rate(lineages: Sequence[Lineage]) -> float | None:
    """Against the pools since the last freezes, the mean over policies that had games; None without any."""
    rates = [recent.win_rate for lineage in lineages if (recent := lineage.pool.recent()).games]
    return fmean(rates) if rates else None


class RunPublisher:
    """Events of one run, for the thread that trains."""

    def __init__(
        self, server: TrainerServer, pools: OpponentPools, lineages: Sequence[Lineage], *, run: str, game: str
    ) -> None:
        self._server, self._pools, self._lineages = server, pools, lineages
        self._source = {"run": run, "game": game}
        self._published = time.monotonic()

    @property
    def is_due(self) -> bool:
        """Whether the last metrics were published long enough ago."""
        return time.monotonic() - self._published >= SECONDS_BETWEEN_EVENTS

    def status(self, **fields: Any) -> None:
        """Change fields of the status, and publish it with the matchmaking in force."""
        matchmaking = Matchmaking(**self._pools.matchmaker.status())
        events = self._server.endpoints["events"]
        self._server.set_status(**self._source, matchmaking=matchmaking, events=events, **fields)
        self._server.publish(self._server.status)

    def metrics(self, metrics: Mapping[str, Any]) -> None:
        """Publish the metrics of an iteration, the pools, and the win rates against their members."""
        self._published, step = time.monotonic(), metrics["step"]
        rates = dict(list(win_rates(self._lineages).items())[-NEWEST:])
        self._server.publish(PoolTable(**self._source, step=step, policies=self._pools.table()))
        self._server.publish(Metrics(**self._source, **metrics))
        self._server.publish(WinRates(**self._source, step=step, win_rate=mean_win_rate(self._lineages), rates=rates))

    def snapshot(self, name: str, *, policy: str, step: int, began: float) -> None:
        """Publish that `name` was frozen; `began` is in seconds since 1970."""
        self._server.publish(SnapshotFrozen(**self._source, name=name, step=step, began=began, policy=policy))

    def moves(self, pieces: Iterable[Mapping[str, Any]]) -> None:
        """Publish the newest moves of a watched game."""
        for piece in pieces:
            self._server.publish(WatchPiece(**self._source, **piece))
