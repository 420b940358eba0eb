"""Episodes: the moves of training games as they come over the wire, kept until they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.wire.trainer_events import WatchPiece

MOST_TICKS = 36_000
"""Kept of one episode: ten minutes at sixty ticks a second; a longer one is shown so far."""

Moves = Mapping[str, Any]
"""Agent, as text → its action as numbers."""


@dataclass(slots=True)
class SpectatedEpisode:
    """One game of the trainer's, from its first tick on."""

    number: int
    seed: int
    lineup: dict[str, str]  # agent → who plays it
    ticks: list[Moves] = field(default_factory=list)
    whole: bool = False  # no more ticks will come

    def add(self, ticks: list[dict[str, Any]], *, at: int | None, over: bool) -> None:
        """A piece; one that does not follow on the last, `at` so many ticks, ends what can be shown."""
        if at is not None and at != len(self.ticks):
            self.whole = True
            return
        self.ticks += ticks
        self.whole = self.whole or over or len(self.ticks) >= MOST_TICKS
        del self.ticks[MOST_TICKS:]


class EpisodeBuffer:
    """Holds the episode on show and the newest that began since; those between are never seen.

    A trainer plays many times faster than one can watch, so each next episode is the newest one.
    """

    def __init__(self) -> None:
        self.shown: SpectatedEpisode | None = None
        self.coming: SpectatedEpisode | None = None

    def take(self, piece: WatchPiece) -> None:
        """Add to the episode that the piece belongs to; pieces of one whose beginning was missed are left out."""
        if piece.first:
            self.coming = SpectatedEpisode(piece.episode, piece.seed, piece.lineup)
        for episode in (self.coming, self.shown):
            if episode is not None and episode.number == piece.episode and not episode.whole:
                episode.add(piece.ticks, at=piece.at, over=piece.over)
                return

    def show_next(self) -> SpectatedEpisode | None:
        """The newest episode becomes the one on show; None where none began since."""
        self.shown, self.coming = self.coming, None
        return self.shown
