"""Setting: the declaration of one setting, used by its file, its checks and its page.

Imported before the first frame, and therefore without pydantic, whose import takes half as long as that frame.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any


class SettingsError(ValueError):
    """A setting of the wrong type or out of its range; the message names it."""


class Applies(Enum):
    """When a change takes effect, as text for its page."""

    AT_ONCE = ""
    NEXT_MATCH = " Applies from the next match."
    NEXT_START = " Applies when the window opens."


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting: its limits, its text and its page."""

    name: str = ""  # of the field that declares it, and the key in settings.toml
    page: str = ""  # title of its settings page; "": on none
    label: str = ""
    help: str = ""
    applies: Applies = Applies.AT_ONCE
    kind: type = bool
    low: float = False  # inclusive limits of a number, or of the length of a text
    high: float = True
    choices: tuple[str, ...] = ()  # of a setting with a few values
    span: tuple[float, float, float] = (0, 1, 0.1)  # a number on its page: lowest, highest, step
    shown: str = "{:.0%}"  # format of a number on its page

    @property
    def hint(self) -> str:
        """The whole explanation on its page."""
        return self.help + self.applies.value

    def check(self, value: Any) -> None:
        """Raise SettingsError for a value of the wrong type or out of its limits."""
        got = f"got: {self.name} = {value!r}"
        if self.choices:
            if value not in self.choices:
                raise SettingsError(f"expected {self.name} among {', '.join(self.choices)}, {got}")
            return
        fits = type(value) is self.kind or (self.kind is float and type(value) is int)
        if fits and self.low <= (len(value) if self.kind is str else value) <= self.high:
            return
        limits = (
            f"{self.low} to {self.high} characters"
            if self.kind is str
            else f"{self.kind.__name__} in {self.low} … {self.high}"
        )
        raise SettingsError(f"expected {self.name} = {limits}, {got}")


def toggle(default: bool, **texts: Any) -> Any:
    """A field of Settings that is on or off."""
    return _field(default, Setting(**texts))


def choice(default: str, choices: Collection[str], **texts: Any) -> Any:
    """A field of Settings that is one of several values."""
    return _field(default, Setting(kind=str, choices=tuple(choices), **texts))


def number(default: float, low: float, high: float, **texts: Any) -> Any:
    """A field of Settings between two limits, both inclusive; a whole number where `default` is one."""
    return _field(default, Setting(kind=type(default), low=low, high=high, **texts))


def text(default: str, low: int, high: int, **texts: Any) -> Any:
    """A field of Settings of `low` to `high` characters."""
    return _field(default, Setting(kind=str, low=low, high=high, **texts))


def declared(kind: type[Any]) -> tuple[Setting, ...]:
    """All settings that the dataclass `kind` declares, in the order of their pages."""
    return tuple(replace(one.metadata["setting"], name=one.name) for one in fields(kind) if "setting" in one.metadata)


def _field(default: Any, setting: Setting) -> Any:
    return field(default=default, metadata={"setting": setting})
