"""Standings as plain tables: the same columns for CSV, JSON, pages and terminals."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TextIO

import numpy as np

from agents.ladder.ratings.scores import CrossPlay
from agents.ladder.ratings.standings import GameStandings, Standing
from agents.statistics import Mean

Line = dict[str, Any]
"""Column to text, int, float or None where nothing is known; all lines of a view have the same columns."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a formula begins with in one spreadsheet or another."""

VERSUS_VIEWS = ("ratings", "matrix", "cycles", "history")
COOPERATIVE_VIEWS = ("ratings", "cross-play")


def views_of(standings: GameStandings) -> tuple[str, ...]:
    """The views that the game has: of `VERSUS_VIEWS` or of `COOPERATIVE_VIEWS`."""
    return COOPERATIVE_VIEWS if standings.facts.cooperative else VERSUS_VIEWS


def view(standings: GameStandings, name: str) -> list[Line]:
    """The lines of a view; raises ValueError for one that the game has not."""
    if name not in views_of(standings):
        raise ValueError(f"expected one of {', '.join(views_of(standings))} of {standings.facts.id}, got: {name!r}")
    return [*_VIEWS[name](standings)]


def header(standings: GameStandings) -> Line:
    """What stands above every view: the game, how many results count, first seat and draws."""
    batch, first = standings.batch, standings.first_seat
    told: Line = {
        "game": standings.facts.id, "title": standings.facts.title, "cooperative": standings.facts.cooperative,
        "roles": sorted(set(standings.facts.roles.values())), "matches": standings.matches,
        "left_out": standings.left_out,
    }  # fmt: skip
    if batch is not None:
        told["first_seat"] = first._asdict() if first is not None else None
        told |= {"draw": batch.draw, "converged": batch.converged}
    return told


def columns_of(standings: GameStandings, name: str) -> tuple[str, ...]:
    """The names of a view's columns, also where it has no lines."""
    return _COLUMNS["scores" if name == "ratings" and standings.facts.cooperative else name]


def write_csv(columns: Sequence[str], lines: list[Line], file: TextIO) -> None:
    """With the columns' names above, also of no lines.  What is not known is empty.

    A text that a spreadsheet would take for a formula gets an apostrophe in front: players call themselves what they
    like (https://owasp.org/www-community/attacks/CSV_Injection).
    """
    writer = csv.DictWriter(file, fieldnames=columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _no_formula(value) for name, value in line.items()} for line in lines)


def _no_formula(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _ratings(standings: GameStandings) -> Iterator[Line]:
    tell = _score_of if standings.facts.cooperative else _rating_of
    places: Counter[str] = Counter()
    for standing in standings.table:
        places[standing.role] += 1
        who = {"name": standing.name, "label": standing.label, "role": standing.role, "kind": standing.kind}
        yield {"place": places[standing.role], **who, **tell(standing)}


def _rating_of(standing: Standing) -> Line:
    rating, batch = standing.rating, standing.batch
    assert rating is not None  # a versus game
    return {
        "mu": rating.mu, "sigma": rating.sigma, "low": rating.low, "high": rating.high, "ordinal": rating.ordinal,
        "elo": rating.elo, "batch_elo": batch and batch.elo, "batch_low": batch and batch.low,
        "batch_high": batch and batch.high, "games": rating.games, "wins": rating.wins, "draws": rating.draws,
        "losses": rating.losses,
    }  # fmt: skip


def _score_of(standing: Standing) -> Line:
    assert standing.score is not None  # a cooperative game
    return _mean("alone", standing.score.alone) | _mean("mixed", standing.score.mixed)


def _mean(name: str, mean: Mean | None) -> Line:
    parts = (mean.mean, mean.low, mean.high, mean.count) if mean else (None, None, None, 0)
    return dict(zip((name, f"{name}_low", f"{name}_high", f"{name}_games"), parts, strict=True))


def _matrix(standings: GameStandings) -> Iterator[Line]:
    matrix = standings.matrix
    assert matrix is not None
    names = [standing.name for standing in standings.table]
    place = {label: number for number, label in enumerate(matrix.labels)}
    at = [place[name] for name in names]
    for row, column in np.argwhere(matrix.games[np.ix_(at, at)]).tolist():  # of hundreds of players few pairs have met
        record = matrix.pair(names[row], names[column])
        yield {"name": names[row], "other": names[column], **record._asdict()}


def _cycles(standings: GameStandings) -> Iterator[Line]:
    assert standings.matrix is not None
    for cycle in standings.matrix.cycles():
        labels = dict(zip(("first", "second", "third"), cycle.labels, strict=True))
        rates = dict(zip(("first_rate", "second_rate", "third_rate"), cycle.rates, strict=True))
        yield {**labels, **rates, "low": cycle.low}


def _history(standings: GameStandings) -> Iterator[Line]:
    moments = ((m.result, name, m) for name, course in standings.history.items() for m in course)
    for result, name, moment in sorted(moments, key=lambda one: one[:2]):
        rating = moment.rating(name)
        course = {"mu": moment.mu, "sigma": moment.sigma, "low": rating.low, "high": rating.high, "elo": moment.elo}
        yield {"result": result, "time": moment.time, "name": name, **course}


def _cross_play(standings: GameStandings) -> Iterator[Line]:
    table = standings.cross_play
    assert table is not None
    for own, label in enumerate(table.labels):
        for its, partner in enumerate(table.labels):
            if table.games[own, its]:
                yield {"label": label, "partner": partner, **_cell(table, own, its)}


def _cell(table: CrossPlay, own: int, its: int) -> Line:
    half = float(table.half[own, its])
    return {
        "mean": float(table.mean[own, its]), "half": None if math.isnan(half) else half,
        "games": int(table.games[own, its]),
    }  # fmt: skip


_VIEWS: Mapping[str, Callable[[GameStandings], Iterator[Line]]] = {
    "ratings": _ratings, "matrix": _matrix, "cycles": _cycles, "history": _history, "cross-play": _cross_play
}  # fmt: skip

_COLUMNS = {name: tuple(words.split()) for name, words in {
    "ratings": "place name label role kind mu sigma low high ordinal elo batch_elo batch_low batch_high "
               "games wins draws losses",
    "scores": "place name label role kind alone alone_low alone_high alone_games "
              "mixed mixed_low mixed_high mixed_games",
    "matrix": "name other games wins draws losses rate low high",
    "cycles": "first second third first_rate second_rate third_rate low",
    "history": "result time name mu sigma low high elo",
    "cross-play": "label partner mean half games",
}.items()}  # fmt: skip
