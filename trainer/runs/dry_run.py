"""What a run would be, as JSON: the settings with all that was left out put in, the policies, and RLlib's settings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from arcade.match.batch.make import make_vector_env
from trainer.config import RunConfig
from trainer.runs.resolve import Resolved


def describe(run: RunConfig, resolved: Resolved) -> dict[str, Any]:
    """``config``, ``game``, ``policies`` and ``rllib``; nothing is started."""
    spec, plan = resolved.spec, resolved.plan
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
        "rllib": _describe_rllib(run, resolved),
    }


def _describe_rllib(run: RunConfig, resolved: Resolved) -> Any:
    """AlgorithmConfig.to_dict() of the run's algorithm."""
    from trainer.algorithms.make import make_algorithm_config

    with make_vector_env(resolved.spec, 1) as env:
        return plain(make_algorithm_config(run, resolved.spec, env).to_dict())


def plain(value: Any) -> Any:
    """`value` in JSON's own kinds: classes and functions by name, all else that JSON has not as text."""
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
