"""From files and words to a RunConfig, and back to a file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tomlkit
from pydantic import ValidationError

from agents.files import replace_file
from trainer.config import ConfigError, RunConfig
from trainer.config.explaining import explain
from trainer.config.overrides import override
from trainer.config.sizes import with_sizes

__all__ = ["make_config", "read_config", "with_sizes", "write_config"]


def make_config(settings: dict[str, Any], overrides: Iterable[str] = ()) -> RunConfig:
    """Validate nested `settings` with ``section.key=value`` words on top; raises ConfigError naming the field."""
    merged = override(settings, overrides)
    try:
        return RunConfig.model_validate(merged)
    except ValidationError as error:
        raise ConfigError(explain(error, merged)) from error


def read_config(path: Path) -> dict[str, Any]:
    """The settings of a TOML or JSON file as `make_config` takes them."""
    try:
        text = path.read_text("utf-8")
        settings = json.loads(text) if path.suffix == ".json" else tomlkit.parse(text).unwrap()
    except (OSError, ValueError) as error:
        raise ConfigError(f"expected a TOML or JSON file of settings at {path}, got: {error}") from error
    if not isinstance(settings, dict):
        raise ConfigError(f"expected an object of settings in {path}, got: {type(settings).__name__}")
    return settings


def write_config(path: Path, config: RunConfig) -> None:
    replace_file(path, tomlkit.dumps(config.model_dump(mode="json", exclude_none=True)))
