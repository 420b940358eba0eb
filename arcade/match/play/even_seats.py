"""Resolves `level:even` seats to concrete opponents, or partners, by the ladder beside the snapshots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from agents.ladder.ladder import Ladder, LadderError
from agents.ladder.ratings.online import Rating
from agents.ladder.ratings.rows import player_name
from agents.seats.controller import AgentID, SeatChoice
from agents.seats.even import EvenMatch, find_even, opponents
from agents.seats.partners import find_partner, scores_of
from agents.snapshots.store import SnapshotStore
from arcade.games.spec import GameSpec
from arcade.games.strengths import heights, scores_together

T = TypeVar("T")


def even_matches(
    lineup: Mapping[AgentID, SeatChoice], people: Mapping[AgentID, str], spec: GameSpec, store: SnapshotStore
) -> dict[AgentID, EvenMatch]:
    """The player of each ``level:even``: even with the people of the other teams, else a partner of their strength.

    `people` are the labels of the people who play, by seat.  Reads the disk; raises SnapshotError where none is found.
    """
    ratings, scores = _ratings(spec, store), _scores(spec, store, people)
    return {
        agent: _even_match(agent, people, spec, store, ratings, scores) for agent, one in lineup.items() if one.is_even
    }


def _even_match(
    agent: AgentID, people: Mapping[AgentID, str], spec: GameSpec, store: SnapshotStore, ratings: Mapping[str, Rating],
    scores: Sequence[float],
) -> EvenMatch:  # fmt: skip
    roles = spec.facts().roles

    def its(label: str) -> str:
        return player_name(label, roles.get(str(agent), ""))

    others = opponents(
        spec.id, agent, store, turn_based=spec.turn_based, scripted=bool(spec.scripted),
        rated=lambda label: its(label) in ratings, has_levels=spec.has_levels,
        heights=heights(spec.id),
    )  # fmt: skip
    if len(spec.teams) == 1:
        return find_partner(sorted(set(people.values())), others, scores, scores_together(spec))
    opposite = [seat for seat in people if spec.team_of(seat) != spec.team_of(agent)] or list(people)
    names = {people[seat]: player_name(people[seat], roles.get(str(seat), "")) for seat in opposite}
    return find_even(list(names), others, ratings, own=names.__getitem__, its=its)


def _ratings(spec: GameSpec, store: SnapshotStore) -> Mapping[str, Rating]:
    """Ratings by name."""

    def read(ladder: Ladder) -> Mapping[str, Rating]:
        return {rating.name: rating for rating in ladder.ratings(spec.id, roles=spec.facts().roles)}

    return _read(store, read) or {}


def _scores(spec: GameSpec, store: SnapshotStore, people: Mapping[AgentID, str]) -> Sequence[float]:
    """The scores of the people together in a cooperative game, as people play it."""
    if len(spec.teams) > 1 or not people:
        return ()
    settings = {**spec.match_kwargs, **spec.people_kwargs}
    return _read(store, lambda ladder: scores_of(people.values(), ladder.results(spec.id), settings)) or ()


def _read(store: SnapshotStore, read: Callable[[Ladder], T]) -> T | None:
    """What the ladder has; None where it cannot be read."""
    path = store.root.parent / "ladder.sqlite"
    if not path.exists():
        return None
    try:
        with Ladder(path) as ladder:
            return read(ladder)
    except LadderError:
        return None
