"""Overrides nested settings by ``section.key=value`` words, read by the type of the field."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, get_args, get_origin

from pydantic import BaseModel

from trainer.config import ConfigError, RunConfig
from trainer.config.algorithms import ALGORITHMS


def override(settings: Mapping[str, Any], words: Iterable[str]) -> dict[str, Any]:
    """A copy of `settings` with the words applied in order; raises ConfigError for a malformed one."""
    merged = _copy(settings)
    pairs = [_split(word) for word in words]
    # First the algorithm, since the type of section `training` depends on it.
    for path, text in sorted(pairs, key=lambda pair: pair[0] != ["algorithm"]):
        _put(merged, path, text)
    return merged


def put(settings: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    """A copy of `settings` with `value` at the dotted `key`."""
    merged = _copy(settings)
    inner, leaf = _descend(merged, _parts(key), key)
    inner[leaf] = value
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


def _put(settings: dict[str, Any], path: list[str], text: str) -> None:
    inner, leaf = _descend(settings, path, f"{'.'.join(path)}={text}")
    inner[leaf] = _read(text, _type_at(settings, path), ".".join(path))


def _descend(settings: dict[str, Any], path: list[str], word: str) -> tuple[dict[str, Any], str]:
    for section in path[:-1]:
        settings = settings.setdefault(section, {})
        if not isinstance(settings, dict):
            raise ConfigError(f"expected {section!r} to be a section in --set, got: {word!r}")
    return settings, path[-1]


def _type_at(settings: Mapping[str, Any], path: list[str]) -> Any:
    """The annotation of the field at `path`, None where there is no such field."""
    kind: Any = RunConfig
    for part in path:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            field = kind.model_fields.get(part)
            kind = None if field is None else field.annotation
            if part == "training":
                algorithm = ALGORITHMS.get(settings.get("algorithm", "PPO"))
                kind = algorithm.settings if algorithm else None
        elif get_origin(kind) is dict:
            kind = get_args(kind)[1]
        else:
            return None
    return kind


def _read(text: str, kind: Any, key: str) -> Any:
    """A value for validation; lists may be written a,b,c, and JSON is parsed."""
    if text[:1] in ("[", "{") and kind is not str:
        try:
            return json.loads(text)
        except ValueError as error:
            raise ConfigError(f"{key}: expected JSON, got: {text!r} ({error})") from error
    if get_origin(kind) is tuple:
        return [part.strip() for part in text.split(",") if part.strip()]
    if type(None) in get_args(kind) and text in ("", "none", "null"):
        return None
    if kind is Any:
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def _copy(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _copy(value) if isinstance(value, Mapping) else value for key, value in settings.items()}
