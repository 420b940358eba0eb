"""The function keys of the arcade, in one table: the page of the controls lists it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from arcade.engine.input.sources import source_label
from arcade.language import N_, _

Kind = Literal["real time", "turns", "board", "no board", "two sides", "insight"]
"""Kinds of matches; a board game is played by turns too."""


@dataclass(frozen=True, slots=True)
class FunctionKey:
    """One key and its use, in a few words."""

    key: str  # as KeyInput names it
    words: str
    kind: Kind | None = None  # of matches in which this is its use; None for all
    online: bool = False  # in matches over the network, too


FUNCTION_KEYS: tuple[FunctionKey, ...] = (
    FunctionKey("f1", N_("Controls"), online=True),
    FunctionKey("f2", N_("Take a seat or give it back")),
    FunctionKey("f3", N_("Save and load"), "no board"),
    FunctionKey("f3", N_("Offer a draw"), "board"),
    FunctionKey("home", N_("Save and load"), "board"),
    FunctionKey("tab", N_("Read the board"), "turns", online=True),
    FunctionKey("tab", N_("Read the score"), "real time", online=True),
    FunctionKey("f4", N_("Choose what is shown"), online=True),
    FunctionKey("f5", N_("Hint"), "turns"),
    FunctionKey("f6", N_("Flip the board"), "two sides"),
    FunctionKey("f7", N_("Resign"), "board"),
    FunctionKey("f5", N_("Slower"), "real time"),
    FunctionKey("f6", N_("Faster"), "real time"),
    FunctionKey("f7", N_("Step by step"), "real time"),
    FunctionKey("f8", N_("Back in time")),
    FunctionKey("f9", N_("AI insight"), "insight", online=True),
    FunctionKey("f10", N_("Save a clip"), online=True),
    FunctionKey("f11", N_("Full screen"), online=True),
    FunctionKey("f12", N_("Save a picture"), online=True),
)


def function_keys(*kinds: Kind, online: bool = False) -> list[tuple[str, str]]:
    """Return label and use of each key in a match of these kinds; `online`: in one over the network.

    >>> "Resign" in dict(function_keys("turns", "board")).values()
    True
    """
    found = (one for one in FUNCTION_KEYS if (one.kind is None or one.kind in kinds) and (one.online or not online))
    return [(source_label("keyboard", one.key), _(one.words)) for one in found]


def slots_key(*, board: bool) -> str:
    """The key of the saved moments in a match: on boards F3 offers a draw."""
    return "home" if board else "f3"


def kinds_of(*, turn_based: bool, board: bool, flips: bool, insight: bool = False) -> tuple[Kind, ...]:
    """Return the kinds of a match; `flips`: its board is looked at from two sides, `insight`: AI insight can show."""
    more: tuple[Kind, ...] = ("insight",) if insight else ()
    if board:
        return ("turns", "board", *(("two sides",) if flips else ()), *more)
    return "turns" if turn_based else "real time", "no board", *more
