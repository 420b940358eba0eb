"""A rating as people read it: one number with its 95% interval, on the scale of Elo."""

from __future__ import annotations

from agents.ladder.ratings.online import PROVISIONAL as WIDE
from agents.ladder.ratings.online import Rating
from agents.ladder.ratings.views.view import Interval

PROVISIONAL = "provisional"
CHANGED = "{rating} ({change:+.0f})"


def rating_interval(points: float, margin: float) -> Interval:
    """Return the rating, which reads "1650 ± 40" or "1650 ± 310, provisional"."""
    return Interval(points, points - margin, points + margin, ".0f", PROVISIONAL if margin > WIDE else "")


def online_interval(mu: float, sigma: float) -> Interval:
    """The rating of OpenSkill's estimate and its standard deviation."""
    known = Rating("", mu=mu, sigma=sigma)
    return rating_interval(known.points, known.margin)


def change_text(before: Rating | None, after: Rating | None) -> str:
    """Return the rating after a match and its change, "1650 ± 40 (+12)"; "" where the match changed nothing."""
    if after is None or after == before:
        return ""
    rating = rating_interval(after.points, after.margin)
    return CHANGED.format(rating=rating, change=after.points - (before or Rating(after.name)).points)
