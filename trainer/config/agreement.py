"""Rules between settings; each message begins with the field that is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from agents.seats.choice import SeatError
from agents.seats.kinds import find_kind
from agents.seats.words import parse_seat
from trainer.config.algorithms.algorithm import ReplaySettings

if TYPE_CHECKING:
    from trainer.config import RunConfig

NOT_OPPONENTS = ("level", "idle")
"""Kinds of one player that cannot be opponents in a vectorised env."""

OF_THE_LEAGUE = ("play_against_latest_model_ratio", "newest_ratio", "weighting", "window")
"""Settings that a league ignores."""


def disagreements(run: RunConfig) -> Iterator[str]:
    """Contradictions between settings, for any game."""
    yield from _sizes(run)
    yield from _opponents(run)
    penalty = getattr(run.training, "kl_penalty", 0)
    if penalty and not run.start_from:
        yield f"training.kl_penalty: expected start_from with it, a snapshot to stay near, got: {penalty:g}"
    if run.opponents.league and run.policies.kind != "self_play":
        yield f"opponents.league: expected policies.kind = self_play with it, got: {run.policies.kind}"
    for field, words in (("opponents.fixed", run.opponents.fixed), ("evaluation.against", run.evaluation.against)):
        for word in words:
            yield from _seat_word(field, word)


def _sizes(run: RunConfig) -> Iterator[str]:
    training, resources = run.training, run.resources
    if training.minibatch > training.batch and not isinstance(training, ReplaySettings):
        yield f"training.minibatch: expected at most training.batch = {training.batch}, got: {training.minibatch}"
    runners = max(1, resources.runners)
    if resources.games * runners > training.batch:
        yield (
            f"resources.games: expected games x runners <= training.batch = {training.batch}, got: "
            f"{resources.games} x {runners}"
        )
    if resources.overlap and not resources.runners:
        yield "resources.overlap: expected resources.runners >= 1 with it, got: 0"


def _opponents(run: RunConfig) -> Iterator[str]:
    opponents = run.opponents
    for name in OF_THE_LEAGUE if opponents.league else ():
        usual, got = type(opponents).model_fields[name].default, getattr(opponents, name)
        if got != usual:
            yield f"opponents.{name}: expected {usual} with opponents.league, which has shares of its own, got: {got}"
    if opponents.fixed_ratio > 0 and not opponents.fixed:
        yield "opponents.fixed: expected some with opponents.fixed_ratio > 0, got none"
    if run.play_against_latest_model_ratio + opponents.fixed_ratio > 1:
        yield (
            "opponents.fixed_ratio: expected play_against_latest_model_ratio + fixed_ratio <= 1, got: "
            f"{run.play_against_latest_model_ratio:g} + {opponents.fixed_ratio:g}"
        )


def _seat_word(field: str, word: str) -> Iterator[str]:
    try:
        choice = parse_seat(word)
    except SeatError as error:
        yield f"{field}: {error}"
        return
    if not find_kind(choice.kind).is_one_player or choice.kind in NOT_OPPONENTS or choice.limits:  # limits are for play
        yield f"{field}: expected an opponent such as scripted, random or snapshot:NAME, got: {word!r}"
