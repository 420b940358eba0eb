"""Explains settings: pydantic's errors as ``section.field: expected …, got: …``, and the JSON schema of a run."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError, create_model

from trainer.config import FORMAT, ConfigError, RunConfig
from trainer.config.algorithms import ALGORITHMS

_KINDS = {
    "int_parsing": "a whole number", "int_type": "a whole number", "int_from_float": "a whole number",
    "float_parsing": "a number", "float_type": "a number", "finite_number": "a finite number",
    "bool_parsing": "yes or no", "bool_type": "yes or no", "string_type": "text",
    "tuple_type": "a list", "list_type": "a list", "dict_type": "a table", "model_type": "a table of settings",
}  # fmt: skip
_BOUNDS = {"greater_than": ("gt", ">"), "greater_than_equal": ("ge", ">="), "less_than": ("lt", "<"),
           "less_than_equal": ("le", "<=")}  # fmt: skip


def explain(
    error: ValidationError, settings: Mapping[str, Any], *, model: type[BaseModel] = RunConfig, within: str = ""
) -> str:
    """A line for each error in `settings` of a `model`, which is the section `within` of a file."""
    return "\n".join(_line(found, settings, model, within) for found in error.errors())


def _line(found: Any, settings: Mapping[str, Any], model: type[BaseModel], within: str) -> str:
    kind, where = found["type"], ".".join(str(part) for part in (within, *found["loc"]) if part != "")
    if not found["loc"]:  # a rule between fields; its message begins with the field's name
        return str(found["msg"]).removeprefix("Value error, ")
    if kind == "extra_forbidden":
        return f"{where}: expected {_known(found['loc'], settings, model)}, got: {found['loc'][-1]!r}"
    if kind == "missing":
        return f"{where}: expected a value, got none"
    if kind == "value_error":
        return f"{where}: {str(found['msg']).removeprefix('Value error, ')}"
    return f"{where}: expected {_expected(found)}, got: {found['input']!r}"


def _expected(found: Any) -> str:
    kind, facts = found["type"], found.get("ctx", {})
    if kind in _BOUNDS:
        name, sign = _BOUNDS[kind]
        return f"a number {sign} {facts[name]:g}"
    if kind == "literal_error":
        words = str(facts["expected"]).replace(" or ", ", ").replace("''", "nothing").replace("'", "")
        return words.replace(", ", " | ")
    if kind == "string_pattern_mismatch":
        return f"text like {facts['pattern']}"
    if kind in ("too_short", "too_long"):  # the input is the whole list
        few = kind == "too_short"
        return f"{facts['min_length']} or more valid values" if few else f"{facts['max_length']} values at most"
    return _KINDS.get(kind, str(found["msg"]))


def _known(place: tuple[Any, ...], settings: Mapping[str, Any], model: type[BaseModel]) -> str:
    """Existing settings for an unknown one, and the algorithms that have it."""
    *sections, name = (str(part) for part in place)
    algorithm = settings.get("algorithm", "PPO")
    fields = _fields(sections, algorithm, model)
    if sections == ["training"]:
        owners: list[str] = [other for other, known in ALGORITHMS.items() if name in known.settings.model_fields]
        if owners:
            return f"a setting of {algorithm} (this one is of {', '.join(owners)}): {', '.join(fields)}"
    if not sections and model is RunConfig and (owners := _sections_with(name, algorithm)):
        return " or ".join(f"{owner}.{name}" for owner in owners)
    near = difflib.get_close_matches(name, fields, 1)
    return f"{near[0]} or another of {', '.join(fields)}" if near else f"one of {', '.join(fields)}"


def _sections_with(name: str, algorithm: str) -> list[str]:
    """The sections that have a setting `name`."""
    return [section for section in RunConfig.model_fields if name in _fields([section], algorithm, RunConfig)]


def _fields(sections: list[str], algorithm: str, model: Any) -> list[str]:
    kind = kind_at(sections, algorithm, model)
    return list(kind.model_fields) if isinstance(kind, type) and issubclass(kind, BaseModel) else []


def kind_at(path: Iterable[str], algorithm: str, model: Any = RunConfig) -> Any:
    """The annotation of the setting at `path`, None where there is no such setting."""
    kind = model
    for part in path:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            field = kind.model_fields.get(part)
            kind = field.annotation if field else None
            if part == "training":
                known = ALGORITHMS.get(str(algorithm))  # a file may have a table there
                kind = known.settings if known else None
        else:
            kind = get_args(kind)[1] if get_origin(kind) is dict else None
    return kind


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
