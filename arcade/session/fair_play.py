"""Choices for AI limits and rules: their values, texts and changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from agents.seats.controller import SeatChoice
from arcade.games.spec import GameSpec
from arcade.language import N_, _, local_number
from arcade.match.play.lineup import choice_limits
from arcade.session.limit_texts import limits_words
from arcade.session.player_names import PlayerNames

LIMITS: Mapping[str, tuple[float, ...]] = {
    "reaction_ms": (0, 50, 100, 150, 200, 250, 300, 400, 500),
    "actions_per_second": (0, 3, 4, 5, 6, 8, 10, 15, 20),
    "noise": (0, 0.05, 0.1, 0.2, 0.35, 0.5),
}
RULES: Mapping[str, tuple[float, ...]] = {"sticky_actions": (0, 0.1, 0.25, 0.5), "frame_skip": (1, 2, 3, 4, 6, 8)}

TITLES = {
    "reaction_ms": (N_("Reaction"), N_("The delay between what it sees and what it does")),
    "actions_per_second": (N_("Actions a second"), N_("How often it chooses at most; it holds its action in between")),
    "noise": (N_("Slips"), N_("How often its action is replaced by a random one")),
    "sticky_actions": (N_("Sticky actions"), N_("How often the last action is repeated, for people too")),
    "frame_skip": (N_("Frame skip"), N_("Ticks for which each action is held, for people too")),
}


def value_text(name: str, value: float) -> str:
    """Return the text of a value."""
    match name:
        case "reaction_ms":
            return f"{value:g} ms" if value else _("at once")
        case "actions_per_second":
            return f"{value:g}" if value else _("no limit")
        case "frame_skip":
            return _("every {count} ticks").format(count=f"{value:g}") if value > 1 else _("every tick")
    return local_number(f"{100 * value:.3g}%") if value else _("never")


def limit_of(choice: SeatChoice, name: str, spec: GameSpec) -> float:
    """Return the present limit of the seat."""
    return float(getattr(choice_limits(choice, spec), name))


def limited(choice: SeatChoice, name: str, value: float, spec: GameSpec) -> SeatChoice:
    """Return the seat with another limit; one that is its level's default is left out."""
    default = limit_of(replace(choice, options=()), name, spec)
    limits = {**dict(choice.limits), name: f"{value:g}"}
    if value == default:
        del limits[name]
    held = tuple((known, limits[known]) for known in LIMITS if known in limits)
    return replace(choice, options=(*choice.settings, *held))


def limits_text(choice: SeatChoice, spec: GameSpec) -> str:
    """Return the text of a player with all its limits."""
    name = PlayerNames(spec).of_choice(replace(choice, options=choice.settings))
    return _("{player}: {limits}").format(
        player=name, limits=limits_words(choice_limits(choice, spec)) or _("no limits on its reactions and actions")
    )
