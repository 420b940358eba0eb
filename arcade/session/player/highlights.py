"""Highlights of a match for the results screen: personal bests, streaks, first wins and achievements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from agents.seats.controller import LEVELS
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.session.player.achievements import newly_earned
from arcade.session.player.book import PlayerSheet
from arcade.session.player.history import PlayerHistory, Totals
from arcade.session.player.matches import PlayedMatch
from arcade.session.player.suggestions import NextMatch, what_next
from arcade.session.player_names import LEVEL_WORDS

STREAK = 3
"""Wins in a row that are worth a line."""

_NO_TOTALS = Totals()


@dataclass(frozen=True, slots=True)
class AfterMatch:
    """What the results screen says about the match of one person."""

    lines: tuple[str, ...]  # highlights
    next: tuple[NextMatch, ...]  # the best suggestion first


def after_match(spec: GameSpec, sheet: PlayerSheet, games: Sequence[GameSpec], day: date) -> AfterMatch | None:
    """Return the highlights of the newest match of `sheet`, and what to play next; None if it is of another game."""
    history = sheet.history
    match = history.matches[-1] if history.matches else None
    if match is None or match.game != spec.id:
        return None
    suggestions = what_next(spec, match, history, games=games, today=sheet.today(games, day), day=day)
    return AfterMatch(tuple(highlights(spec, match, history, games)), tuple(suggestions))


def highlights(spec: GameSpec, match: PlayedMatch, history: PlayerHistory, games: Sequence[GameSpec]) -> list[str]:
    """Return a sentence for each highlight of `match`, which is the newest in `history`; the most special first."""
    before = history.before(match.number)
    now, then = history.by_game[spec.id], before.by_game.get(spec.id, _NO_TOTALS)
    achievements = [_("Achievement: {title}").format(title=_(one.title)) for one in newly_earned(history, games, match)]
    return [*achievements, *_best_score(now, then), *_first_win(match, before), *_streak(now, then)]


def _best_score(now: Totals, then: Totals) -> list[str]:
    if now.best_score is None or then.best_score is None or now.best_score <= then.best_score:
        return []
    text = _("New personal best: {score:.4g}, was {before:.4g}")
    return [text.format(score=now.best_score, before=then.best_score)]


def _first_win(match: PlayedMatch, before: PlayerHistory) -> list[str]:
    """The first win in this game against a level, where the game was played before."""
    earlier = [one for one in before.matches if one.game == match.game]
    for level in LEVELS:
        if earlier and match.beat(level) and not any(one.beat(level) for one in earlier):
            return [_("Your first win against the {level} AI here").format(level=_(LEVEL_WORDS[level]))]
    return []


def _streak(now: Totals, then: Totals) -> list[str]:
    if now.streak < STREAK or now.streak <= then.streak:
        return []
    if now.best_streak > then.best_streak > 0:
        return [_("{count} wins in a row: your longest streak here").format(count=now.streak)]
    return [_("{count} wins in a row").format(count=now.streak)]
