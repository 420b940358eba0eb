"""Reads, overrides, completes, checks and writes the settings of a run, also those in the graph of a snapshot."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args, get_origin

import tomlkit
from pydantic import ValidationError

from agents.errors import code_of
from agents.files import read_json, read_toml, replace_file
from agents.trust import untrusted, what_runs
from arcade.games import GameError, find_game
from arcade.games.spec import GameSpec
from trainer.config import ConfigError, RunConfig
from trainer.config.algorithms import ALGORITHMS, replay
from trainer.config.algorithms.replay import ReplaySettings
from trainer.config.explaining import explain, kind_at
from trainer.config.presets import NO_PRESET, Preset, preset_of
from trainer.config.sections import NetworkSettings, ResourceSettings

SINGLE_STAGES = {"games": 32, "batch": 2048, "minibatch": 256}
"""Sizes for games without a batch engine, where every env is stepped alone; the last two are PPO's and AlphaZero's."""

FRAGMENT = 16
"""Smallest number of ticks in an iteration, so that rewards follow decisions within it."""

RECIPE_KEY = "pettingzoo-arcade.recipe"
"""Key in the graph's metadata (onnx.proto, ModelProto.metadata_props)."""

SEEING = ("grey", "resize", "stack", "normalise")
"""Wrappers that are layers of the network; the others are rules of the run."""


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
        settings = (read_json if path.suffix == ".json" else read_toml)(path)
    except (OSError, ValueError) as error:
        text = f"expected a TOML or JSON file of settings at {path}, got: {error}"
        raise ConfigError(text, code=code_of(error)) from error
    if not isinstance(settings, dict):
        raise ConfigError(f"expected an object of settings in {path}, got: {type(settings).__name__}")
    return settings


def write_config(path: Path, config: RunConfig) -> None:
    replace_file(path, tomlkit.dumps(config.model_dump(mode="json", exclude_none=True)))


def with_preset(settings: dict[str, Any], spec: GameSpec) -> dict[str, Any]:
    """`settings` with the preset of the game, and sizes that suit it, where they are not set."""
    return with_sizes(settings, spec, preset_of(spec, str(settings.get("algorithm", "PPO"))))


