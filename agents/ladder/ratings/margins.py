"""The intervals of ratings that people read, from the fit over all matches.

OpenSkill takes matches as independent: its own interval is too narrow where matches of a pair depend on each other, and
for a rating that its order of matches has led astray.  The fit knows both.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from statistics import NormalDist

from agents.ladder.ratings.batch import BatchFit
from agents.ladder.ratings.online import ELO_START, UNKNOWN, Rating
from agents.statistics import CONFIDENCE, Z

_ONE_SIDED = NormalDist().inv_cdf(CONFIDENCE) / Z


def with_margins(ratings: Sequence[Rating], fit: BatchFit, *, steady: Collection[str] = ()) -> list[Rating]:
    """Return the ratings with margins that hold the truth in 95 of 100 cases, as distances to the mean of all players.

    A rating that is d away from the fit's estimate has a margin of d and the fit's one-sided interval; one close to it
    the fit's two-sided interval; neither is wider than that of a player without matches.  Only `steady` players, who
    do not learn, may be more certain than OpenSkill says.  Players that the fit does not know keep OpenSkill's
    interval.
    """
    known = [one for one in ratings if one.name in fit.players]
    total = sum(fit.shares[one.name] for one in known)
    if not total:
        return list(ratings)
    mean = sum(fit.shares[one.name] * one.points for one in known) / total

    def margin(one: Rating) -> float:
        elo, low, high = fit.players[one.name]
        away, half = abs(one.points - mean - (elo - ELO_START)), (high - low) / 2
        found = min(UNKNOWN.margin, max(half, away + _ONE_SIDED * half))
        return found if one.name in steady else max(found, one.margin)

    margins = {one.name: margin(one) for one in known}
    return [replace(one, half=margins.get(one.name)) for one in ratings]
