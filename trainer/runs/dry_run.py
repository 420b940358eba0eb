"""Describes a run as JSON without starting it: complete settings, policies, and RLlib's settings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from arcade.games.spec import GameSpec
from arcade.match.batch.make import make_vector_env
from trainer.config import RunConfig
from trainer.sampling.plan import make_plan


def describe(run: RunConfig, spec: GameSpec) -> dict[str, Any]:
    """``config``, ``game``, ``policies`` and ``rllib``, which is AlgorithmConfig.to_dict()."""
    from trainer.algorithms.make import make_algorithm_config

    with make_vector_env(spec, 1) as env:
        plan = make_plan(run.policies, env, league=run.opponents.league)
        rllib = make_algorithm_config(run, spec, env).to_dict()
    teams = [[str(agent) for agent in team] for team in spec.teams]
    return {
        "config": run.model_dump(mode="json"),
        "game": {"id": spec.id, "teams": teams, "kwargs": plain(spec.kwargs)},
        "policies": {
            policy.id: {
                "agents": [str(agent) for agent in policy.agents],
                "learns": policy.id in plan.trained,
                "observation_space": str(policy.observation_space),
                "action_space": str(policy.action_space),
                "masked": policy.masked,
            }
            for policy in plan.policies
        },
        "rllib": plain(rllib),
    }


def plain(value: Any) -> Any:
    """`value` in types of JSON: classes and functions by name, others as text."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(inner) for inner in value]
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    name = getattr(value, "__qualname__", "")
    return f"{value.__module__}.{name}" if name else str(value)
