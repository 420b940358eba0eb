"""From a match of a tournament to the row that the ladder keeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.seats.controller import AgentID
from agents.seats.words import parse_seat
from arcade.match.play.result import MatchResult, placements
from arcade.tournaments.plan import Fixture, sides_of
from arcade.tournaments.table import Table

Row = dict[str, Any]
"""What `Ladder.add` takes, and more for its settings."""


def played_row(
    table: Table, fixture: Fixture, returns: Mapping[AgentID, float], *, ticks: int, ended: str = "finished"
) -> Row:
    """A match that was played in lock-step, to its end or to the last tick that it may have."""
    return {
        **_row(table, fixture),
        "ticks": ticks,
        "ended": ended,
        "returns": {str(agent): float(value) for agent, value in returns.items()},
        "placements": placements(table.spec, returns),
    }


def match_row(table: Table, fixture: Fixture, result: MatchResult) -> Row:
    """A match that was played alone; what the ladder has no column for is among the settings, as it keeps it."""
    told, row = result.as_json(), _row(table, fixture)
    columns = {name: told.pop(name) for name in ("ticks", "ended", "returns", "placements")}
    more = {name: value for name, value in told.items() if name not in row}
    return {**row, **columns, "settings": {**more, **told["settings"], **_told(fixture, table)}}


def forfeit_row(table: Table, fixture: Fixture, agent: AgentID, why: str, *, ticks: int) -> Row:
    """The side of `agent` forfeited: it comes last, the others share the first place."""
    seats = next(side for side in sides_of(table.spec) if agent in side)
    number = table.lineup(fixture)[agent]
    row = _row(table, fixture)
    row["settings"]["tournament"]["forfeit"] = {
        "entrant": number, "label": table.entrant(number).label, "agent": str(agent), "why": why,
    }  # fmt: skip
    last = len(table.spec.teams)
    return {
        **row,
        "ticks": ticks,
        "ended": "forfeit",
        "placements": {str(other): last if other in seats else 1 for other in table.spec.agents},
    }


def failed_row(table: Table, fixture: Fixture, why: str) -> Row:
    """The game itself failed: nobody won."""
    row = _row(table, fixture)
    row["settings"]["error"] = why
    return {**row, "ended": "failed", "placements": {str(agent): 1 for agent in table.spec.agents}}


def _row(table: Table, fixture: Fixture) -> Row:
    lineup = table.lineup(fixture)
    return {
        "game": table.spec.id,
        "seed": fixture.seed,
        "lineup": {str(agent): table.entrant(number).label for agent, number in lineup.items()},
        "teams": [[str(agent) for agent in team] for team in table.spec.teams],
        "settings": {
            **_told(fixture, table),
            "seats": {str(agent): _seat(table, number) for agent, number in lineup.items()},
        },
    }


def _told(fixture: Fixture, table: Table) -> dict[str, Any]:
    """Which match of which tournament it is."""
    told = {
        "id": table.plan.id, "number": fixture.number, "round": fixture.round, "entrants": list(fixture.entrants)
    }  # fmt: skip
    return {"tournament": told}


def _seat(table: Table, number: int) -> dict[str, Any]:
    """As the controller of such a seat reports it."""
    entrant = table.entrant(number)
    kind = {"kind": parse_seat(entrant.word).kind}
    return {**kind, "snapshot": entrant.label, "sha256": entrant.sha256} if number in table.snapshots else kind