def with_sizes(settings: dict[str, Any], spec: GameSpec, preset: Preset = NO_PRESET) -> dict[str, Any]:
    """`settings` with a preset, and sizes that suit the game and one another, where they are not set."""
    algorithm = ALGORITHMS.get(str(settings.get("algorithm", "PPO")))
    given = {section: settings.get(section, {}) for section in ("resources", "training", "wrappers", "network")}
    if algorithm is None or not all(isinstance(own, dict) for own in given.values()):
        return settings  # wrong, which validation reports
    resources, training = given["resources"], given["training"]
    kind = algorithm.settings
    usual = {name: kind.model_fields[name].default for name in ("batch", "minibatch")}
    games = ResourceSettings.model_fields["games"].default
    if not spec.batch:
        games = SINGLE_STAGES["games"]
        small = settings.get("algorithm", "PPO") == "PPO" or algorithm.searches
        usual |= {k: SINGLE_STAGES[k] for k in usual} if small else {}
    suited = dict(preset.get("training", {}))
    usual |= {name: suited.pop(name) for name in ("batch", "minibatch") if name in suited}
    if issubclass(kind, ReplaySettings):
        games, own = _replay_sizes(kind, settings, games)
    else:
        batch = _whole(training.get("batch"), usual["batch"])
        own = {"batch": usual["batch"], "minibatch": min(usual["minibatch"], batch)}
        games = max(1, min(games, batch // (FRAGMENT * _whole(resources.get("runners"), 1))))
    sections = {section: {**own, **given[section]} for section, own in preset.items()}
    return settings | sections | {"resources": {"games": games} | resources, "training": suited | own | training}


def _replay_sizes(kind: type[ReplaySettings], settings: dict[str, Any], games: int) -> tuple[int, dict[str, int]]:
    """Games, and the sizes of DQN or SAC that suit them; `games` is their usual number."""
    resources, training = settings.get("resources", {}), settings.get("training", {})
    usual, runners = kind.model_fields, _whole(resources.get("runners"), 1)
    games = _whole(resources.get("games"), games)
    batch = _whole(training.get("batch"), max(usual["batch"].default, replay.FRAGMENT * games * runners))
    if "games" not in resources:
        games = max(1, min(games, batch // (replay.FRAGMENT * runners)))
    minibatch = _whole(training.get("minibatch"), usual["minibatch"].default)
    steps = _whole(settings.get("steps") or None, 0)
    own = replay.suited(kind, games=games * runners, batch=batch, minibatch=minibatch, steps=steps)
    return games, {"batch": batch, "minibatch": minibatch} | own


def _whole(value: Any, default: int) -> int:
    try:
        return max(1, int(value)) if value is not None else default
    except (TypeError, ValueError, OverflowError):  # inf
        return default


def check_trust(settings: Mapping[str, Any], *, typed: Any) -> None:
    """Raises ConfigError for seat words and games in `settings` that run code and are not among the `typed` settings.

    A file may come from anywhere, and training runs or calls what such a word names.  A word passes where it was
    typed or trusted on this machine before; see `agents.trust`.
    """
    known = {word for _, word in _running(typed)}
    words = {word: key for key, word in _running(settings) if word not in known}
    refused = {*untrusted(words), *(word for word in words if not what_runs(word))}
    found = [f"{key} = {word!r}" for word, key in words.items() if word in refused]
    if found:
        raise ConfigError(
            "expected settings files that name no code, program or remote opponent, got: "
            f"{', '.join(found)}; if you trust what that runs: --trust"
        )


def running_words(settings: Mapping[str, Any]) -> list[str]:
    """The seat words in `settings` that run something."""
    return [word for _, word in _running(settings) if what_runs(word)]


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
        if is_game or what_runs(word):
            yield key, word


def _is_known(game: str) -> bool:
    try:
        find_game(game)
    except GameError:
        return False
    return True


def override(settings: Mapping[str, Any], texts: Iterable[str]) -> dict[str, Any]:
    """A copy of `settings` with the texts applied in order; raises ConfigError for a malformed one."""
    merged = _copy(settings)
    pairs = [_split(text) for text in texts]
    # First the algorithm, since the type of section `training` depends on it.
    for path, text in sorted(pairs, key=lambda pair: pair[0] != ["algorithm"]):
        kind = kind_at(path, merged.get("algorithm", "PPO"))
        _put(merged, path, _read(text, kind, ".".join(path)))
    return merged


def put(settings: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    """A copy of `settings` with `value` at the dotted `key`."""
    merged = _copy(settings)
    _put(merged, _parts(key), value)
    return merged


def _split(word: str) -> tuple[list[str], str]:
    key, equals, text = word.partition("=")
    if not equals or not key.strip():
        raise ConfigError(f"expected --set KEY=VALUE such as training.lr=1e-3, got: {word!r}")
    return _parts(key.strip()), text.strip()


def _parts(key: str) -> list[str]:
    """The names on the path; a key of policies.mapping may contain dots."""
    parts = key.split(".")
    if parts[:2] == ["policies", "mapping"] and len(parts) > 3:
        return [*parts[:2], ".".join(parts[2:])]
    return ["lambda_" if part == "lambda" else part for part in parts]


def _put(settings: dict[str, Any], path: list[str], value: Any) -> None:
    for section in path[:-1]:
        settings = settings.setdefault(section, {})
        if not isinstance(settings, dict):
            raise ConfigError(f"expected {section!r} to be a section in --set, got: {'.'.join(path)!r}")
    settings[path[-1]] = value


def _read(text: str, kind: Any, key: str) -> Any:
    """A value for validation; lists may be written a,b,c, and JSON is parsed."""
    is_json = text[:1] in ("[", "{") and kind is not str
    if is_json or kind is Any:
        try:
            return json.loads(text)
        except ValueError as error:
            if is_json:
                raise ConfigError(f"{key}: expected JSON, got: {text!r} ({error})") from error
    if get_origin(kind) is tuple:
        return [part.strip() for part in text.split(",") if part.strip()]
    if type(None) in get_args(kind) and text in ("", "none", "null"):
        return None
    return text


def _copy(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _copy(value) if isinstance(value, Mapping) else value for key, value in settings.items()}


def recipe_of(run: RunConfig) -> dict[str, Any]:
    """The settings of a network's layers: ``algorithm``, ``network`` and some of ``wrappers``."""
    wrappers = {name: getattr(run.wrappers, name) for name in SEEING}
    return {"algorithm": run.algorithm, "network": run.network.model_dump(mode="json"), "wrappers": wrappers}


def read_recipe(onnx: bytes) -> dict[str, Any]:
    """The recipe in a graph, {} without one; raises ConfigError for a malformed one."""
    import onnx as library

    graph = library.load_from_string(onnx)
    text = next((entry.value for entry in graph.metadata_props if entry.key == RECIPE_KEY), "{}")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"start_from: expected JSON as {RECIPE_KEY} of its graph, got: {text[:80]!r} ({error})"
        ) from error
    kinds = {"algorithm": str, "network": dict, "wrappers": dict}
    if not isinstance(found, dict) or not all(
        isinstance(found.get(name, kind()), kind) for name, kind in kinds.items()
    ):
        raise ConfigError(
            f"start_from: expected an object with {', '.join(kinds)} as {RECIPE_KEY} of its graph, got: {text[:80]!r}"
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
