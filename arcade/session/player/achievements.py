"""Achievements: each is one object in ACHIEVEMENTS, earned by matches on the ladder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from agents.seats.controller import LEVELS
from arcade.games.spec import GameSpec
from arcade.language import N_
from arcade.session.player.history import PlayerHistory
from arcade.session.player.matches import PlayedMatch

Steps = Iterator[PlayedMatch]


@dataclass(frozen=True, slots=True, kw_only=True)
class Achievement:
    """Earned with `goal` steps; each step is a match."""

    name: str  # never shown, never changed
    title: str  # marked for translation
    how: str  # how to get it, one sentence, marked for translation
    steps: Callable[[PlayerHistory, Sequence[GameSpec]], Steps]  # the matches that count, oldest first
    goal: Callable[[Sequence[GameSpec]], int] = lambda games: 1


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a player is with an achievement."""

    achievement: Achievement
    done: int
    goal: int
    match: PlayedMatch | None  # the match that earned it; None: not yet

    @property
    def is_earned(self) -> bool:
        return self.match is not None


def progress_of(history: PlayerHistory, games: Sequence[GameSpec]) -> list[Progress]:
    """Return the progress of all achievements, in their order."""
    return [_progress(achievement, history, games) for achievement in ACHIEVEMENTS]


def newly_earned(history: PlayerHistory, games: Sequence[GameSpec], match: PlayedMatch) -> list[Achievement]:
    """Return the achievements that this match of the history earned."""
    return [one.achievement for one in progress_of(history, games) if one.match == match]


def _progress(achievement: Achievement, history: PlayerHistory, games: Sequence[GameSpec]) -> Progress:
    goal = achievement.goal(games)
    steps = list(islice(achievement.steps(history, games), goal))
    return Progress(achievement, len(steps), goal, steps[-1] if len(steps) == goal > 0 else None)


def _wins(history: PlayerHistory) -> Steps:
    return (match for match in history.matches if match.outcome == "win")


def _first_of_each(matches: Iterable[PlayedMatch], key: Callable[[PlayedMatch], str]) -> Steps:
    """Return the first match of each key."""
    seen: set[str] = set()
    for match in matches:
        if (found := key(match)) not in seen:
            seen.add(found)
            yield match


def _streak(history: PlayerHistory, length: int) -> Steps:
    """Return the match that makes a streak of `length` wins, and all after it."""
    run = 0
    for match in history.matches:
        run = run + 1 if match.outcome == "win" else run if not match.outcome else 0
        if run >= length:
            yield match


def _all_levels(history: PlayerHistory) -> Steps:
    """Return the steps of the game in which most levels were beaten, the earliest of equals."""
    steps: dict[str, dict[str, PlayedMatch]] = {}
    for match in _wins(history):
        for level in LEVELS:
            if match.beat(level):
                steps.setdefault(match.game, {}).setdefault(level, match)
    best = max(steps.values(), key=len, default={})
    return iter(sorted(best.values(), key=lambda match: match.number))


def _families(games: Sequence[GameSpec]) -> int:
    """Return the number of families of the catalogue with a game that can be won."""
    return len({spec.family for spec in games if len(spec.teams) > 1 and not spec.broken})


def _wins_by_family(history: PlayerHistory, games: Sequence[GameSpec]) -> Steps:
    """Return the first win in each family of the catalogue."""
    families = {spec.id: spec.family for spec in games}
    wins = (match for match in _wins(history) if match.game in families)
    return _first_of_each(wins, lambda match: families[match.game])


def _beats_level(level: str, title: str, how: str) -> Achievement:
    return Achievement(
        name=f"beat {level}", title=title, how=how,
        steps=lambda history, games: (match for match in history.matches if match.beat(level)),
    )  # fmt: skip


ACHIEVEMENTS: tuple[Achievement, ...] = (
    Achievement(
        name="first match", title=N_("Hello, world"), how=N_("Play a match to its end."),
        steps=lambda history, games: (match for match in history.matches if match.finished),
    ),
    Achievement(
        name="first win", title=N_("First win"), how=N_("Win a match."), steps=lambda history, games: _wins(history)
    ),
    _beats_level("easy", N_("Warm-up"), N_("Win against the easy AI.")),
    _beats_level("normal", N_("Level with it"), N_("Win against the normal AI.")),
    _beats_level("hard", N_("Hard to beat"), N_("Win against the hard AI.")),
    _beats_level("expert", N_("Grandmaster"), N_("Win against the expert AI.")),
    Achievement(
        name="all levels", title=N_("All the way up"), how=N_("Win against every level of one game."),
        goal=lambda games: len(LEVELS), steps=lambda history, games: _all_levels(history),
    ),
    Achievement(
        name="friend", title=N_("Bragging rights"), how=N_("Win against another person."),
        steps=lambda history, games: (match for match in history.matches if match.beat_kind("person")),
    ),
    Achievement(
        name="engine", title=N_("Giant slayer"), how=N_("Win against a chess or Go engine."),
        steps=lambda history, games: (match for match in history.matches if match.beat_kind("engine")),
    ),
    Achievement(
        name="together", title=N_("Better together"), how=N_("Finish a match with another person on your side."),
        steps=lambda history, games: (
            match for match in history.matches if match.finished and any(ally.kind == "person" for ally in match.allies)
        ),
    ),
    Achievement(
        name="streak of 5", title=N_("On a roll"), how=N_("Win five matches in a row."),
        steps=lambda history, games: _streak(history, 5),
    ),
    Achievement(
        name="ten matches", title=N_("Regular"), how=N_("Play ten matches."),
        goal=lambda games: 10, steps=lambda history, games: iter(history.matches),
    ),
    Achievement(
        name="hundred matches", title=N_("Part of the furniture"), how=N_("Play a hundred matches."),
        goal=lambda games: 100, steps=lambda history, games: iter(history.matches),
    ),
    Achievement(
        name="ten games", title=N_("Explorer"), how=N_("Play ten different games."),
        goal=lambda games: 10, steps=lambda history, games: _first_of_each(history.matches, lambda match: match.game),
    ),
    Achievement(
        name="every family", title=N_("All-rounder"), how=N_("Win a match in every family of games."),
        goal=_families, steps=_wins_by_family,
    ),
    Achievement(
        name="clone", title=N_("Chip off the old block"), how=N_("A clone of you wins against the easy AI."),
        steps=lambda history, games: (match for match in history.clone_matches if match.beat("easy")),
    ),
)  # fmt: skip
"""In the order of the profile."""
