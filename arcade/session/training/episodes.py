"""Buffers the moves of watched training games until they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.wire.trainer_events import WatchPiece

MOST_TICKS = 36_000
"""Ticks of one episode at most: ten minutes at sixty ticks a second; the rest of a longer one is not shown."""

Moves = Mapping[str, Any]
"""Agent id as text → its action as numbers."""


@dataclass(slots=True)
class SpectatedEpisode:
    """One training game from its first tick on."""

    number: int
    seed: int
    lineup: dict[str, str]  # agent → label of its player
    ticks: list[Moves] = field(default_factory=list)
    whole: bool = False  # no more ticks follow

    def add(self, ticks: list[dict[str, Any]], *, at: int | None, over: bool) -> None:
        """Add a piece that begins `at` a tick; a gap ends the episode."""
        if at is not None and at != len(self.ticks):
            self.whole = True
            return
        self.ticks += ticks
        self.whole = self.whole or over or len(self.ticks) >= MOST_TICKS
        del self.ticks[MOST_TICKS:]


class EpisodeBuffer:
    """The episode on the screen and the newest one since; those between are skipped, as trainers play much faster."""

    def __init__(self) -> None:
        self.shown: SpectatedEpisode | None = None
        self.coming: SpectatedEpisode | None = None

    def take(self, piece: WatchPiece) -> None:
        """Add a piece to its episode; pieces of an episode whose beginning was missed are dropped."""
        if piece.first:
            self.coming = SpectatedEpisode(piece.episode, piece.seed, piece.lineup)
        for episode in (self.coming, self.shown):
            if episode is not None and episode.number == piece.episode and not episode.whole:
                episode.add(piece.ticks, at=piece.at, over=piece.over)
                return

    def show_next(self) -> SpectatedEpisode | None:
        """Show the newest episode; None where none began since."""
        self.shown, self.coming = self.coming, None
        return self.shown
