"""``section.key=value`` words: read with the type that the field has, and laid over nested settings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, get_args, get_origin

from pydantic import BaseModel

from trainer.config import ConfigError, RunConfig
from trainer.config.algorithms import ALGORITHMS


def override(settings: Mapping[str, Any], words: Iterable[str]) -> dict[str, Any]:
    """A copy of `settings` with the words laid over it, in their order; raises ConfigError for one that is none."""
    merged = _copy(settings)
    pairs = [_split(word) for word in words]
    # The algorithm says which settings the section `training` has, wherever among the words it stands.
    for path, text in sorted(pairs, key=lambda pair: pair[0] != ["algorithm"]):
        _put(merged, path, text)
    return merged


def put(settings: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    """A copy of `settings` with `value`, whatever it is, at the dotted `key`."""
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
    """The names on the way; what follows a table of any keys is one name, dots and all."""
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
    """Text for the field to check; lists may be written a,b,c, and JSON stands for itself."""
    if text[:1] in "[{" and text and kind is not str:
        return _json(text, key)
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


def _json(text: str, key: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ConfigError(f"{key}: expected JSON, got: {text!r} ({error})") from error


def _copy(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _copy(value) if isinstance(value, Mapping) else value for key, value in settings.items()}
