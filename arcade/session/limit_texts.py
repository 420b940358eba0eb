"""Texts of the human limits of an AI player, for people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from arcade.language import N_, _, local_number

if TYPE_CHECKING:  # numpy takes longer to import than the title may
    from agents.seats.limits import Limits

TEXTS: Mapping[str, str] = {
    "reaction_ms": N_("reacts after {value:g} ms"),
    "actions_per_second": N_("{value:g} actions a second"),
    "noise": N_("{percent} slips"),
}
MISTAKES = N_("{percent} of moves a level below")
"""The mistakes of a scripted player, see `agents.seats.kinds.built_in.Scripted`."""

_IN_LABEL = {
    "reaction_ms": re.compile(r"([\d.e+-]+) ms"),
    "actions_per_second": re.compile(r"([\d.e+-]+) actions/s"),
    "noise": re.compile(r"noise ([\d.e+-]+)"),
}
"""As in `Limits.text`, which is part of the labels on the ladder."""
_MISTAKES_IN_LABEL = re.compile(r"mistakes ([\d.e+-]+)")


def limits_words(limits: Limits) -> str:
    """Return the limits that are set, "" for none: "reacts after 200 ms, 10% slips"."""
    return ", ".join(_words(name, value) for name in TEXTS if (value := getattr(limits, name)))


def label_words(settings: str) -> str:
    """Return the same for the limits in a label; other settings stay as they are."""
    return ", ".join(_part_words(part) for part in settings.split(", "))


def _part_words(part: str) -> str:
    for name, pattern in _IN_LABEL.items():
        if found := pattern.fullmatch(part):
            return _words(name, float(found[1]))
    found = _MISTAKES_IN_LABEL.fullmatch(part)
    return mistakes_words(found[1]) if found else part


def mistakes_words(share: str) -> str:
    """Return the option ``mistakes`` of a seat word for people."""
    return _(MISTAKES).format(percent=_percent(float(share)))


def _words(name: str, value: float) -> str:
    return _(TEXTS[name]).format(value=value, percent=_percent(value))


def _percent(share: float) -> str:
    return local_number(f"{100 * share:.3g}%")
