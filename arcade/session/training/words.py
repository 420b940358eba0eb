"""What a training does and how strong it is, in plain words and as a small curve: for cards, jobs and the match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from arcade.language import N_, _
from arcade.session.training.curves import Curves, Point
from arcade.session.training.presets import duration_text
from arcade.session.training.run_link import RunLink

OPPONENTS = {
    "win_rate_scripted?level=easy": N_("the easy AI"),
    "win_rate_scripted": N_("the game's bot"),
    "win_rate_random": N_("a random bot"),
    "win_rate": N_("its earlier versions"),
}
"""Curves of win rates and the opponents they are against, the most telling first."""

SCORES = ("score_alone", "score")
"""Curves of the score, for games that all win or lose together."""

PLAIN = {
    "starting": N_("Training {game}: starting. The first opponent is ready in a minute or two."),
    "limited": N_("Training {game}: {left} left."),
    "running": N_("Training {game}."),
    "paused": N_("Training {game} is paused."),
    "stopping": N_("Training {game}: saving what was learnt."),
    "silent": N_("Training {game}: the trainer does not answer."),
    "ended": N_("Training {game} is over."),
}
WINS = {
    "limited": N_("Training {game}: {left} left, now beats {opponent} {percent} of the time."),
    "running": N_("Training {game}: now beats {opponent} {percent} of the time."),
    "ended": N_("Training {game} is over: it beats {opponent} {percent} of the time."),
}
SCORED = {
    "limited": N_("Training {game}: {left} left, now scores {score} on average."),
    "running": N_("Training {game}: now scores {score} on average."),
    "ended": N_("Training {game} is over: it scores {score} on average."),
}
_STATES = {"looking": "starting", "connecting": "starting", "stopped": "stopping"}
"""States of a link that are told as another one."""


@dataclass(frozen=True, slots=True)
class Strength:
    """The newest measurement of a run: a win rate against an opponent, or a score."""

    opponent: str = ""  # "" for a score
    value: float | None = None  # win rate 0 to 1, or score; None before the first measurement
    points: tuple[Point, ...] = ()  # how it got there: step, value


def strength_of(curves: Curves) -> Strength:
    """The most telling curve of a run."""
    for name, opponent in OPPONENTS.items():
        if found := _points(curves, name):
            return Strength(opponent, found[-1][1], tuple(found))
    found = next(filter(None, (_points(curves, name) for name in SCORES)), [])
    return Strength("", found[-1][1], tuple(found)) if found else Strength()


def _points(curves: Curves, name: str) -> Sequence[Point]:
    """The curve of that name; where each policy has its own, their mean at the steps that all have."""
    own = curves.of(name)
    if "" in own or len(own) < 2:
        return own.get("", next(iter(own.values()), ()))
    by_step = [dict(points) for points in own.values()]
    common = sorted(set.intersection(*(set(points) for points in by_step)))
    return [(step, fmean(points[step] for points in by_step)) for step in common]


def training_text(link: RunLink, game: str) -> str:
    """State, time left and strength of a run in one sentence; `game` is the game's title."""
    state, left, strength = _STATES.get(link.state, link.state), link.status.seconds_left, strength_of(link.curves)
    if state == "running" and left is not None:
        state = "limited"
    texts = PLAIN if strength.value is None else WINS if strength.opponent else SCORED
    text = _(texts.get(state) or PLAIN.get(state, PLAIN["running"]))
    value = strength.value or 0.0
    return text.format(
        game=game, left=duration_text(left or 0), opponent=_(strength.opponent),
        percent=f"{round(100 * value)} %", score=f"{value:.3g}",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class TrainerStrip:
    """What a strip beside a match shows of the trainer at work."""

    text: str
    points: tuple[Point, ...]  # of the sparkline: step, value
    is_rate: bool  # whether the values are win rates, 0 to 1


def trainer_strip(link: RunLink, game: str) -> TrainerStrip | None:
    """The strip of a followed run; None while no trainer of it runs."""
    if link.client is None:
        return None
    strength = strength_of(link.curves)
    return TrainerStrip(training_text(link, game), strength.points, bool(strength.opponent))
