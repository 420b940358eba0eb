"""PlayedMatch: one result on the ladder, as one of its players sees it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from agents.ladder.ratings.rows import Row, condition, counts, player_kinds
from agents.seats.controller import LEVELS

Outcome = Literal["win", "draw", "loss", ""]


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherPlayer:
    """Another player of a match."""

    label: str
    kind: str  # of player, as in `player_kinds`: "person", "snapshot", "engine", …
    level: str = ""  # one of LEVELS, "" for none


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch:
    """One match of a player."""

    number: int  # on the ladder
    game: str
    time: float  # seconds since 1970, UTC, when it ended
    seconds: float = 0.0
    outcome: Outcome = ""  # "": a single team, both sides played by one player, or a match that does not count
    finished: bool = True  # it ended by the game's rules, and no seat changed hands
    score: float = 0.0  # of the player's seats, their mean
    terms: str = ""  # scores of matches with the same terms can be compared
    opponents: tuple[OtherPlayer, ...] = ()
    allies: tuple[OtherPlayer, ...] = ()

    @property
    def is_together(self) -> bool:
        """Whether all players were one team."""
        return not self.opponents

    def beat(self, level: str) -> bool:
        """Whether the player won against AI of that difficulty level in every opposing seat."""
        return self.outcome == "win" and bool(self.opponents) and all(one.level == level for one in self.opponents)

    def beat_kind(self, kind: str) -> bool:
        """Whether the player won against a player of that kind."""
        return self.outcome == "win" and any(one.kind == kind for one in self.opponents)


def matches_of(label: str, rows: Iterable[Row]) -> list[PlayedMatch]:
    """Return the matches of the player with that label, in the order of `rows`."""
    return [_match_of(label, row) for row in rows if label in row["lineup"].values()]


def level_in(label: str, report: Mapping[str, Any]) -> str:
    """Return the difficulty level of an AI player, from what it reported or from its label; "" for none."""
    named = [word for word in re.split(r"[^a-z]+", label.lower()) if word in LEVELS]
    return str(report.get("level", "")) or (named[-1] if named else "")


def _match_of(label: str, row: Row) -> PlayedMatch:
    lineup: Mapping[str, str] = row["lineup"]
    own_teams = [team for team in row["teams"] if any(lineup[str(agent)] == label for agent in team)]
    mates = {str(agent) for team in own_teams for agent in team}
    others = {agent: _other(agent, row) for agent, name in lineup.items() if name != label}
    scores = [float(row["returns"].get(agent, 0.0)) for agent, name in lineup.items() if name == label]
    regular = counts(row)
    return PlayedMatch(
        number=int(row["id"]),
        game=row["game"],
        time=float(row["time"]),
        seconds=float(row["settings"].get("seconds", 0.0)),
        outcome=_outcome(row, own_teams) if regular and len(own_teams) == 1 else "",
        finished=regular,
        score=sum(scores) / len(scores),
        terms=condition(row),
        opponents=tuple(one for agent, one in others.items() if agent not in mates),
        allies=tuple(one for agent, one in others.items() if agent in mates),
    )


def _other(agent: str, row: Row) -> OtherPlayer:
    label, report = row["lineup"][agent], row["settings"].get("seats", {}).get(agent, {})
    kind = player_kinds(row)[label]
    return OtherPlayer(label=label, kind=kind, level="" if kind == "person" else level_in(label, report))


def _outcome(row: Row, own_teams: list[list[str]]) -> Outcome:
    """As the ladder counts: alone in the first place is a win, sharing it a draw."""
    if len(row["teams"]) < 2 or not all(str(agent) in row["placements"] for team in row["teams"] for agent in team):
        return ""
    places = [min(row["placements"][str(agent)] for agent in team) for team in row["teams"]]
    if min(row["placements"][str(agent)] for agent in own_teams[0]) > 1:
        return "loss"
    return "win" if places.count(1) == 1 else "draw"
