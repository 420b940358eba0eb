"""GameStandings: everything computed from the results of one game, for pages, tables and files.

Versus games are rated by results, cooperative ones by score; where roles differ, each label in each role.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from agents.ladder.ladder import Ladder, Moment
from agents.ladder.ratings.batch import ELO, BatchFit, Estimate, fit
from agents.ladder.ratings.margins import with_margins
from agents.ladder.ratings.online import Rating, strongest_first
from agents.ladder.ratings.pairs import HeadToHead, PairTable, Score, WinMatrix, cross_play, scores, win_matrix
from agents.ladder.ratings.repeats import without_repeats
from agents.ladder.ratings.rows import GameFacts, Row, counts, facts_from, player_kinds, player_name, rated
from agents.statistics import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One row of the table."""

    label: str
    role: str  # "" where all seats need the same skill; of scores also with a condition that is not the game's own
    kind: str  # of player, as in `rows.player_kinds`: "person", "snapshot", "engine", ...
    rating: Rating | None  # None in cooperative games
    batch: Estimate | None  # by maximum likelihood over all matches, in points of Elo; None in cooperative games
    score: Score | None  # None in versus games

    @property
    def name(self) -> str:
        """The name used in all parts of the standings."""
        return player_name(self.label, self.role)


@dataclass(frozen=True, kw_only=True)
class GameStandings:
    """The standings of one game."""

    facts: GameFacts
    last: int  # the newest result's number, 0 without any
    matches: int  # results that count
    left_out: int  # those that do not: ended early, or with changed seats
    repeats: int  # those that are the same match again as another one, and count once with it
    table: tuple[Standing, ...]  # the strongest first; where roles differ role by role, in the order of the seats
    batch: BatchFit | None  # None in cooperative games
    pairs: PairTable  # in the table's order: of labels in a cooperative game, else a WinMatrix of names
    history: Mapping[str, tuple[Moment, ...]] = field(default_factory=dict)  # name to its course; {} where cooperative
    notice: str = ""  # for people, about results that are lost or cannot be read

    @property
    def matrix(self) -> WinMatrix | None:
        """The win rates of all pairs of names; None in cooperative games."""
        return self.pairs if isinstance(self.pairs, WinMatrix) else None

    @property
    def first_seat(self) -> Estimate | None:
        """The advantage of the first seat in points of Elo; None where seats are roles or one team."""
        return self.batch.first_seat if self.batch else None

    def margin(self, rating: Rating) -> float:
        """Return the margin of an earlier rating: with fewer matches it was no more certain than the newest is."""
        return max(rating.margin, self._margins.get(rating.name, 0.0))

    @cached_property
    def _margins(self) -> dict[str, float]:
        return {one.name: one.rating.margin for one in self.table if one.rating is not None}


_CACHE: WeakKeyDictionary[Ladder, dict[str, GameStandings]] = WeakKeyDictionary()


def standings(ladder: Ladder, game: str, *, facts: GameFacts | None = None) -> GameStandings:
    """Return the game's standings from all of its results, cached until there is a new one.

    `facts` as from `GameSpec.facts`, by default those of the newest result.  Takes seconds for ten thousand results:
    don't call it on the window's thread.  Raises LadderError where the file cannot be read.
    """
    cached = _CACHE.setdefault(ladder, {})
    found = cached.get(game)
    if found is None or found.last != ladder.last(game) or (facts is not None and found.facts != facts):
        found = cached[game] = _make(ladder, game, facts)
    return found


def _make(ladder: Ladder, game: str, facts: GameFacts | None) -> GameStandings:
    found = ladder.results(game)
    rows = without_repeats(found)
    facts = facts or (facts_from(rows[-1]) if rows else GameFacts(id=game))
    last = int(found[-1]["id"]) if found else 0
    kinds = _kinds(rows)
    if facts.cooperative:
        made = _cooperative(rows, facts, kinds)
    else:
        made = _versus(rows, facts, kinds, _until(last, ladder.history(game, roles=facts.roles)))
    groups = [*facts.roles.values(), *(standing.role for standing in made["table"])]
    table = tuple(sorted(made["table"], key=lambda standing: groups.index(standing.role)))
    pairs = made["pairs"].ordered(one.label if facts.cooperative else one.name for one in table)
    left_out = len(rows) - made["matches"]
    made |= {"table": table, "pairs": pairs, "repeats": len(found) - len(rows)}
    return GameStandings(facts=facts, last=last, left_out=left_out, notice=ladder.notice, **made)


