"""Pairings of entrants and the outcomes of their matches.

Each meeting of entrants is played once in every possible seating.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agents.errors import UserError
from agents.ladder.ratings.repeats import Repeats
from agents.ladder.ratings.rows import MOST_TICKS, Rated, Row, compared_teams, rated
from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec
from arcade.match.batch.plan import NO_OPENING

Group = tuple[int, ...]
"""Numbers of the entrants that meet, one for each side."""


class TournamentError(UserError):
    """A tournament that is not possible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player of a tournament; it fills all seats of a side."""

    word: str  # its seat word, a snapshot by its name
    label: str  # its name on the ladder
    sides: tuple[int, ...]  # numbers of the sides that it can play
    sha256: str = ""  # of a snapshot's graph, "" for others


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """One match of a tournament."""

    number: int  # 0, 1, … in the tournament
    round: int
    seed: int
    entrants: Group  # by side
    opening: int = NO_OPENING  # by number in the plan


def sides_of(spec: GameSpec) -> tuple[tuple[AgentID, ...], ...]:
    """The seats that one entrant fills: a team; where all are one team, every second seat."""
    if len(spec.teams) > 1:
        return spec.teams
    seats = spec.teams[0]
    return (seats[::2], seats[1::2]) if len(seats) > 1 else (seats,)


def lineup_of(pairing: Pairing, spec: GameSpec) -> dict[AgentID, int]:
    """Agent to the number of its entrant, in the order of the game's agents."""
    by_agent = {
        agent: number for seats, number in zip(sides_of(spec), pairing.entrants, strict=True) for agent in seats
    }
    return {agent: by_agent[agent] for agent in spec.agents}


def seatings(group: Group, entrants: Sequence[Entrant]) -> list[Group]:
    """The rotations of a group in which each entrant can play its side, else one possible permutation."""
    turned = list(dict.fromkeys(group[by:] + group[:by] for by in range(len(group))))
    found = [seating for seating in turned if _fits(seating, entrants)]
    if not found:  # as where each entrant knows one role
        found = [seating for seating in itertools.permutations(group) if _fits(seating, entrants)][:1]
    return found


def _fits(seating: Group, entrants: Sequence[Entrant]) -> bool:
    return all(side in entrants[number].sides for side, number in enumerate(seating))


def pairings_of(
    groups: Sequence[Group], entrants: Sequence[Entrant], *, games: int, seed: int, round: int, first: int,
    openings: int = 0,
) -> list[Pairing]:  # fmt: skip
    """The matches of a round, numbered from `first` on: `games` seeds, the same for all groups and seatings.

    Each seed has the next one of so many `openings`.
    """
    seeds = [int(np.random.SeedSequence((seed, round, game)).generate_state(1)[0]) >> 1 for game in range(games)]
    begun = [(round * games + game) % openings if openings else NO_OPENING for game in range(games)]
    meetings = [
        (own, opening, seating)
        for group in groups
        for own, opening in zip(seeds, begun, strict=True)
        for seating in seatings(group, entrants)
    ]
    return [
        Pairing(number=first + i, round=round, seed=own, entrants=seating, opening=opening)
        for i, (own, opening, seating) in enumerate(meetings)
    ]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One match in the ladder's results."""

    number: int
    round: int
    entrants: tuple[int, ...]  # by side
    ranks: tuple[float, ...]  # of each side, smaller is better; () where the match does not count
    forfeit: int = -1  # the entrant that forfeited it, -1 for none
    why: str = ""  # the reason of a forfeit or a failure
    seed: str = ""
    digest: str = ""  # of its actions; "" where it is unknown
    opening: str = ""

    @property
    def points(self) -> dict[int, float]:
        """Of each entrant: 1 for a win over all others, shared where several come first."""
        best = [number for number, rank in zip(self.entrants, self.ranks, strict=True) if rank == min(self.ranks)]
        return {number: best.count(number) / len(best) for number in self.entrants} if self.ranks else {}

    @property
    def compared_sides(self) -> list[int]:
        """The sides that the match ranks."""
        return compared_teams(self.ranks, forfeit=self.forfeit >= 0) if self.ranks else []


def outcome_of(row: Row, *, most_ticks: int = MOST_TICKS) -> Outcome:
    """The outcome in a result of the ladder; `most_ticks` is the limit of the tournament's matches."""
    own = row["settings"]["tournament"]
    places, counts = row["placements"], rated(row, {}, most_ticks=most_ticks) is not None
    forfeit = own.get("forfeit", {})
    return Outcome(
        number=int(own["number"]), round=int(own["round"]), entrants=tuple(own["entrants"]),
        ranks=tuple(min(places[str(agent)] for agent in team) for team in row["teams"]) if counts else (),
        forfeit=int(forfeit.get("entrant", -1)),
        why=str(forfeit.get("why", "") or row["settings"].get("error", "")),
        seed=str(row.get("seed", "")), digest=str(row.get("actions", "")),
        opening=str(row["settings"].get("opening", "")),
    )  # fmt: skip


def booked(rows: Sequence[Row], id: str) -> dict[int, Row]:
    """The rows of the tournament `id`, by the number of the match."""
    found = [(row["settings"].get("tournament", {}), row) for row in rows]
    return {int(own["number"]): row for own, row in found if own.get("id") == id}


def without_repeats(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The outcomes that rank entrants, in their order, without those that repeat another one."""
    repeats, found = Repeats[Outcome](), list[Outcome]()
    for one in sorted(outcomes, key=lambda outcome: outcome.number):
        found += repeats.add((one.entrants, one.opening), one.seed, one.digest, one) if one.ranks else []
    return sorted(found, key=lambda outcome: outcome.number)


def rated_matches(outcomes: Sequence[Outcome], entrants: Sequence[Entrant]) -> list[Rated]:
    """The matches that rank entrants, each side as one player, without repeats."""
    return [
        Rated(
            teams=[[entrants[one.entrants[side]].label] for side in one.compared_sides],
            ranks=[one.ranks[side] for side in one.compared_sides],
            first=None if one.forfeit >= 0 else 0,
        )
        for one in without_repeats(outcomes)
    ]
