"""How many games and how large a batch suit a game, where the settings do not say."""

from __future__ import annotations

from typing import Any

from arcade.games.spec import GameSpec
from trainer.config.algorithms import ALGORITHMS
from trainer.config.algorithms.algorithm import ReplaySettings
from trainer.config.sections import ResourceSettings

SINGLE_STAGES = {"games": 32, "batch": 2048, "minibatch": 256}
"""For games without a batch engine, each of whose games costs a step of its own; the last two are PPO's."""

FRAGMENT = 16
"""Ticks at least that an iteration of a batch lasts, so that rewards are seen to follow on decisions."""


def with_sizes(settings: dict[str, Any], spec: GameSpec) -> dict[str, Any]:
    """`settings` with games, batch and minibatch that suit the game and one another, where they name none."""
    algorithm = ALGORITHMS.get(settings.get("algorithm", "PPO"))
    resources, training = settings.get("resources", {}), settings.get("training", {})
    if algorithm is None or not isinstance(resources, dict) or not isinstance(training, dict):
        return settings  # wrong, and said so by whoever checks them
    kind = algorithm.settings
    usual = {name: kind.model_fields[name].default for name in ("batch", "minibatch")}
    games = ResourceSettings.model_fields["games"].default
    if not spec.batch:
        games = SINGLE_STAGES["games"]
        usual |= {k: SINGLE_STAGES[k] for k in usual} if settings.get("algorithm", "PPO") == "PPO" else {}
    batch, runners = _whole(training.get("batch"), usual["batch"]), _whole(resources.get("runners"), 0)
    minibatch = usual["minibatch"] if issubclass(kind, ReplaySettings) else min(usual["minibatch"], batch)
    own = {"batch": usual["batch"], "minibatch": minibatch}
    least = 1 if issubclass(kind, ReplaySettings) else FRAGMENT
    games = max(1, min(games, batch // (least * max(1, runners))))
    return settings | {"resources": {"games": games} | resources, "training": own | training}


def _whole(value: Any, default: int) -> int:
    try:
        return max(1, int(value)) if value is not None else default
    except (TypeError, ValueError):
        return default
