"""Reads, completes, checks and writes the settings of a run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import tomlkit
from pydantic import ValidationError

from agents.files import replace_file
from arcade.games import GameError, find_game
from arcade.games.spec import GameSpec
from trainer.config import ConfigError, RunConfig
from trainer.config.algorithms import ALGORITHMS
from trainer.config.algorithms.algorithm import ReplaySettings
from trainer.config.explaining import explain
from trainer.config.overrides import override
from trainer.config.sections import ResourceSettings

SINGLE_STAGES = {"games": 32, "batch": 2048, "minibatch": 256}
"""Sizes for games without a batch engine, where every env is stepped alone; the last two are PPO's."""

FRAGMENT = 16
"""Smallest number of ticks in an iteration, so that rewards follow decisions within it."""

RUNNING = ("python", "uci", "gtp", "remote")
"""Kinds of seat words that run code, start programs or connect to other machines."""


def make_config(settings: dict[str, Any], overrides: Iterable[str] = ()) -> RunConfig:
    """Validate nested `settings` with ``section.key=value`` overrides on top; raises ConfigError naming the field."""
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


def with_sizes(settings: dict[str, Any], spec: GameSpec) -> dict[str, Any]:
    """`settings` with games, batch and minibatch that suit the game, where they are not set."""
    algorithm = ALGORITHMS.get(settings.get("algorithm", "PPO"))
    resources, training = settings.get("resources", {}), settings.get("training", {})
    if algorithm is None or not isinstance(resources, dict) or not isinstance(training, dict):
        return settings  # wrong, which validation reports
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


def check_trust(settings: Mapping[str, Any], *, typed: Any) -> None:
    """Raises ConfigError for seat words and games in `settings` that run code and are not among the `typed` settings.

    A file may come from anywhere, and training runs or calls what such a word names.  A game's module:function passes
    where it was opened on this machine before; see `arcade.games.third_party.opened`.
    """
    known = {word for _, word in _running(typed)}
    found = {f"{key} = {word!r}": None for key, word in _running(settings) if word not in known}
    if found:
        raise ConfigError(
            "expected settings files that name no code, program or remote opponent, got: "
            f"{', '.join(found)}; if you trust what that runs: --trust"
        )


def _running(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """(dotted key, text) of all values that run code, at any depth."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _running(inner, f"{key}.{name}" if key else str(name))
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _running(inner, key)
    elif isinstance(value, str):
        word = value.strip()
        is_game = "game" in key.split(".") and ":" in word and not _is_known(word)
        if is_game or (":" in word and word.partition(":")[0] in RUNNING):
            yield key, word


def _is_known(game: str) -> bool:
    try:
        find_game(game)
    except GameError:
        return False
    return True
