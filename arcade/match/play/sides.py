"""Changes sides: the players of two teams swap seats for half of the matches."""

from __future__ import annotations

from collections.abc import Mapping

from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from agents.snapshots.store import SnapshotError, SnapshotStore
from arcade.games.spec import GameSpec
from arcade.match.stage.stage import Stage

Lineup = Mapping[AgentID, SeatChoice]


def next_seats(spec: GameSpec) -> dict[AgentID, AgentID]:
    """Each seat to the one of the same number in the next team, or to the next one where all are one team.

    Empty where the teams are not of one size, or there is but one seat.
    """
    if len({len(team) for team in spec.teams}) != 1 or spec.seats == 1:
        return {}
    by = len(spec.teams[0]) if len(spec.teams) > 1 else 1
    seats = [agent for team in spec.teams for agent in team]
    return dict(zip(seats, [*seats[by:], *seats[:by]], strict=True))


def swapped_lineup(spec: GameSpec, lineup: Lineup) -> dict[AgentID, SeatChoice] | None:
    """Move every player to the seat of `next_seats`; None where there are none."""
    return {seat: lineup[agent] for agent, seat in next_seats(spec).items()} or None


def why_not_swap(stage: Stage, lineup: Lineup, *, store: SnapshotStore) -> str:
    """Why this lineup cannot change sides, in words that follow "because"; "" where it can."""
    teams = stage.spec.teams
    if len(teams) != 2 or len(teams[0]) != len(teams[1]):
        sizes = " against ".join(str(len(team)) for team in teams[:8])
        return f"the game has no two teams of one size, but {sizes}"
    opposite = next_seats(stage.spec)
    for agent, other in opposite.items():
        if stage.spaces[agent] != stage.spaces[other]:
            return f"{agent} and {other} see or do different things"
    if all(lineup[agent] == lineup[other] for agent, other in opposite.items()):
        return "both sides have the same players, and would play the same match again"
    reasons = (_why_only_here(lineup[agent], stage, other, store) for agent, other in opposite.items())
    return next(filter(None, reasons), "")


def _why_only_here(choice: SeatChoice, stage: Stage, other: AgentID, store: SnapshotStore) -> str:
    """Why this player cannot take the seat `other`; "" where it can."""
    if choice.kind == "replay":
        return f"{choice} repeats the moves of its own seat"
    if choice.kind == "snapshot":
        try:
            store.get(choice.argument, game=stage.spec.id).check(stage.seat(other))
        except SnapshotError as error:
            return f"{choice} cannot play {other}: {error}"
    if choice.kind == "pool" and not any(card.plays(other) for card in store.list(stage.spec.id)):
        return f"no snapshot of the pool plays {other}"
    return ""
