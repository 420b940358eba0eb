"""The form for a new run: values, their text, pages, and the errors that the trainer reports."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from agents.errors import UserError
from agents.wire.trainer_events import line as printable
from arcade.session.training.field_titles import shown_title
from arcade.session.training.schema import FormSection, Path, SettingField

ROWS = 10
"""Fields on a page."""

OWN_ROWS = 2
"""Rows of the first page with settings of the window itself."""

_SERIES = (1.0, 2.0, 5.0)
_ERROR = re.compile(r"\s*([A-Za-z_]\w*(?:\.\w+)*): (.+)")


class EntryError(UserError):
    """Text that is not a value of its field."""


class Form:
    """Keeps only changed values, so that the trainer's defaults apply to the rest."""

    def __init__(self, sections: tuple[FormSection, ...], *, unused: Mapping[Path, Any] | None = None) -> None:
        self.sections = sections
        self.changed: dict[Path, Any] = {}
        self.unused = dict(unused or {})  # values of fields of another algorithm's form
        self.errors: dict[Path, str] = {}
        self.trouble = ""  # an error that belongs to no field

    @property
    def fields(self) -> tuple[SettingField, ...]:
        return tuple(field for section in self.sections for field in section.fields)

    def value(self, field: SettingField) -> Any:
        return self.changed.get(field.path, field.default)

    def set(self, field: SettingField, value: Any) -> None:
        """Change a value, and clear its error."""
        self.errors.pop(field.path, None)
        if value == field.default and type(value) is type(field.default):
            self.changed.pop(field.path, None)
        else:
            self.changed[field.path] = value

    def take_over(self, earlier: Form) -> None:
        """Copy the values of another algorithm's form; those without a field here are kept for later."""
        self.unused = earlier.unused | earlier.changed
        for field in self.fields:
            if field.path in self.unused and _fits(field, value := self.unused.pop(field.path)):
                self.set(field, value)

    def settings(self) -> dict[str, Any]:
        """The changed values, nested as in a settings file."""
        settings: dict[str, Any] = {}
        for path, value in self.changed.items():
            put(settings, path, value)
        return settings

    def take_errors(self, text: str) -> None:
        """Assign the trainer's errors, ``section.field: …``, to their fields; the last other line is `trouble`."""
        self.errors, rest = {}, []
        known = {field.path for field in self.fields}
        for line in text.strip().splitlines()[-40:]:
            match = _ERROR.fullmatch(line)
            names = tuple(match[1].split(".")) if match else ()
            path = next((names[:end] for end in range(len(names), 0, -1) if names[:end] in known), None)
            if match and path is not None:
                self.errors.setdefault(path, printable(match[2], most=200))
            elif line.strip():
                rest.append(line.strip())
        self.trouble = printable(rest[-1], most=400) if rest else ""


def put(settings: dict[str, Any], path: Path, value: Any) -> None:
    """Set a value in nested settings."""
    for name in path[:-1]:
        settings = settings.setdefault(name, {})
    settings[path[-1]] = value


def flat(settings: Mapping[str, Any], above: Path = ()) -> dict[Path, Any]:
    """Return nested settings by path."""
    found: dict[Path, Any] = {}
    for name, value in settings.items():
        found |= flat(value, (*above, name)) if isinstance(value, Mapping) else {(*above, name): value}
    return found


def as_text(value: Any) -> str:
    """A value as shown and typed."""
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(entry, str | int | float) for entry in value):
        return ", ".join(map(str, value))
    if isinstance(value, float):
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else json.dumps(value)


def read_text(field: SettingField, text: str) -> Any:
    """The value that was typed; raises EntryError."""
    text = text.strip()
    if not text and field.optional:
        return None
    try:
        if field.kind == "number":
            return bounded(field, _number(text, whole=field.whole))
        if field.kind == "list":
            return [_entry(word.strip(), field.items) for word in text.split(",") if word.strip()]
        if field.kind == "json":
            return json.loads(text) if text else field.default
    except (ValueError, OverflowError, RecursionError) as error:
        raise EntryError(f"expected {_wanted(field)}, got: {text!r}") from error
    return text


def bounded(field: SettingField, value: float) -> float:
    """`value`; raises EntryError beyond the field's bounds."""
    low_ok = field.low is None or value > field.low or (value == field.low and not field.low_open)
    high_ok = field.high is None or value < field.high or (value == field.high and not field.high_open)
    if not (low_ok and high_ok):
        raise EntryError(f"expected {_wanted(field)}, got: {as_text(value)}")
    return value


