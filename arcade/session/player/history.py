"""PlayerHistory: all matches of a player, and totals, streaks and best scores from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from arcade.session.player.matches import PlayedMatch

RECENT = 20
"""Matches that a profile lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Counts of matches, all of them or those of one game."""

    played: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    seconds: float = 0.0
    streak: int = 0  # wins since the last match that was not won
    best_streak: int = 0
    best_score: float | None = None  # of matches together or alone; None without one
    last: float = 0.0  # time of the newest match; 0 without one

    @property
    def win_rate(self) -> float | None:
        """Wins as a share of the decided matches and draws, a draw counting half; None without any."""
        decided = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / decided if decided else None


@dataclass(frozen=True)
class PlayerHistory:
    """Matches, oldest first."""

    name: str = ""
    matches: tuple[PlayedMatch, ...] = ()
    clone_matches: tuple[PlayedMatch, ...] = field(default=(), repr=False)  # of snapshots cloned here

    @cached_property
    def totals(self) -> Totals:
        """Of all games, of the matches that count; scores of different games are not compared."""
        return totals_of(self.matches, scores=False)

    @cached_property
    def by_game(self) -> dict[str, Totals]:
        """Game → the totals of its matches that count, the game played last first."""
        games = dict.fromkeys(match.game for match in reversed(self.matches))
        return {game: totals_of([match for match in self.matches if match.game == game]) for game in games}

    @property
    def recent(self) -> tuple[PlayedMatch, ...]:
        """The newest matches, the newest first."""
        return self.matches[: -RECENT - 1 : -1]

    def before(self, number: int) -> PlayerHistory:
        """Return the history up to a match, without it."""
        return PlayerHistory(self.name, tuple(match for match in self.matches if match.number < number))

    def extended(self, matches: Iterable[PlayedMatch], clone_matches: Iterable[PlayedMatch] = ()) -> PlayerHistory:
        """Return the history with newer matches."""
        return PlayerHistory(self.name, (*self.matches, *matches), (*self.clone_matches, *clone_matches))


def totals_of(matches: Sequence[PlayedMatch], *, scores: bool = True) -> Totals:
    """Return the totals of those matches that count, oldest first; the time is that of all.

    Best scores are those on the terms of the newest match.
    """
    outcomes = [match.outcome for match in matches]
    together = [match for match in matches if match.is_together and match.finished] if scores else []
    comparable = [match.score for match in together if match.terms == together[-1].terms]
    streaks = _streaks(matches)
    return Totals(
        played=sum(match.finished for match in matches),
        wins=outcomes.count("win"),
        draws=outcomes.count("draw"),
        losses=outcomes.count("loss"),
        seconds=sum(match.seconds for match in matches),
        streak=streaks[-1],
        best_streak=max(streaks),
        best_score=max(comparable, default=None),
        last=matches[-1].time if matches else 0.0,
    )


def _streaks(matches: Iterable[PlayedMatch]) -> list[int]:
    """Return the length of the streak of wins after each decided match, 0 at first."""
    streaks = [0]
    for match in matches:
        if match.outcome:
            streaks.append(streaks[-1] + 1 if match.outcome == "win" else 0)
    return streaks
