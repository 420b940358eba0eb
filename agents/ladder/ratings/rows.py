"""Rated: a ladder row as a rated match; GameFacts: the facts of a game that ratings depend on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.seats.controller import HUMAN_KINDS

_KINDS: Mapping[str, str] = {
    **dict.fromkeys(HUMAN_KINDS, "person"), "level": "snapshot", "pool": "snapshot", "uci": "engine", "gtp": "engine",
}  # fmt: skip
"""Seat kind → kind of player; other kinds have the same name."""

DECIDED = ("finished", "max_ticks", "resigned", "out_of_time", "agreed")
"""Endings of matches that have a winner, or a draw."""

MOST_TICKS = 20_000
"""The length at which a match is decided by its score; one that was ended by a lower limit is cut short."""

CUT_SHORT = "it was cut short"

Row = Mapping[str, Any]
"""One result as `Ladder.results` gives it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFacts:
    """The facts of a game that ratings depend on, made by `GameSpec.facts`."""

    id: str
    title: str = ""
    teams: tuple[tuple[str, ...], ...] = ()  # agents; the first one has the first seat
    roles: Mapping[str, str] = field(default_factory=dict)  # agent to role, {} where all seats need the same skill
    cooperative: bool = False  # all seats are one team: rated by score


@dataclass(frozen=True, slots=True)
class Rated:
    """One match between teams of players."""

    teams: Sequence[Sequence[str]]  # names: labels, or "label [role]" where roles differ
    ranks: Sequence[float]  # of each team, smaller is better, ties share one
    first: int | None = 0  # the team in the first seat; None: not counted for its advantage
    steady: frozenset[str] = frozenset()  # names of players whose strength does not change: snapshots, engines, …


def facts_from(row: Row) -> GameFacts:
    """Return the facts in a row, for games no longer in the catalogue."""
    teams = tuple(tuple(str(agent) for agent in team) for team in row["teams"])
    return GameFacts(id=row["game"], title=row["game"], teams=teams, cooperative=len(teams) < 2)


def player_name(label: str, role: str) -> str:
    """Return the rated name of a label in a role: ``volley-7``, or ``ppo-7 [adversary]`` where roles differ."""
    return f"{label} [{role}]" if role else label


def counts(row: Row, *, most_ticks: int = MOST_TICKS) -> bool:
    """Return whether the match counts, see `why_unrated`."""
    return not why_unrated(row, most_ticks=most_ticks)


def why_unrated(row: Row, *, most_ticks: int = MOST_TICKS) -> str:
    """Return why the match does not count, "" where it does: the only place that decides it.

    A match counts that ended by the game's own rules, its time limit among them, or after `most_ticks`, without a
    change of seats, with people at the game's own speed.  One that was cut short before says little of strength, even
    with one side ahead; the scores of one team are compared with others of that length, see `condition`.
    """
    settings = row["settings"]
    if settings.get("error") or row["ended"] == "failed":
        return "the match failed"
    if not _has_ended(row):
        return "it ended early"
    for name, reason in (("changes", "a seat changed"), ("rules", "it had rules of its own")):
        if settings.get(name):
            return reason
    if not settings.get("rated", True) and settings.get("unrated") != CUT_SHORT:  # which `most_ticks` decides
        return str(settings.get("unrated") or "it was played under other conditions")
    has_people = any(report.get("kind") in HUMAN_KINDS for report in settings.get("seats", {}).values())
    if has_people and settings.get("speed", 1) != 1:
        return "people played at another speed"
    is_short = row["ended"] == "max_ticks" and len(row["teams"]) > 1 and row["ticks"] < most_ticks
    return CUT_SHORT if is_short else ""


def _has_ended(row: Row) -> bool:
    has_sides = len(row["teams"]) > 1
    return row["ended"] in DECIDED or (row["ended"] == "forfeit" and has_sides)


def condition(row: Row) -> str:
    """Return the conditions under which scores are not comparable with the game's own: ``max_cycles 600``, or
    ``100 ticks`` for a match that ended early after so many; "" for the game's own."""
    changes = [f"{name} {value}" for name, value in sorted(row["settings"].get("game_kwargs", {}).items())]
    return ", ".join([*changes, *([f"{row['ticks']} ticks"] if row["ended"] == "max_ticks" else [])])


def scored_as(row: Row, role: str) -> str:
    """Return the role of a seat with the match's `condition`, by which scores are grouped."""
    return ", ".join(filter(None, (role, condition(row))))


def compared_teams(ranks: Sequence[float], *, forfeit: bool) -> list[int]:
    """Return the indices of the teams that a match compares: all of them; after a forfeit the one that forfeited, the
    last, and the one in the next seat, since it did not lose to each of the others."""
    last = max(range(len(ranks)), key=ranks.__getitem__)
    return sorted((last, (last + 1) % len(ranks))) if forfeit else list(range(len(ranks)))


def rated(row: Row, roles: Mapping[str, str], *, most_ticks: int = MOST_TICKS) -> Rated | None:
    """Return the match to be rated, or None where it compares no teams.

    `roles` as in `GameFacts`, `most_ticks` as in `why_unrated`.
    """
    lineup, placements = row["lineup"], row["placements"]
    teams = [[str(agent) for agent in team] for team in row["teams"] if team]
    if (
        not counts(row, most_ticks=most_ticks)
        or len(teams) < 2
        or not all(agent in placements for team in teams for agent in team)
    ):
        return None
    forfeit = row["ended"] == "forfeit"
    ranks = [min(placements[agent] for agent in team) for team in teams]
    compared = compared_teams(ranks, forfeit=forfeit)
    return Rated(
        teams=[[player_name(lineup[agent], roles.get(agent, "")) for agent in teams[place]] for place in compared],
        ranks=[ranks[place] for place in compared],
        first=None if forfeit else 0,  # the first to move is also the first to crash
        steady=_steady(row, roles),
    )


STEADY = ("snapshot", "engine", "scripted", "random", "idle")
"""Kinds of players that do not learn."""


def _steady(row: Row, roles: Mapping[str, str]) -> frozenset[str]:
    kinds = player_kinds(row)
    names = ((label, roles.get(agent, "")) for agent, label in row["lineup"].items())
    return frozenset(player_name(label, role) for label, role in names if kinds[label] in STEADY)


def player_kinds(row: Row) -> dict[str, str]:
    """Return label → kind: "person", "snapshot", "engine", "remote", "python", "scripted", …; "" if unknown."""
    seats = row["settings"].get("seats", {})
    return {
        label: _player_kind(label, seats.get(agent, {}), row.get("source", ""))
        for agent, label in row["lineup"].items()
    }


def _player_kind(label: str, seat: Mapping[str, Any], source: str) -> str:
    if "kind" in seat:
        return _KINDS.get(seat["kind"], str(seat["kind"]))
    if "device" in seat:  # older rows have no kinds
        return "person"
    if "snapshot" in seat or source == "trainer":
        return "snapshot"
    return label if label in ("random", "idle", "scripted") else ""
