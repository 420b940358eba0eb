"""A tournament from its plan to its end, begun or gone on with."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from agents.files import replace_file
from agents.ladder.ladder import Ladder
from agents.ladder.ratings.rows import Row
from arcade.tournaments.formats import rounds_of
from arcade.tournaments.outcomes import Outcome, booked, outcome_of
from arcade.tournaments.plan import INFORMATIVE, RESULT_FILE, Fixture, Plan, sides_of, tournament_folder
from arcade.tournaments.standings import as_json, places_of
from arcade.tournaments.table import Table
from trainer.tournament.chunks import chunks_of
from trainer.tournament.workers import Workers


class Watcher(Protocol):
    """Is told how it goes."""

    def on_round(self, number: int, fixtures: int, played: int) -> None: ...

    def on_rows(self, count: int, rows: Callable[[], Sequence[Row]]) -> None: ...


@dataclass
class Tournament:
    """Plays what the ladder does not have of it yet.  Every match is booked as soon as its chunk is played, under a
    key of its own: a kill loses the matches under way, which come out the same again, and none is counted twice."""

    table: Table
    ladder: Ladder
    rows: dict[int, Row] = field(default_factory=dict)  # as the ladder has them, by the number of the match
    played: int = 0  # matches by this process

    @property
    def plan(self) -> Plan:
        return self.table.plan

    @property
    def in_order(self) -> list[Row]:
        """The rows so far, in the order of the matches."""
        return [self.rows[number] for number in sorted(self.rows)]

    @property
    def cooperative(self) -> bool:
        """Whether nobody can win."""
        return len(self.table.spec.teams) < 2

    def first_round(self) -> list[Fixture]:
        """Raises TournamentError where its entrants cannot meet in this format."""
        sides = len(sides_of(self.table.spec))
        return next(rounds_of(self.plan, {}, sides=sides, cooperative=self.cooperative))

    def play(self, workers: Workers, watcher: Watcher) -> dict[str, Any]:
        """To the end; returns the result as plain data."""
        self.rows = booked(self.ladder.results(self.plan.game), self.plan)
        outcomes = {number: outcome_of(row) for number, row in self.rows.items()}
        self.played, began, rounds = 0, time.monotonic(), 0
        sides = len(sides_of(self.table.spec))
        for fixtures in rounds_of(self.plan, outcomes, sides=sides, cooperative=self.cooperative):
            missing = [fixture for fixture in fixtures if fixture.number not in outcomes]
            watcher.on_round(rounds, len(fixtures), len(fixtures) - len(missing))
            self._play_round(missing, outcomes, workers, watcher)
            rounds += 1
        seconds = time.monotonic() - began
        result = {**self.result(rounds), "seconds": seconds, "played_now": self.played}
        replace_file(tournament_folder(self.plan.id) / RESULT_FILE, json.dumps(result, indent=1))
        return result

    def _play_round(
        self, fixtures: Sequence[Fixture], outcomes: dict[int, Outcome], workers: Workers, watcher: Watcher
    ) -> None:
        for rows in workers.play(self.table, chunks_of(self.table, fixtures, workers=workers.count)):
            for row in rows:
                number = int(row["settings"]["tournament"]["number"])
                self.ladder.add(row, source="tournament", settings=row["settings"], key=self.plan.key(number))
                self.rows[number] = {"returns": {}, **row}
                outcomes[number] = outcome_of(self.rows[number])
            self.played += len(rows)
            watcher.on_rows(len(rows), lambda: self.in_order)

    def result(self, rounds: int) -> dict[str, Any]:
        """What came of it so far."""
        plan = self.plan
        places, fitted = places_of(plan, self.in_order, cooperative=self.cooperative)
        outcomes = [outcome_of(row) for row in self.in_order]
        roles = sorted(set(self.table.spec.roles.values()))
        first = fitted.first_seat if fitted and not roles else None
        wide = [
            one.label for one in places
            if one.high is not None and one.low is not None and one.high - one.low > 2 * plan.bound
        ]  # fmt: skip
        return {
            "id": plan.id, "game": plan.game, "format": plan.format, "seed": plan.seed, "rounds": rounds,
            "roles": roles, "matches": len(outcomes), "table": as_json(places),
            "first_seat": first._asdict() if first else None, "draw": fitted.draw if fitted else None,
            **({"bound": plan.bound, "wider": wide} if plan.format == INFORMATIVE else {}),
            "forfeits": [
                {"number": one.number, "label": plan.entrants[one.forfeit].label, "why": one.why}
                for one in outcomes if one.forfeit >= 0
            ],
            "failed": [
                {"number": one.number, "why": one.why} for one in outcomes if one.why and one.forfeit < 0
            ],
        }  # fmt: skip
