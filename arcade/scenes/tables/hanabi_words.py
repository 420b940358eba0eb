"""The texts of Hanabi's actions, as `arcade.games.tables.hanabi` describes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from arcade.language import N_, _

Action = Mapping[str, Any]
Title = Callable[[str], str]  # of a seat

COLOUR_NAMES: Mapping[str, str] = {
    "R": N_("red"), "Y": N_("yellow"), "G": N_("green"), "W": N_("white"), "B": N_("blue"),
}  # fmt: skip
SHORT = N_("R Y G W B")
"""The same colours in a letter or two, in this order: no two may be alike, as some players see only the letters."""
_DONE = {
    "play": N_("Played card {value}"), "discard": N_("Discarded card {value}"), "colour": N_("Told {player}: {value}"),
    "rank": N_("Told {player}: {value}"),
}  # fmt: skip
_HEADINGS = {
    "play": N_("Play card"), "discard": N_("Discard card"), "colour": N_("Tell a colour"), "rank": N_("Tell a number"),
}  # fmt: skip
_HEADINGS_TO = {"colour": N_("Tell {player} a colour"), "rank": N_("Tell {player} a number")}
_BUTTONS = {"play": N_("Play"), "discard": N_("Discard"), "colour": N_("Tell {value}"), "rank": N_("Tell {value}")}


WRONG = N_("Played {card}: wrong, a life is lost")
ENDINGS = {
    "mistakes": N_("The last life is lost: no points remain"),
    "perfect": N_("All fireworks are complete"),
    "deck": N_("The deck is empty, and everybody had a last turn"),
}
"""Why a game is over."""


def short_name(colour: str) -> str:
    """Return the short name of a colour, for pips and narrow cards."""
    return dict(zip(COLOUR_NAMES, _(SHORT).split(), strict=True))[colour]


def card_words(card: Mapping[str, str]) -> str:
    """Name a card of a hand: itself, else what hints told about it."""
    sign = card["card"] or (card["colour"] or " ") + (card["rank"] or " ")
    colour, rank = sign[0].strip(), sign[1:].strip()
    words = " ".join(filter(None, (_(COLOUR_NAMES[colour]) if colour else "", rank)))
    return words or _("unknown")


def value_of(action: Action) -> str:
    """Return a card's number, a colour's name or a rank."""
    return _(COLOUR_NAMES[action["value"]]) if action["kind"] == "colour" else str(action["value"])


def done(action: Action | None, title: Title) -> str:
    """Return what a seat did last."""
    if action is None:
        return _("No move yet")
    if wrong := action.get("wrong"):
        return _(WRONG).format(card=f"{_(COLOUR_NAMES[wrong[0]])} {wrong[1:]}")
    player = title(action["to"]) if action["to"] is not None else ""
    return _(_DONE[action["kind"]]).format(player=player, value=value_of(action))


def heading(action: Action, title: Title, *, names_player: bool) -> str:
    """Return the heading over the actions of a kind; `names_player`: hints may go to several seats."""
    if names_player and action["to"] is not None:
        return _(_HEADINGS_TO[action["kind"]]).format(player=title(action["to"]))
    return _(_HEADINGS[action["kind"]])


def button(action: Action) -> str:
    """Return the action as a button over a card."""
    return _(_BUTTONS[action["kind"]]).format(value=value_of(action))
