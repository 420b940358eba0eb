"""Episodes: the moves of training games as they come over the wire, kept until they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from arcade.session.training.facts import whole, words

MOST_TICKS = 36_000
"""Kept of one episode: ten minutes at sixty ticks a second; a longer one is shown so far."""

MOST_SEATS = 256

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

    def add(self, ticks: list[Any], *, at: int | None, over: bool) -> None:
        """A piece; one that does not follow on the last, `at` so many ticks, ends what can be shown."""
        if at is not None and at != len(self.ticks):
            self.whole = True
            return
        self.ticks += [tick for tick in ticks if isinstance(tick, dict)]
        self.whole = self.whole or over or len(self.ticks) >= MOST_TICKS
        del self.ticks[MOST_TICKS:]


class EpisodeBuffer:
    """Holds the episode on show and the newest that began since; those between are never seen.

    A trainer plays many times faster than one can watch, so each next episode is the newest one.
    """

    def __init__(self) -> None:
        self.shown: SpectatedEpisode | None = None
        self.coming: SpectatedEpisode | None = None

    def take(self, data: Mapping[str, Any]) -> None:
        """One ``watch`` event; pieces of an episode whose beginning was missed are left out."""
        number, ticks = whole(data.get("episode")), data.get("ticks")
        if number is None or not isinstance(ticks, list):
            return
        if data.get("first") is True:
            self._begin(number, data)
        for episode in (self.coming, self.shown):
            if episode is not None and episode.number == number and not episode.whole:
                episode.add(ticks, at=whole(data.get("at")), over=data.get("over") is True)
                return

    def show_next(self) -> SpectatedEpisode | None:
        """The newest episode becomes the one on show; None where none began since."""
        self.shown, self.coming = self.coming, None
        return self.shown

    def _begin(self, number: int, data: Mapping[str, Any]) -> None:
        seed, lineup = whole(data.get("seed")), data.get("lineup")
        if seed is None or seed >= 2**32:
            return
        named = lineup.items() if isinstance(lineup, dict) else ()
        seats = {words(agent): words(name) for agent, name in list(named)[:MOST_SEATS]}
        self.coming = SpectatedEpisode(number, seed, seats)
