"""Pairings: which entrants meet in which seats.  Each meeting is played once in every seating that is possible."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agents.errors import UserError
from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec

Group = tuple[int, ...]
"""Numbers of the entrants that meet, one for each side."""


class TournamentError(UserError):
    """A tournament that is not possible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player of a tournament, who fills all seats of a side."""

    word: str  # its seat word, a snapshot by its name
    label: str  # its name on the ladder
    sides: tuple[int, ...]  # numbers of the sides that it can take
    sha256: str = ""  # of a snapshot's graph, "" for others


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """One match of a tournament."""

    number: int  # 0, 1, … in the tournament
    round: int
    seed: int
    entrants: Group  # by side


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
    """The rotations of a group in which each entrant can take its side, or else one permutation that is possible."""
    turned = list(dict.fromkeys(group[by:] + group[:by] for by in range(len(group))))
    found = [seating for seating in turned if _fits(seating, entrants)]
    if not found:  # as where each entrant knows one role
        found = [seating for seating in itertools.permutations(group) if _fits(seating, entrants)][:1]
    return found


def _fits(seating: Group, entrants: Sequence[Entrant]) -> bool:
    return all(side in entrants[number].sides for side, number in enumerate(seating))


def pairings_of(
    groups: Sequence[Group], entrants: Sequence[Entrant], *, games: int, seed: int, round: int, first: int
) -> list[Pairing]:
    """The matches of a round, numbered from `first` on: `games` seeds, the same for all groups and seatings."""
    seeds = [int(np.random.SeedSequence((seed, round, game)).generate_state(1)[0]) >> 1 for game in range(games)]
    meetings = [(own, seating) for group in groups for own in seeds for seating in seatings(group, entrants)]
    return [
        Pairing(number=first + i, round=round, seed=own, entrants=seating) for i, (own, seating) in enumerate(meetings)
    ]
