"""All that a process must know to play matches of a tournament."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from agents.seats.controller import AgentID
from agents.snapshots.store import Snapshot, SnapshotStore
from arcade.games.spec import GameSpec
from arcade.tournaments.plan import Entrant, Fixture, Plan, TournamentError, sides_of


@dataclass(frozen=True, kw_only=True)
class Table:
    """Goes from one process to another, and to machines that have none of our files."""

    plan: Plan
    spec: GameSpec
    snapshots: Mapping[int, Snapshot]  # by the number of their entrant
    folder: str = field(default_factory=os.getcwd)  # where words of modules are looked for

    def lineup(self, fixture: Fixture) -> dict[AgentID, int]:
        """Agent to the number of its entrant."""
        return {
            agent: number
            for seats, number in zip(sides_of(self.spec), fixture.entrants, strict=True)
            for agent in seats
        }  # fmt: skip

    def entrant(self, number: int) -> Entrant:
        """By its number."""
        return self.plan.entrants[number]

    def is_in_lock_step(self, fixture: Fixture) -> bool:
        """Whether all of its entrants can play it beside many others."""
        return all(self.entrant(number).in_lock_step for number in fixture.entrants)

    def seat_seeds(self, fixture: Fixture) -> list[int]:
        """Of each agent's randomness, as a match on the screen has them."""
        count = len(self.spec.agents)
        return [int(seed) for seed in np.random.SeedSequence(fixture.seed).generate_state(count)]


def make_table(plan: Plan, spec: GameSpec, store: SnapshotStore) -> Table:
    """Raises SnapshotError where a snapshot is gone, TournamentError where it is another one than was entered."""
    snapshots = {}
    for number, entrant in enumerate(plan.entrants):
        if entrant.sha256:
            name = entrant.word.partition(":")[2].partition("?")[0]
            snapshots[number] = store.get(name, game=spec.id)
            if snapshots[number].card.sha256 != entrant.sha256:
                raise TournamentError(
                    f"expected the snapshot {name!r} that was entered, got another of that name; begin a new tournament"
                )
    return Table(plan=plan, spec=spec, snapshots=snapshots)