def _kinds(rows: Sequence[Row]) -> dict[str, str]:
    """Return the kind of every label, by the newest row that has it."""
    kinds: dict[str, str] = {}
    for row in reversed(rows):
        if any(label not in kinds for label in row["lineup"].values()):
            kinds = {label: kind for label, kind in player_kinds(row).items() if kind} | kinds
    return kinds


def _until(last: int, history: Mapping[str, Sequence[Moment]]) -> dict[str, tuple[Moment, ...]]:
    """Return the history without results added since the rows were read."""
    courses = {name: tuple(one for one in course if one.result <= last) for name, course in history.items()}
    return {name: course for name, course in courses.items() if course}


def _cooperative(rows: Sequence[Row], facts: GameFacts, kinds: Mapping[str, str]) -> dict[str, Any]:
    table = tuple(
        Standing(label=one.label, role=one.role, kind=kinds.get(one.label, ""), rating=None, batch=None, score=one)
        for one in scores(rows, facts.roles)
    )
    matches = sum(bool(row["returns"]) and counts(row) for row in rows)
    return {"table": table, "matches": matches, "batch": None, "pairs": cross_play(rows)}


def _versus(
    rows: Sequence[Row], facts: GameFacts, kinds: Mapping[str, str], history: Mapping[str, tuple[Moment, ...]]
) -> dict[str, Any]:
    matches = [match for row in rows if (match := rated(row, facts.roles)) is not None]
    batch = fit(matches, first_seat=bool(matches) and not facts.roles)
    players = _players(rows, facts.roles)

    steady = frozenset[str]().union(*(match.steady for match in matches))
    ratings = with_margins([course[-1].rating for course in history.values()], batch, steady=steady)

    def standing(rating: Rating) -> Standing:
        label, role = players[rating.name]
        estimate = batch.players.get(rating.name)
        return Standing(label=label, role=role, kind=kinds.get(label, ""), rating=rating, batch=estimate, score=None)

    table = tuple(map(standing, sorted(ratings, key=strongest_first)))
    pairs = win_matrix(matches)
    return {"table": table, "matches": len(matches), "batch": batch, "pairs": pairs, "history": history}


def _players(rows: Sequence[Row], roles: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return the label and role of each name."""
    seated = ((label, roles.get(agent, "")) for row in rows for agent, label in row["lineup"].items())
    return {player_name(label, role): (label, role) for label, role in seated}


MOST_POINTS = 300  # of one course


@dataclass(frozen=True, slots=True)
class Course:
    """The history of one rating; all arrays are (points,), oldest first."""

    name: str
    numbers: Floats  # of the match before, counting those that changed a rating
    points: Floats  # the rating that people read, on the scale of Elo
    half: Floats  # of its 95% interval


def courses(standings: GameStandings, names: Sequence[str], *, most: int = MOST_POINTS) -> list[Course]:
    """Return the courses of `names`, thinned to about `most` points without losing the first and last."""
    results = sorted({moment.result for course in standings.history.values() for moment in course})
    number = {result: place for place, result in enumerate(results, 1)}
    return [_course(standings, name, number, most) for name in names if name in standings.history]


def _course(standings: GameStandings, name: str, number: dict[int, int], most: int) -> Course:
    moments = standings.history[name]
    step = max(1, math.ceil(len(moments) / most))
    thinned = [*moments[:-1:step], moments[-1]]
    points = [(number[m.result], m.rating.points, standings.margin(m.rating)) for m in thinned]
    return Course(name, *np.array(points, np.float64).T)


def expected_share(standings: GameStandings, name: str, other: str) -> float | None:
    """Return the share of a match against `other` that the ratings over all matches predict for `name`.

    None for an unrated player, and for two players of one role, who never meet.  Davidson's model of draws (Journal of
    the American Statistical Association 65, 1970), without the first seat.
    """
    batch, matrix = standings.batch, standings.matrix
    if batch is None or matrix is None or not {name, other} <= batch.players.keys():
        return None
    if standings.facts.roles and not matrix.pair(name, other).games:
        return None
    half = (batch.players[name].elo - batch.players[other].elo) / ELO / 2
    tie = 2 * batch.draw / (1 - batch.draw)
    weights = math.exp(half), math.exp(-half)
    return (weights[0] + tie / 2) / (sum(weights) + tie)


def most_played(standings: GameStandings, most: int) -> list[HeadToHead]:
    """Return up to `most` pairs of a versus game, by number of matches; each names the stronger player first."""
    matrix = standings.matrix
    if matrix is None:
        return []
    met = np.argwhere(np.triu(matrix.games)).tolist()
    met.sort(key=lambda pair: -matrix.games[*pair])
    return [matrix.pair(matrix.names[row], matrix.names[column]) for row, column in met[:most]]
