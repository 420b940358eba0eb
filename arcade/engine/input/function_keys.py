"""The function keys of the arcade, in one table: the page of the controls lists it."""

from __future__ import annotations

from dataclasses import dataclass

from arcade.engine.input.sources import source_label
from arcade.language import N_, _


@dataclass(frozen=True, slots=True)
class FunctionKey:
    """One key and its use, in a few words."""

    key: str  # as KeyInput names it
    words: str
    is_for_turns: bool = True  # whether this is its use in turn-based games too
    is_in_real_time: bool = True  # whether this is its use in real-time games


FUNCTION_KEYS: tuple[FunctionKey, ...] = (
    FunctionKey("f1", N_("Controls")),
    FunctionKey("f2", N_("Take a seat or give it back")),
    FunctionKey("f3", N_("Offer a draw"), is_in_real_time=False),
    FunctionKey("tab", N_("Read the board"), is_in_real_time=False),
    FunctionKey("tab", N_("Read the score"), is_for_turns=False),
    FunctionKey("f4", N_("Choose what is shown")),
    FunctionKey("f5", N_("Hint"), is_in_real_time=False),
    FunctionKey("f6", N_("Flip the board"), is_in_real_time=False),
    FunctionKey("f7", N_("Resign"), is_in_real_time=False),
    FunctionKey("f5", N_("Slower"), is_for_turns=False),
    FunctionKey("f6", N_("Faster"), is_for_turns=False),
    FunctionKey("f7", N_("Step by step"), is_for_turns=False),
    FunctionKey("f8", N_("Back in time")),
    FunctionKey("f9", N_("AI insight")),
    FunctionKey("f10", N_("Save a clip")),
    FunctionKey("f11", N_("Full screen")),
    FunctionKey("f12", N_("Save a picture")),
)


def function_keys(*, turn_based: bool = False) -> list[tuple[str, str]]:
    """Return label and use of each key that a game has a use for."""
    found = (one for one in FUNCTION_KEYS if (one.is_for_turns if turn_based else one.is_in_real_time))
    return [(source_label("keyboard", one.key), _(one.words)) for one in found]
