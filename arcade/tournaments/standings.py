"""Standings of a tournament, from its own matches only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from agents.ladder.ratings.batch import BatchFit, fit
from agents.ladder.ratings.rows import Row, counts
from agents.ladder.ratings.views import Interval
from agents.ladder.ratings.views.rating_text import rating_interval
from agents.statistics import Mean, mean_of
from arcade.tournaments.pairings import Outcome, outcome_of, rated_matches
from arcade.tournaments.plan import TournamentPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One entrant's line in the standings, the best first."""

    label: str
    word: str
    elo: float | None  # by maximum likelihood over the tournament, its mean 1500; None before its first match
    low: float | None  # of the 95% interval
    high: float | None
    score: float | None  # mean return of its matches, in a cooperative game
    points: float | None  # in a format that counts points
    matches: int
    wins: int
    draws: int
    losses: int
    forfeits: int  # among the losses where these count

    @property
    def height(self) -> tuple[float, float]:
        """What the standings are sorted by: points, then rating or score."""
        by = self.elo if self.elo is not None else self.score
        return self.points or 0.0, -math.inf if by is None else round(by, 6)

    @property
    def rating(self) -> Interval | None:
        """The rating in this tournament, as people read it; None before its first match and in a cooperative game."""
        if self.elo is None or self.high is None:
            return None
        return rating_interval(self.elo, self.high - self.elo)


def standings_of(
    plan: TournamentPlan, rows: Sequence[Row], *, cooperative: bool
) -> tuple[list[Place], BatchFit | None]:
    """The standings and the ratings they come from, None in a cooperative game; rows in the order of their matches."""
    outcomes = [outcome_of(row, most_ticks=plan.max_ticks) for row in rows]
    fitted = None if cooperative else fit(rated_matches(outcomes, plan.entrants))
    scored = _scores(rows) if cooperative else {}
    rounds = max((one.round for one in outcomes), default=-1) + 1
    points = plan.form.points(plan, outcomes, rounds=rounds)
    places = [
        _place(plan, number, outcomes, fitted, scored.get(number), points[number] if points else None)
        for number in range(len(plan.entrants))
    ]
    return sorted(places, key=lambda place: place.height, reverse=True), fitted


def _place(
    plan: TournamentPlan, number: int, outcomes: Sequence[Outcome], fitted: BatchFit | None, score: Mean | None,
    points: float | None,
) -> Place:  # fmt: skip
    entrant = plan.entrants[number]
    own = [one for one in outcomes if number in one.entrants]
    ends = [one.points[number] for one in own if one.ranks]
    estimate = fitted.players.get(entrant.label) if fitted else None
    return Place(
        label=entrant.label, word=entrant.word,
        elo=estimate.elo if estimate else None, score=score.mean if score else None,
        low=estimate.low if estimate else score.low if score else None,
        high=estimate.high if estimate else score.high if score else None,
        points=points, matches=len(own),
        wins=ends.count(1.0), draws=sum(0 < end < 1 for end in ends), losses=ends.count(0.0),
        forfeits=sum(one.forfeit == number for one in own),
    )  # fmt: skip


def _scores(rows: Sequence[Row]) -> dict[int, Mean]:
    """The mean return of a seat of each entrant in its matches with itself, or else with others."""
    found: dict[tuple[int, bool], list[float]] = {}
    for row in rows:
        entrants = set(outcome_of(row).entrants)
        for number in entrants if row["returns"] and counts(row) else ():
            found.setdefault((number, len(entrants) == 1), []).append(fmean(row["returns"].values()))
    means = {number: mean_of(found.get((number, True)) or found[number, False]) for number, _ in found}
    return {number: mean for number, mean in means.items() if mean is not None}
