"""Outcomes of a tournament's matches, as its formats and standings use them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.ladder.ratings.rows import Rated, Row, compared_teams, rated
from arcade.tournaments.pairings import Entrant


@dataclass(frozen=True, slots=True)
class Outcome:
    """One match in the ladder's results."""

    number: int
    round: int
    entrants: tuple[int, ...]  # by side
    ranks: tuple[float, ...]  # of each side, smaller is better; () where the match does not count
    forfeit: int = -1  # the entrant that forfeited it, -1 for none
    why: str = ""  # the reason of a forfeit or a failure

    @property
    def points(self) -> dict[int, float]:
        """Of each entrant: 1 for a win over all others, shared where several come first."""
        best = [number for number, rank in zip(self.entrants, self.ranks, strict=True) if rank == min(self.ranks)]
        return {number: best.count(number) / len(best) for number in self.entrants} if self.ranks else {}

    @property
    def told_apart(self) -> list[int]:
        """The sides that the match ranks."""
        return compared_teams(self.ranks, forfeit=self.forfeit >= 0) if self.ranks else []


def outcome_of(row: Row) -> Outcome:
    """The outcome in a result of the ladder."""
    told = row["settings"]["tournament"]
    places, counts = row["placements"], rated(row, {}) is not None
    forfeit = told.get("forfeit", {})
    return Outcome(
        number=int(told["number"]),
        round=int(told["round"]),
        entrants=tuple(told["entrants"]),
        ranks=tuple(min(places[str(agent)] for agent in team) for team in row["teams"]) if counts else (),
        forfeit=int(forfeit.get("entrant", -1)),
        why=str(forfeit.get("why", "") or row["settings"].get("error", "")),
    )


def booked(rows: Sequence[Row], id: str) -> dict[int, Row]:
    """The rows of the tournament `id`, by the number of the match."""
    found: dict[int, Row] = {}
    for row in rows:
        told: Mapping[str, Any] = row["settings"].get("tournament", {})
        if told.get("id") == id:
            found[int(told["number"])] = row
    return found


def rated_matches(outcomes: Sequence[Outcome], entrants: Sequence[Entrant]) -> list[Rated]:
    """The matches that rank entrants, each side as one player."""
    return [
        Rated(
            teams=[[entrants[one.entrants[side]].label] for side in one.told_apart],
            ranks=[one.ranks[side] for side in one.told_apart],
            first=None if one.forfeit >= 0 else 0,
        )
        for one in outcomes
        if one.ranks
    ]
