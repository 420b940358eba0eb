"""The JSON schema of a run's settings, one for each algorithm, from which the form for a new run is made."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import create_model

from trainer.config import FORMAT, ConfigError, RunConfig
from trainer.config.algorithms import ALGORITHMS

DIALECT = "https://json-schema.org/draft/2020-12/schema"
DESCRIPTIONS = {"algorithm": "Learning algorithm.", "training": "Settings of the algorithm."}


def make_schema(algorithm: str) -> dict[str, Any]:
    """JSON schema (draft 2020-12) of the settings of a run with `algorithm`; raises ConfigError for an unknown one.

    Section ``training`` is that of the algorithm, and ``algorithm`` is required unless it is the default.  ``x-format``
    is the version of the settings, as in their ``format``; ``x-algorithms`` are all installed algorithms.
    """
    name = next((known for known in ALGORITHMS if known.lower() == algorithm.lower()), None)
    if name is None:
        raise ConfigError(f"expected an algorithm of {', '.join(ALGORITHMS)}, got: {algorithm!r}")
    kind = ALGORITHMS[name].settings
    usual = name == RunConfig.model_fields["algorithm"].default
    fields: dict[str, Any] = {"algorithm": (Literal[name], name if usual else ...), "training": (kind, kind())}
    model = create_model("RunConfig", __base__=RunConfig, **fields)
    schema = model.model_json_schema()
    for field in ("algorithm", "training"):
        schema["properties"][field] |= {"description": DESCRIPTIONS[field]}
    head = {
        "$schema": DIALECT,
        "$id": f"urn:pettingzoo-arcade:run-config:{FORMAT}:{name}",
        "title": f"A run with {name}",
        "x-format": FORMAT,
        "x-algorithms": list(ALGORITHMS),
    }
    return head | {key: value for key, value in schema.items() if key not in head}
