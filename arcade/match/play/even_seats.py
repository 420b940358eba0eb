"""Resolves `level:even` seats to concrete opponents, by the ladder beside the snapshots."""

from __future__ import annotations

from collections.abc import Mapping

from agents.ladder.ladder import Ladder, LadderError
from agents.ladder.ratings.online import Rating
from agents.ladder.ratings.rows import player_name
from agents.seats.controller import AgentID, SeatChoice
from agents.seats.even import EvenMatch, find_even, opponents
from agents.snapshots.store import SnapshotStore
from arcade.games.spec import GameSpec
from arcade.games.strengths import heights


def even_matches(
    lineup: Mapping[AgentID, SeatChoice], people: Mapping[AgentID, str], spec: GameSpec, store: SnapshotStore
) -> dict[AgentID, EvenMatch]:
    """The opponent of each ``level:even``: even with the people of the other teams, else with those of its own.

    `people` are the labels of the people who play, by seat.  Reads the disk; raises SnapshotError where none is found.
    """
    ratings = _ratings(spec, store)
    return {agent: _even_match(agent, people, spec, store, ratings) for agent, one in lineup.items() if one.is_even}


def _even_match(
    agent: AgentID, people: Mapping[AgentID, str], spec: GameSpec, store: SnapshotStore, ratings: Mapping[str, Rating]
) -> EvenMatch:
    roles = spec.facts().roles

    def its(label: str) -> str:
        return player_name(label, roles.get(str(agent), ""))

    others = opponents(
        spec.id, agent, store, turn_based=spec.turn_based, scripted=bool(spec.scripted),
        rated=lambda label: its(label) in ratings, has_levels=spec.has_levels,
        heights=heights(spec.id),
    )  # fmt: skip
    opposite = [seat for seat in people if spec.team_of(seat) != spec.team_of(agent)] or list(people)
    names = {people[seat]: player_name(people[seat], roles.get(str(seat), "")) for seat in opposite}
    return find_even(list(names), others, ratings, own=names.__getitem__, its=its)


def _ratings(spec: GameSpec, store: SnapshotStore) -> dict[str, Rating]:
    """Ratings by name; none where the ladder cannot be read."""
    path = store.root.parent / "ladder.sqlite"
    if not path.exists():
        return {}
    try:
        with Ladder(path) as ladder:
            return {rating.name: rating for rating in ladder.ratings(spec.id, roles=spec.facts().roles)}
    except LadderError:
        return {}
