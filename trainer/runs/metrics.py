"""The metrics of an iteration, from RLlib's results and the episodes that ended."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from trainer.league.lineage import Lineage
from trainer.sampling.episodes import EpisodeResult

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
