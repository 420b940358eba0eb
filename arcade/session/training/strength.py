"""How strong a run is: the newest value of its most significant curve, also in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from arcade.language import N_, _, local_number, ngettext, percent
from arcade.session.training.curves import Curves, Point

OPPONENTS = {
    "win_rate_scripted?level=easy": N_("the easy AI"),
    "win_rate_scripted": N_("the game's bot"),
    "win_rate_first": N_("its first version"),
    "win_rate_random": N_("a random bot"),
    "win_rate": N_("its earlier versions"),
}
"""Curves of win rates and the opponents they are against, the most telling first."""

MEASURED = tuple(name for name in OPPONENTS if name != "win_rate")
"""Those that are measured in a fixed number of matches from time to time."""

SCORES = ("score_alone", "score")
"""Curves of the score, for games that all win or lose together."""

BEATS = N_("Wins {percent} against {opponent}")
SCORED = N_("Scores {score} on average")


@dataclass(frozen=True, slots=True)
class Strength:
    """The newest measurement of a run: a win rate against an opponent, or a score."""

    opponent: str = ""  # "" for a score
    value: float | None = None  # win rate 0 to 1, or score; None before the first measurement
    points: tuple[Point, ...] = ()  # how it got there: step, value
    matches: int = 0  # of the newest measurement; 0 where it is not known


def strength_of(curves: Curves, matches: int = 0) -> Strength:
    """The most significant curve of a run, whose measurements take so many `matches`; 0: not known."""
    for name, opponent in OPPONENTS.items():
        if found := _points(curves, name):
            return Strength(opponent, found[-1][1], tuple(found), matches if name in MEASURED else 0)
    found = next(filter(None, (_points(curves, name) for name in SCORES)), [])
    return Strength("", found[-1][1], tuple(found)) if found else Strength()


def is_better(now: float | None, before: float | None) -> bool:
    """Whether a snapshot measures better than the one before; what was not measured then counts as worse."""
    return before is None or (now is not None and now > before)


def _points(curves: Curves, name: str) -> Sequence[Point]:
    """The curve of that name; where each policy has its own, their mean at the steps that all have."""
    own = curves.of(name)
    if "" in own or len(own) < 2:
        return own.get("", next(iter(own.values()), ()))
    by_step = [dict(points) for points in own.values()]
    common = sorted(set.intersection(*(set(points) for points in by_step)))
    return [(step, fmean(points[step] for points in by_step)) for step in common]


def value_text(strength: Strength) -> str:
    """The newest measurement as a number; "" before the first."""
    if strength.value is None:
        return ""
    return percent(strength.value) if strength.opponent else local_number(f"{strength.value:.3g}")


def strength_text(strength: Strength) -> str:
    """The newest measurement in a few words; "" before the first."""
    if strength.value is None:
        return ""
    if not strength.opponent:
        return _(SCORED).format(score=local_number(f"{strength.value:.3g}"))
    text = _(BEATS).format(opponent=_(strength.opponent), percent=percent(strength.value))
    return f"{text} ({matches_text(strength)})" if strength.matches else text


def matches_text(strength: Strength) -> str:
    """In how many matches it was measured."""
    return ngettext("{count} match", "{count} matches", strength.matches).format(count=strength.matches)
