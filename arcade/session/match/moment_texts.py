"""Texts of the moments and lengths of matches, as the players of a game count them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from arcade.games.spec import GameSpec
from arcade.language import N_, _, local_number, ngettext
from arcade.match.play.match import Match
from arcade.match.stage.tick import View

_MOMENTS: Mapping[str, str] = {
    "move": N_("move {number}"), "turn": N_("turn {number}"), "round": N_("round {number}"),
    "action": N_("action {number}"),
}  # fmt: skip
"""By `GameSpec.counts`."""

_LENGTHS: Mapping[str, Callable[[int], str]] = {
    "move": lambda count: ngettext("{count} move", "{count} moves", count),
    "turn": lambda count: ngettext("{count} turn", "{count} turns", count),
    "round": lambda count: ngettext("{count} round", "{count} rounds", count),
    "action": lambda count: ngettext("{count} action", "{count} actions", count),
}
_STREETS = {
    "pre-flop": N_("pre-flop"), "flop": N_("flop"), "turn": N_("the turn"), "river": N_("the river"),
    "first round": N_("first round"), "second round": N_("second round"), "showdown": N_("showdown"),
}  # fmt: skip
"""Parts of a hand of poker, as in the views of `arcade.games.tables.poker`."""


def moment_of(match: Match, shown: View | None = None) -> str:
    """Return the moment of a match: minutes and seconds of its own time, the move to come, or the hand of poker.

    `shown` is the view that the table draws, where that is not the newest.
    """
    tick = match.tick
    if tick is not None and (view := shown or tick.views.get(None)) is not None and "street" in view:
        return hand_text(view)
    return moment_to_come(match.spec, tick.index if tick is not None else 0, over=match.over)


def moment_to_come(spec: GameSpec, tick: int, *, over: bool) -> str:
    """Return the moment of a tick, in a game of turns the move that is chosen then."""
    return moment_text(spec, tick + 1 if spec.turn_based and not over else tick)


def hand_text(view: View) -> str:
    """Return the moment of a poker table: "Hand 3, flop", at its end "Hand 3"; no number where it is the match."""
    part = str(view["street"])
    words = _STREETS.get(part, part)
    street = _(words)
    if view["hands"] == 1:
        return street
    if view.get("over"):
        return _("Hand {number}").format(number=view["number"])
    return _("Hand {number}, {street}").format(number=view["number"], street=street)


def moment_text(spec: GameSpec, tick: int) -> str:
    """Return the moment of a tick: minutes and seconds of the game's own time, or moves as its players count them."""
    if spec.turn_based:
        return _(_MOMENTS[spec.counts]).format(number=spec.moves_at(tick))
    return minutes(int(tick / spec.fps))


def length_text(spec: GameSpec | None, ticks: int) -> str:
    """Return the length of a match: moves as its players count them, or ticks; `spec` is None for an unknown game."""
    if spec is None or not spec.turn_based:
        return ngettext("{count} tick", "{count} ticks", ticks).format(count=local_number(f"{ticks:,}"))
    moves = spec.moves_at(ticks)
    return _LENGTHS[spec.counts](moves).format(count=local_number(f"{moves:,}"))


def minutes(seconds: int) -> str:
    """Return a length as minutes and seconds: "1:05"."""
    return f"{seconds // 60}:{seconds % 60:02d}"
