"""The settings that a network was built by, saved in a snapshot's graph so that another run can start from it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from trainer.config import ConfigError, RunConfig
from trainer.config.sections import NetworkSettings

KEY = "pettingzoo-arcade.recipe"
"""Key in the graph's metadata (onnx.proto, ModelProto.metadata_props)."""

SEEING = ("grey", "resize", "stack", "normalise")
"""Wrappers that are layers of the network; the others are rules of the run."""


def recipe_of(run: RunConfig) -> dict[str, Any]:
    """The settings of a network's layers: ``algorithm``, ``network`` and some of ``wrappers``."""
    wrappers = {name: getattr(run.wrappers, name) for name in SEEING}
    return {"algorithm": run.algorithm, "network": run.network.model_dump(mode="json"), "wrappers": wrappers}


def read_recipe(onnx: bytes) -> dict[str, Any]:
    """The recipe in a graph, {} without one; raises ConfigError for a malformed one."""
    import onnx as library

    graph = library.load_from_string(onnx)
    text = next((entry.value for entry in graph.metadata_props if entry.key == KEY), "{}")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"start_from: expected JSON as {KEY} of its graph, got: {text[:80]!r} ({error})") from error
    kinds = {"algorithm": str, "network": dict, "wrappers": dict}
    if not isinstance(found, dict) or not all(
        isinstance(found.get(name, kind()), kind) for name, kind in kinds.items()
    ):
        raise ConfigError(
            f"start_from: expected an object with {', '.join(kinds)} as {KEY} of its graph, got: {text[:80]!r}"
        )
    return found


def with_recipe(settings: Mapping[str, Any], recipe: Mapping[str, Any]) -> dict[str, Any]:
    """`settings` with those of a recipe where they are not set."""
    known = {"network": tuple(NetworkSettings.model_fields), "wrappers": SEEING}
    merged = dict(settings)
    if "algorithm" in recipe:
        merged.setdefault("algorithm", recipe["algorithm"])
    for section, names in known.items():
        saved, own = recipe.get(section, {}), settings.get(section, {})
        if isinstance(own, Mapping):
            merged[section] = {name: saved[name] for name in names if name in saved} | dict(own)
    return merged
