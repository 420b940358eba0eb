"""From files and words to a RunConfig, and back to a file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tomlkit
from pydantic import ValidationError

from arcade.games.spec import GameSpec
from trainer.config import ConfigError, RunConfig
from trainer.config.algorithms import SETTINGS
from trainer.files import write_atomically


def make_config(settings: dict[str, Any], overrides: Iterable[str] = ()) -> RunConfig:
    """Validate nested `settings` with ``section.key=value`` words on top; raises ConfigError naming the field."""
    merged = {k: dict(v) if isinstance(v, dict) else v for k, v in settings.items()}
    for word in overrides:
        _override(merged, word)
    try:
        return RunConfig.model_validate(merged)
    except ValidationError as error:
        raise ConfigError("\n".join(_explain(e) for e in error.errors())) from error


SINGLE_STAGES = {"resources": {"games": 32}, "training": {"batch": 2048, "minibatch": 256}}
"""Sizes for games without a batch engine, each of whose games costs a step of its own; for PPO's kind."""


def with_sizes(settings: dict[str, Any], spec: GameSpec) -> dict[str, Any]:
    """`settings` with the sizes that suit the game, where they name none themselves."""
    algorithm = settings.get("algorithm", "PPO")
    sizes: dict[str, dict[str, Any]] = {} if spec.batch else dict(SINGLE_STAGES)
    if algorithm != "PPO":
        batch = SETTINGS[algorithm].model_fields["batch"].default if algorithm in SETTINGS else 512
        sizes = {"resources": {"games": min(256 if spec.batch else 32, batch)}}
    return settings | {section: values | settings.get(section, {}) for section, values in sizes.items()}


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
    write_atomically(path, tomlkit.dumps(config.model_dump(mode="json", exclude_none=True)).encode())


def _override(settings: dict[str, Any], word: str) -> None:
    key, equals, text = word.partition("=")
    if not equals or not key:
        raise ConfigError(f"expected --set KEY=VALUE such as training.lr=1e-3, got: {word!r}")
    *sections, leaf = key.strip().split(".")
    for section in sections:
        settings = settings.setdefault(section, {})
        if not isinstance(settings, dict):
            raise ConfigError(f"expected {section!r} to be a section in --set, got: {word!r}")
    leaf = "lambda_" if leaf == "lambda" else leaf
    settings[leaf] = _value(leaf, text)


LISTS = ("hidden", "fixed", "against", "train", "epsilon")
"""Keys whose value is a list, written a,b,c."""


def _value(leaf: str, text: str) -> Any:
    if leaf in LISTS and not text.startswith("["):
        return [part.strip() for part in text.split(",") if part.strip()]
    if text[:1] in "[{":
        try:
            return json.loads(text)
        except ValueError as error:
            raise ConfigError(f"expected JSON in --set {leaf}=…, got: {text!r}") from error
    return text


def _explain(error: Any) -> str:
    where = ".".join(str(part) for part in error["loc"])
    if not where:  # a rule between fields; its message begins with the field's name
        return str(error["msg"]).removeprefix("Value error, ")
    return f"{where}: {error['msg']}, got: {error['input']!r}"
