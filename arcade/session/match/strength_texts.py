"""Texts of the measured strength of the levels of AI, for people."""

from __future__ import annotations

from collections.abc import Callable

from agents.seats.controller import LEVELS, AgentID, SeatChoice
from arcade.games.spec import GameSpec
from arcade.games.strengths import Figure, measured
from arcade.language import N_, _, local_number, percent
from arcade.session.player_names import LEVEL_WORDS

WINS, GAINS = N_("{value} against {below} ({low} to {high})"), N_("{value} over {below} ({low} to {high})")
RANDOM_MOVES = N_("random moves")


def rate_text(figure: Figure) -> str:
    """Return a win rate with its interval: "94% (88% to 98%)"."""
    return _("{value} ({low} to {high})").format(**_numbers(figure, percent))


def gain_text(figure: Figure) -> str:
    """Return a gain in points with its interval: "+5.12 (+4.61 to +5.63)"."""
    return _("{value} ({low} to {high})").format(**_numbers(figure, _signed))


def level_text(spec: GameSpec, agent: AgentID, choice: SeatChoice) -> str:
    """Return how a level does in a seat, compared with the level below: "75% against easy (63% to 84%)".

    "" for other players, and where nothing was measured.
    """
    found = measured().get(spec.id)
    if found is None or choice.kind != "level" or choice.options:
        return ""
    rows = {row.role: row for row in found.at(choice.argument)}
    row = rows.get(spec.roles.get(agent, "")) or rows.get("")  # its own role, else the team's
    if row is None:
        return ""
    place = LEVELS.index(choice.argument)
    below = _(LEVEL_WORDS[LEVELS[place - 1]]) if place else _(RANDOM_MOVES)
    words, number = (WINS, percent) if found.measure == "win rate" else (GAINS, _signed)
    return _(words).format(below=below, **_numbers(row.versus_below, number))


def _numbers(figure: Figure, number: Callable[[float], str]) -> dict[str, str]:
    """Return the mean and the ends of the interval in words."""
    return {"value": number(figure.value), "low": number(figure.low), "high": number(figure.high)}


def _signed(number: float) -> str:
    return local_number(f"{number:+.3g}")
