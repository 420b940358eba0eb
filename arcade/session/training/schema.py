"""Reads the fields of the form from the trainer's JSON schema (2020-12, as pydantic writes it)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from agents.errors import UserError
from agents.wire.trainer_events import line, number

FORMAT = 1
"""Supported version of the schema, its ``x-format``."""

Kind = Literal["toggle", "choice", "number", "text", "list", "json"]
Path = tuple[str, ...]

MOST_ALGORITHMS = 64

DEEPEST = 4
"""Depth of nested objects that become fields; deeper ones are edited as JSON."""

CHOSEN_APART = (("format",), ("game",), ("algorithm",), ("run",))
"""Fields that the form has no row for."""


class SchemaError(UserError):
    """A schema that is malformed or of another version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingField:
    """One setting."""

    path: Path  # section and name
    title: str
    kind: Kind
    default: Any
    hint: str = ""
    options: tuple[str, ...] = ()  # of a choice
    low: float | None = None
    high: float | None = None
    low_open: bool = False  # `low` itself is not allowed
    high_open: bool = False
    whole: bool = False  # an integer
    optional: bool = False  # None is allowed, written as ""
    items: str = "string"  # type of a list's entries


@dataclass(frozen=True, slots=True)
class FormSection:
    """A section of the settings."""

    title: str
    hint: str
    fields: tuple[SettingField, ...]


def read_schema(schema: Any) -> tuple[FormSection, ...]:
    """The sections of the form, the run's own fields first; raises SchemaError."""
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        raise SchemaError(f"expected a JSON schema of an object, got: {str(schema)[:80]}")
    if schema.get("x-format", FORMAT) != FORMAT:
        raise SchemaError(
            f"expected settings of format {FORMAT}, got: {schema['x-format']!r}; "
            "install the same version of arcade and trainer"
        )
    whole = _Reader(schema)
    single: list[SettingField] = []
    sections: list[FormSection] = []
    for name, part in schema["properties"].items():
        resolved = whole.resolve(part)
        fields = tuple(whole.fields((name,), part))
        if _is_object(resolved) and fields:
            sections.append(FormSection(_title(name), _line(resolved.get("description")), fields))
        else:
            single += fields
    single = [field for field in single if field.path not in CHOSEN_APART]
    return (FormSection("Run", _line(schema.get("description")), tuple(single)), *sections)


def read_algorithms(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the trainer's algorithms, empty for a schema without them."""
    names = schema.get("x-algorithms")
    return tuple(filter(None, map(line, names[:MOST_ALGORITHMS]))) if isinstance(names, list) else ()


class _Reader:
    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._definitions = schema.get("$defs")

    def resolve(self, part: Any) -> Mapping[str, Any]:
        """`part` with its references resolved; its own keys take precedence."""
        for _ in range(8):
            if not isinstance(part, dict):
                return {}
            reference, only = part.get("$ref"), part.get("allOf")
            if isinstance(reference, str) and isinstance(self._definitions, dict):
                target = self._definitions.get(reference.rpartition("/")[2], {})
            elif isinstance(only, list) and len(only) == 1:
                target = only[0]
            else:
                return part
            rest = {key: value for key, value in part.items() if key not in ("$ref", "allOf")}
            part = (target if isinstance(target, dict) else {}) | rest
        return {}

    def fields(self, path: Path, part: Any, depth: int = 0) -> Iterator[SettingField]:
        """The field at `path`, or those of the object there; none for a constant."""
        found = self.resolve(part)
        if _is_object(found) and depth < DEEPEST:
            for name, below in found["properties"].items():
                default = found.get("default")
                if isinstance(default, dict) and name in default and isinstance(below, dict):
                    below = below | {"default": default[name]}
                yield from self.fields((*path, name), below, depth + 1)
        elif "const" not in found:
            yield self._field(path, found)

    def _field(self, path: Path, part: Mapping[str, Any]) -> SettingField:
        kinds = [self.resolve(one) for one in part.get("anyOf", part.get("oneOf", ()))]
        optional = any(one.get("type") == "null" for one in kinds)
        values = [one for one in kinds if one.get("type") != "null"]
        if len(values) == 1:
            part = {**values[0], **{key: value for key, value in part.items() if key not in ("anyOf", "oneOf")}}
        common: dict[str, Any] = {
            "path": path, "title": " ".join(map(_title, path[1:] or path)), "hint": _line(part.get("description")),
            "default": part.get("default"), "optional": optional,
        }  # fmt: skip
        kind, options = part.get("type"), part.get("enum")
        if isinstance(options, list) and options and all(isinstance(word, str) for word in options):
            return SettingField(kind="choice", options=tuple(options), **common)
        if kind == "boolean" and not optional:
            return SettingField(kind="toggle", **common)
        if kind in ("integer", "number"):
            return SettingField(kind="number", whole=kind == "integer", **_bounds(part), **common)
        if kind == "string":
            return SettingField(kind="text", **common)
        items = self.resolve(part.get("items")).get("type")
        if kind == "array" and items in ("string", "integer", "number"):
            return SettingField(kind="list", items=items, **common)
        return SettingField(kind="json", **common)


def _bounds(part: Mapping[str, Any]) -> dict[str, Any]:
    low, high = number(part.get("minimum")), number(part.get("maximum"))
    above, below = number(part.get("exclusiveMinimum")), number(part.get("exclusiveMaximum"))
    return {
        "low": low if above is None else above, "low_open": above is not None,
        "high": high if below is None else below, "high_open": below is not None,
    }  # fmt: skip


def _is_object(part: Mapping[str, Any]) -> bool:
    return part.get("type") == "object" and isinstance(part.get("properties"), dict) and bool(part["properties"])


def _title(name: str) -> str:
    return name.strip("_").replace("_", " ")


def _line(text: Any) -> str:
    return " ".join(text.split()) if isinstance(text, str) else ""