def stepped(field: SettingField, value: Any, way: int) -> Any:
    """The next round number up (`way` 1) or down (-1), within the bounds; powers of two stay powers of two."""
    now = value if isinstance(value, int | float) else field.low or 0
    try:
        return bounded(field, _whole_step(int(now), way) if field.whole else _share_step(field, float(now), way))
    except EntryError:
        end = field.high if way > 0 else field.low
        closed = end is not None and not (field.high_open if way > 0 else field.low_open)
        return (int(end) if field.whole else end) if closed and end is not None else value


def _whole_step(now: int, way: int) -> int:
    if now >= 16 and now & (now - 1) == 0:
        return now * 2 if way > 0 else now // 2
    return now + way if abs(now) < 10 or (now == 10 and way < 0) else int(_series_step(float(now), way))


def _share_step(field: SettingField, now: float, way: int) -> float:
    if field.high == 1 and now > 0.9 and isinstance(field.default, float) and field.default > 0.9:
        away = 1 - now  # towards one: 0.99, 0.995, 0.998 …, as discounts are chosen
        last = away < (1.5e-3 if way > 0 else 5e-4)
        return (1.0 if way > 0 else 0.999) if last else round(1 - _series_step(away, -way), 6)
    if field.high == 1 and (now >= 0.1 or (field.low == 0 and not field.low_open)):
        return round(now + 0.05 * way, 6)
    return _series_step(now, way) if now > 0 else 0.001 if way > 0 else now - 1


def _series_step(now: float, way: int) -> float:
    """The next of … 1, 2, 5, 10, 20 … beyond a positive number."""
    scale = 10.0 ** math.floor(math.log10(now))
    around = [float(f"{scale * ten * step:.6g}") for ten in (0.1, 1.0, 10.0) for step in _SERIES]
    beyond = [value for value in around if (value > now * 1.0001 if way > 0 else value < now * 0.9999)]
    return min(beyond) if way > 0 else max(beyond)


def _number(text: str, *, whole: bool) -> float:
    plain = text.replace("_", "").replace(" ", "")
    value = float(plain)
    if not math.isfinite(value) or (whole and value != int(value)):
        raise ValueError(text)
    return int(value) if whole else value


def _entry(word: str, kind: str) -> Any:
    return word if kind == "string" else _number(word, whole=kind == "integer")


def _wanted(field: SettingField) -> str:
    if field.kind != "number":
        return f"{field.items}s with commas between" if field.kind == "list" else "JSON"
    text = "a whole number" if field.whole else "a number"
    if field.low is not None:
        text += f" {'above' if field.low_open else 'from'} {field.low:g}"
    if field.high is not None:
        text += f" {'below' if field.high_open else 'to'} {field.high:g}"
    return text


def _fits(field: SettingField, value: Any) -> bool:
    """Whether the field accepts a value of another field of the same name."""
    if field.kind == "choice":
        return value in field.options or (value is None and field.optional)
    try:
        return field.kind != "number" or value is None or bounded(field, value) == value
    except (EntryError, TypeError):
        return False


@dataclass(frozen=True, slots=True)
class FormPage:
    """One entry of the list, and the fields beside it."""

    title: str
    hint: str
    fields: tuple[SettingField, ...] = ()

    def is_wrong(self, form: Form | None) -> bool:
        """Whether a field has an error."""
        return form is not None and any(field.path in form.errors for field in self.fields)


def make_pages(form: Form | None) -> tuple[FormPage, ...]:
    """The sections of a form, cut to what fits on the screen; at least one page."""
    pages: list[FormPage] = []
    for section in form.sections if form is not None else ():
        first = ROWS if pages else ROWS - OWN_ROWS
        cuts = [0, *range(first, len(section.fields), ROWS), len(section.fields)]
        pieces = [section.fields[start:end] for start, end in pairwise(cuts)]
        for place, fields in enumerate(pieces, 1):
            name = shown_title(section.title.lower())
            title = name if len(pieces) == 1 else f"{name} {place}"
            pages.append(FormPage(title[:1].upper() + title[1:], section.hint, fields))
    return tuple(pages) or (FormPage("Run", ""),)
