"""Texts of the measured strength of the levels of AI, for people."""

from __future__ import annotations

from agents.seats.controller import LEVELS, AgentID, SeatChoice
from arcade.games.spec import GameSpec
from arcade.games.strengths import Figure, LevelStrength, measured
from arcade.language import N_, _, local_number, percent
from arcade.session.player_names import LEVEL_WORDS

WINS, GAINS = N_("{value} against {below} ({low} to {high})"), N_("{value} over {below} ({low} to {high})")
RANDOM_MOVES = N_("random moves")


def rate_text(figure: Figure) -> str:
    """Return a win rate with its interval: "94% (88% to 98%)"."""
    value, low, high = percent(figure.value), percent(figure.low), percent(figure.high)
    return _("{value} ({low} to {high})").format(value=value, low=low, high=high)


def gain_text(figure: Figure) -> str:
    """Return a gain in points with its interval: "+5.1 (+4.6 to +5.6)"."""
    value, low, high = map(_signed, (figure.value, figure.low, figure.high))
    return _("{value} ({low} to {high})").format(value=value, low=low, high=high)


def level_text(spec: GameSpec, agent: AgentID, choice: SeatChoice) -> str:
    """Return how a level does in a seat, compared with the level below: "75% against easy (63% to 84%)".

    "" for other players, and where nothing was measured.
    """
    found = measured().get(spec.id)
    row = _row_of(spec, agent, choice)
    if found is None or row is None:
        return ""
    place, figure = LEVELS.index(row.level), row.versus_below
    below = _(LEVEL_WORDS[LEVELS[place - 1]]) if place else _(RANDOM_MOVES)
    words, number = (WINS, percent) if found.measure == "win rate" else (GAINS, _tenths)
    value, low, high = map(number, (figure.value, figure.low, figure.high))
    return _(words).format(value=value, below=below, low=low, high=high)


def _row_of(spec: GameSpec, agent: AgentID, choice: SeatChoice) -> LevelStrength | None:
    """Return the measurement of a level in that seat, None where there is none."""
    found = measured().get(spec.id)
    if found is None or choice.kind != "level" or choice.options:
        return None
    rows = [row for row in found.at(choice.argument) if row.role in ("", spec.roles.get(agent, ""))]
    return rows[0] if len(rows) == 1 else None


def _tenths(number: float) -> str:
    return local_number(f"{number:+.1f}")


def _signed(number: float) -> str:
    return local_number(f"{number:+.3g}")
