"""Overrides nested settings by ``section.key=value`` texts, read by the type of the field."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, get_args, get_origin

from trainer.config import ConfigError
from trainer.config.explaining import kind_at


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
