"""Checks whether the moves of a run can be searched while it plays; needs no torch."""

from __future__ import annotations

from collections.abc import Iterator

from arcade.games.spec import GameSpec
from trainer.config import RunConfig
from trainer.sampling.plan import PolicyPlan


def search_faults(run: RunConfig, spec: GameSpec, plan: PolicyPlan) -> Iterator[str]:
    """What keeps an algorithm that searches from this game and these settings."""
    wrappers = run.wrappers
    if not spec.can_search:
        yield (
            f"algorithm: expected for {run.algorithm} a board game of two sides, whose moves all can see and whose "
            f"positions can be saved exactly, got: {spec.id}; PPO trains any game"
        )
    if any(set(policy.agents) != set(spec.agents) for policy in plan.policies):
        ids = ", ".join(policy.id for policy in plan.policies)
        yield f"policies.kind: expected one policy for every seat, as self_play has, for {run.algorithm}, got: {ids}"
    if wrappers.stack > 1:
        yield f"wrappers.stack: expected 1 for {run.algorithm}, got: {wrappers.stack}"
    if wrappers.reward_scale != 1:
        yield f"wrappers.reward_scale: expected 1 for {run.algorithm}, got: {wrappers.reward_scale:g}"
