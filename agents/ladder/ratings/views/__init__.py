"""The views of a game's standings; a new one is an object and an entry in VIEWS."""

from __future__ import annotations

from agents.errors import UserError
from agents.ladder.ratings.standings import GameStandings
from agents.ladder.ratings.views.built_in import CROSS_PLAY, CYCLES, HISTORY, MATRIX, RATINGS, SCORES, STATISTICS
from agents.ladder.ratings.views.view import Column, Interval, Kind, Line, View, write_csv

__all__ = [
    "VIEWS", "Column", "Interval", "Kind", "Line", "View", "facts_text", "find_view", "header", "views_of",
    "write_csv",
]  # fmt: skip

VIEWS: list[View] = [RATINGS, SCORES, MATRIX, CYCLES, HISTORY, CROSS_PLAY, STATISTICS]
"""In the order of the window's pages and the report's tables."""

FIRST_SEAT_KNOWN = 200.0
"""The widest half interval, in points of Elo, with which the first seat's advantage is shown."""


def views_of(standings: GameStandings) -> list[View]:
    """Return the views of the game."""
    return [view for view in VIEWS if view.fits(standings)]


def find_view(standings: GameStandings, name: str) -> View:
    """Return the view of that name; raises UserError if the game has none."""
    found = {view.name: view for view in views_of(standings)}
    if name not in found:
        raise UserError(f"expected --view {', '.join(found)} for {standings.facts.id}, got: {name!r}")
    return found[name]


def header(standings: GameStandings) -> Line:
    """Return the facts for all views: the game, how many results count, first seat and draws."""
    batch, first = standings.batch, standings.first_seat
    found: Line = {
        "game": standings.facts.id, "title": standings.facts.title, "cooperative": standings.facts.cooperative,
        "roles": sorted(set(standings.facts.roles.values())), "matches": standings.matches,
        "left_out": standings.left_out, "repeats": standings.repeats,
    }  # fmt: skip
    if batch is not None:
        found["first_seat"] = first._asdict() if first is not None else None
        found |= {"draw": batch.draw, "converged": batch.converged}
    return found


def facts_text(standings: GameStandings) -> list[str]:
    """Return the header as texts for people."""
    batch, first = standings.batch, standings.first_seat
    parts = [f"{standings.matches:,} match{'es count' if standings.matches != 1 else ' counts'}"]
    if standings.left_out:
        parts.append(f"{standings.left_out:,} left out (ended early, or with changed seats)")
    if standings.repeats:
        parts.append(f"{standings.repeats:,} left out as repeats of the same moves")
    if first is not None and (first.high - first.low) / 2 < FIRST_SEAT_KNOWN:
        parts.append(f"the first seat is worth {first.elo:+.0f} Elo ({first.low:+.0f} to {first.high:+.0f})")
    if batch is not None and standings.matches:
        parts.append(f"draws between equals: {batch.draw:.0%}")
        if not batch.converged:
            parts.append("Elo over all matches has not converged")
    if standings.facts.cooperative:
        parts.append("rated by score")
    if standings.facts.roles:
        parts.append("rated by role")
    return parts
