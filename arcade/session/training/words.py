"""What a training does and how strong it is, in plain words and as a small curve: for cards, jobs and the match."""

from __future__ import annotations

from dataclasses import dataclass

from arcade.language import N_, _, duration_text, local_number, percent
from arcade.session.training.curves import Point
from arcade.session.training.errors import reason_text
from arcade.session.training.presets import rounded_text
from arcade.session.training.run_link import NewestTrainer, RunLink
from arcade.session.training.strength import matches_text, strength_text, value_text

PLAIN = {
    "starting": N_("Training {game}: starting. The first opponent is ready in a minute or two."),
    "limited": N_("Training {game}: {left} left."),
    "running": N_("Training {game}."),
    "paused": N_("Training {game} is paused."),
    "stopping": N_("Training {game}: saving what was learnt."),
    "silent": N_("Training {game}: the trainer does not answer."),
    "ended": N_("Training {game} has stopped. You can resume it."),
}
WINS = {
    "limited": N_("Training {game}: {left} left, now wins {percent} against {opponent}."),
    "running": N_("Training {game}: now wins {percent} against {opponent}."),
    "ended": N_("Training {game} has stopped; you can resume it. It wins {percent} against {opponent}."),
}
SCORED = {
    "limited": N_("Training {game}: {left} left, now scores {score} on average."),
    "running": N_("Training {game}: now scores {score} on average."),
    "ended": N_("Training {game} has stopped; you can resume it. It scores {score} on average."),
}
STARTING = N_("Training {game}: starting, {time} so far. The first opponent is ready in a minute or two.")
STARTING_LATE = N_("Training {game}: starting, {time} so far. This computer is busy, so it takes longer than usual.")
STARTING_AGAIN = N_("Training {game}: starting again, {time} so far.")
STOPPED_EARLY = N_("Training {game} was stopped before it began.")
NOT_STARTED = N_("Training {game} could not start. Try again, or look at the details.")
NOT_STARTED_AS = N_("Training {game} could not start: {reason}")

STEPS = N_("steps")
"""Along which charts show how a training goes."""

SOON, LATE = 3, 120
"""Seconds of starting from which they are shown, and from which it takes longer than usual."""

STRIP_POINTS = 60
"""About so many points has the curve of a strip."""

_STATES = {"looking": "starting", "connecting": "starting", "stopped": "stopping"}
"""States of a link that are told as another one."""


def not_started_text(error: str, game: str) -> str:
    """Return why a training of the game with the title `game` could not start, as far as `error` is understood."""
    reason = reason_text(error)
    return _(NOT_STARTED_AS if reason else NOT_STARTED).format(game=game, reason=reason)


def training_text(link: RunLink, game: str) -> str:
    """State, time left and strength of a run in one sentence; `game` is the game's title."""
    if link.saved_nothing:
        return not_started_text(link.trouble, game) if link.trouble else _(STOPPED_EARLY).format(game=game)
    state, left, strength = _STATES.get(link.state, link.state), link.status.seconds_left, link.strength
    if state == "running" and left is not None:
        state = "limited"
    seconds = int(link.starting_seconds)
    if state == "starting" and (seconds >= SOON or link.status.step):
        first = STARTING_AGAIN if link.status.step else STARTING
        words = first if seconds < LATE else STARTING_LATE
        return _(words).format(game=game, time=f"{seconds // 60}:{seconds % 60:02}")
    texts = PLAIN if strength.value is None else WINS if strength.opponent else SCORED
    text = _(texts.get(state) or PLAIN.get(state, PLAIN["running"]))
    value = strength.value or 0.0
    text = text.format(
        game=game, left=duration_text(left or 0), opponent=_(strength.opponent),
        percent=percent(value), score=local_number(f"{value:.3g}"),
    )  # fmt: skip
    if state in texts and strength.matches:
        text += " " + _("Measured in {matches}.").format(matches=matches_text(strength))
    return text


@dataclass(frozen=True, slots=True)
class TrainerStrip:
    """What a strip beside a match shows of the trainer at work."""

    game: str  # id
    words: tuple[str, ...]  # strength and steps in a few words, then in fewer and fewer
    points: tuple[Point, ...]  # of the sparkline: step, value
    is_rate: bool  # whether the values are win rates, 0 to 1
    arrivals: int  # better opponents that have come since it is followed


def trainer_strip(link: NewestTrainer) -> TrainerStrip | None:
    """The strip of the newest trainer; None while none runs."""
    if link.client is None:
        return None
    strength, step = link.strength, link.status.step
    steps = _("{count} steps").format(count=rounded_text(step)) if step else ""
    parts = [part for part in (strength_text(strength), steps) if part] or [_("Training")]
    points = strength.points[:: max(1, len(strength.points) // STRIP_POINTS)]
    words = "  ·  ".join(parts), parts[0], value_text(strength)
    return TrainerStrip(link.status.game, words, points, bool(strength.opponent), link.arrivals)
