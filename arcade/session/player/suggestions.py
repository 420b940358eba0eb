"""Suggestions: today's opponent, the same for everyone on that date, and what to play next."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from agents.seats.controller import LEVELS
from arcade.games.spec import GameSpec
from arcade.language import N_, _
from arcade.session.player.history import PlayerHistory
from arcade.session.player.matches import PlayedMatch
from arcade.session.player_names import LEVEL_WORDS

WEEK = ("easy", "normal", "normal", "hard", "normal", "hard", "expert")
"""The level of today's opponent from Monday to Sunday."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A game against a level of AI."""

    spec: GameSpec
    level: str  # one of LEVELS


@dataclass(frozen=True, slots=True)
class NextMatch:
    """A suggestion after a match."""

    text: str  # one sentence
    spec: GameSpec
    opponent: str  # the seat word of the opponents; "": as before


def todays_opponent(games: Sequence[GameSpec], has_levels: Callable[[GameSpec], bool], day: date) -> Challenge | None:
    """Return the challenge of a day, among the games of equal sides with levels; None without such a game.

    A hash of date and game chooses, so a game that is added or removed changes few days.
    """
    fitting = [spec for spec in games if _has_equal_sides(spec) and not spec.broken and has_levels(spec)]
    if not fitting:
        return None

    def draw(spec: GameSpec) -> bytes:
        return hashlib.sha256(f"{day.isoformat()} {spec.id}".encode()).digest()

    return Challenge(max(fitting, key=draw), WEEK[day.weekday()])


def _has_equal_sides(spec: GameSpec) -> bool:
    """Whether no side outnumbers another, which can win by itself."""
    return len(spec.teams) > 1 and len({len(team) for team in spec.teams}) == 1


def is_done(challenge: Challenge, history: PlayerHistory, day: date) -> bool:
    """Whether the player beat today's opponent, or a stronger one in that game, on that day (local time)."""
    enough = LEVELS[LEVELS.index(challenge.level) :]
    return any(
        match.game == challenge.spec.id
        and date.fromtimestamp(match.time) == day
        and any(match.beat(level) for level in enough)
        for match in history.matches
    )


def next_level(spec: GameSpec, match: PlayedMatch) -> NextMatch | None:
    """Return the next stronger or weaker level after a win or a loss against one; None where none is next."""
    levels = {one.level for one in match.opponents}
    if len(levels) != 1 or match.outcome not in ("win", "loss") or not levels <= set(LEVELS):
        return _easier(spec, match)
    place = LEVELS.index(levels.pop()) + (1 if match.outcome == "win" else -1)
    if not 0 <= place < len(LEVELS):
        return _easier(spec, match)
    text = _STRONGER if match.outcome == "win" else _WEAKER
    return NextMatch(_(text).format(level=_(LEVEL_WORDS[LEVELS[place]])), spec, f"level:{LEVELS[place]}")


def _easier(spec: GameSpec, match: PlayedMatch) -> NextMatch | None:
    """Return the weakest player there is after a loss to others than people and that one; else None."""
    is_weakest = all(one.level == LEVELS[0] for one in match.opponents)
    kinds = {one.kind for one in match.opponents}
    if match.outcome != "loss" or not kinds or kinds & {"person", "random"}:
        return None
    if spec.has_levels and not is_weakest:
        return NextMatch(_(_WEAKER).format(level=_(LEVEL_WORDS[LEVELS[0]])), spec, f"level:{LEVELS[0]}")
    return NextMatch(_(_PRACTISE), spec, "random")


_STRONGER = N_("Ready for more? Play against the {level} AI.")
_WEAKER = N_("Play against the {level} AI.")
_PRACTISE = N_("Practise against the Random bot, which plays random moves.")
_BEST_STREAK = N_("One more win is your longest streak in {game}.")
_TODAY = N_("Today’s challenge: {game} against the {level} AI.")
_NEW_GAME = N_("Try {game}: {summary}")


def what_next(
    spec: GameSpec,
    match: PlayedMatch,
    history: PlayerHistory,
    *,
    games: Sequence[GameSpec],
    today: Challenge | None,
    day: date,
) -> list[NextMatch]:
    """Return suggestions after a match, the best one first; at most one of each sort."""
    found: list[NextMatch] = []
    totals = history.by_game.get(spec.id)
    if totals is not None and 0 < totals.streak == totals.best_streak and totals.best_streak > 1:
        found.append(NextMatch(_(_BEST_STREAK).format(game=_(spec.title)), spec, ""))
    if (level := next_level(spec, match)) is not None:
        found.append(level)
    if today is not None and today.spec.id != spec.id and not is_done(today, history, day):
        text = _(_TODAY).format(game=_(today.spec.title), level=_(LEVEL_WORDS[today.level]))
        found.append(NextMatch(text, today.spec, f"level:{today.level}"))
    if (new := _new_game(spec, history, games)) is not None:
        found.append(NextMatch(_(_NEW_GAME).format(game=_(new.title), summary=_(new.summary)), new, ""))
    return found


def _new_game(spec: GameSpec, history: PlayerHistory, games: Sequence[GameSpec]) -> GameSpec | None:
    """Return a game like `spec` that the player has not played: of its family first, then of its pace and size."""
    new = [one for one in games if one.id not in history.by_game and one.id != spec.id and not one.broken]

    def likeness(one: GameSpec) -> int:
        same = (one.family == spec.family, one.turn_based == spec.turn_based, len(one.teams) == len(spec.teams))
        return sum(weight * fits for weight, fits in zip((2, 2, 1), same, strict=True))

    return max(new, key=likeness, default=None)
