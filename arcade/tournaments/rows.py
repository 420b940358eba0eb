"""From a match of a tournament to the row that the ladder keeps."""

from __future__ import annotations

from typing import Any

from agents.seats.controller import AgentID
from agents.seats.words import parse_seat
from arcade.games.spec import GameSpec
from arcade.match.batch.plan import Played
from arcade.match.play.result import MatchResult
from arcade.tournaments.pairings import Entrant, Pairing, lineup_of, sides_of
from arcade.tournaments.plan import TournamentPlan

Row = dict[str, Any]
"""The argument of `Ladder.add`, with more in its settings."""


def row_of(plan: TournamentPlan, spec: GameSpec, pairing: Pairing, played: Played) -> Row:
    """The row of a match that was played, was forfeited, or failed."""
    row = _row(plan, spec, pairing)
    if played.result is not None:
        return _match_row(row, played.result)
    if played.culprit is not None:
        return _forfeit_row(row, plan, spec, pairing, played.culprit, played)
    row["settings"]["error"] = played.error
    return {**row, "ended": "failed", "placements": {str(agent): 1 for agent in spec.agents}}


def _match_row(row: Row, result: MatchResult) -> Row:
    """Values without a column of the ladder are kept among the settings."""
    told = result.as_json()
    columns = {name: told.pop(name) for name in ("ticks", "ended", "returns", "placements")}
    more = {name: value for name, value in told.items() if name not in row and (value or value is False)}
    return {**row, **columns, "settings": {**row["settings"], **more, **told["settings"]}}


def _forfeit_row(
    row: Row, plan: TournamentPlan, spec: GameSpec, pairing: Pairing, agent: AgentID, played: Played
) -> Row:  # fmt: skip
    """The side of `agent` comes last, the others share the first place."""
    number = lineup_of(pairing, spec)[agent]
    row["settings"]["tournament"]["forfeit"] = {
        "entrant": number, "label": plan.entrants[number].label, "agent": str(agent), "why": played.error,
    }  # fmt: skip
    seats = next(side for side in sides_of(spec) if agent in side)
    placements = {str(other): len(spec.teams) if other in seats else 1 for other in spec.agents}
    return {**row, "ticks": played.ticks, "ended": "forfeit", "placements": placements}


def _row(plan: TournamentPlan, spec: GameSpec, pairing: Pairing) -> Row:
    entrants = {str(agent): plan.entrants[number] for agent, number in lineup_of(pairing, spec).items()}
    told = {"id": plan.id, "number": pairing.number, "round": pairing.round, "entrants": list(pairing.entrants)}
    return {
        "game": spec.id,
        "seed": pairing.seed,
        "lineup": {agent: entrant.label for agent, entrant in entrants.items()},
        "teams": [[str(agent) for agent in team] for team in spec.teams],
        "settings": {"tournament": told, "seats": {agent: _seat(entrant) for agent, entrant in entrants.items()}},
    }


def _seat(entrant: Entrant) -> dict[str, Any]:
    """The report of a controller in such a seat."""
    kind = {"kind": parse_seat(entrant.word).kind}
    return {**kind, "snapshot": entrant.label, "sha256": entrant.sha256} if entrant.sha256 else kind
