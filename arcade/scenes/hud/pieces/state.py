"""The state of a match: players, scores, clock, turn, frame rate and late actions."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import pygame

from agents.seats.choice import SeatChoice
from arcade.engine.ui import theme
from arcade.games.spec import GameSpec
from arcade.scenes.hud.piece import HudPiece, Look, Place, TeamPiece, below, beside
from arcade.scenes.pictograms import icon

Player = tuple[SeatChoice, str]  # device and name
LEAST = 30  # pixels for a name without any room
SLOW, KEPT = 0.94, 0.98  # of the wanted rate: a game is slow below the first, until it is above the second
PATIENCE = 1.5  # seconds of a slow game until the figure appears, and of a fast one until it disappears
_UNIT = " ticks a second"
FRESH = 0.5  # seconds that a figure stays readable


class ScorePiece(TeamPiece):
    """The score of a team."""

    name, label, help = "scores", "Scores", "Of each team."
    place = Place.TEAM_INNER

    def content(self) -> Hashable:
        score: str = self.facts.score(self.team)
        return score

    def paint(self, content: Any, look: Look, room: int) -> pygame.Surface:
        size = look.title if len(self.facts.spec.teams) == 2 else look.large
        return theme.fitted(content, width=room, size=size, bold=True, colour=theme.team_colour(self.team))


class LineupPiece(TeamPiece):
    """The players of a team with their devices and, below, their seats."""

    name, label, help = "lineup", "Who plays", "Names, seats and devices of each team."
    place = Place.TEAM_OUTER

    def content(self) -> Hashable:
        return self.facts.players(self.team), self.facts.seats(self.team)

    def paint(self, content: Any, look: Look, room: int) -> pygame.Surface:
        players, seats = content
        names = next((one for one in self._tries(players, look) if one.get_width() <= room), None)
        if names is None:
            names = self._names(players[:1], look, look.body * 2 // 3, room=room)
        below_them = theme.fitted(seats, width=room, size=look.small, colour=theme.MUTED)
        is_right = len(self.facts.spec.teams) == 2 and self.team == 1
        return below([names, below_them], gap=look.px(2), side="right" if is_right else "left")

    def _tries(self, players: Sequence[Player], look: Look) -> Iterator[pygame.Surface]:
        """Draw all players smaller and smaller, then fewer and fewer of them."""
        for size in (look.body, look.body * 4 // 5, look.body * 2 // 3):
            yield self._names(players, look, size)
        for count in range(len(players) - 1, 0, -1):
            more = theme.text(f"+ {len(players) - count}", size=look.small, colour=theme.MUTED)
            yield beside([self._names(players[:count], look, look.body * 2 // 3), more], gap=look.px(8))

    def _names(self, players: Sequence[Player], look: Look, size: int, *, room: int = 10_000) -> pygame.Surface:
        """Draw device and name of each player, a name within `room`."""
        pictures: list[pygame.Surface] = []
        for choice, label in players:
            device = icon(choice, size=look.icon, colour=theme.team_colour(self.team))
            width = max(LEAST, room - device.get_width() - look.px(8))
            pictures += [device, theme.fitted(label, width=width, size=max(size, theme.SMALL), bold=True)]
        return beside(pictures, gap=look.px(8))


class ClockPiece(HudPiece):
    """The match's own time, or its moves."""

    name, label, help = "clock", "Clock", "The game's own time, or its moves."
    place = Place.MIDDLE

    def content(self) -> Hashable:
        return self.facts.moment(), self.facts.pace_words

    def paint(self, content: Any, look: Look, room: int) -> pygame.Surface:
        moment, pace = content
        time = theme.fitted(moment, width=room, size=look.large)
        if not pace:
            return time
        return beside([time, theme.text(pace, size=look.small, colour=theme.MUTED)], gap=look.px(10), room=room)


class TurnPiece(HudPiece):
    """The player to move in a turn-based game."""

    name, label, help = "turn", "Whose turn", "In games that wait for a move."
    place = Place.MIDDLE

    @classmethod
    def applies(cls, spec: GameSpec) -> bool:
        return spec.turn_based

    def content(self) -> Hashable:
        match, spec = self.facts.match, self.facts.spec
        waiting = match.waiting_for
        if match.over or not waiting:
            return None
        names = dict.fromkeys(self.facts.label(agent) for agent in waiting)
        is_person = self.facts.lineup[waiting[0]].is_human
        return spec.team_of(waiting[0]), " and ".join(names) + (" to move" if is_person else " thinks …")

    def paint(self, content: Any, look: Look, room: int) -> pygame.Surface:
        team, words = content
        dot = pygame.Surface((look.px(12), look.px(12)), pygame.SRCALPHA)
        pygame.draw.circle(dot, theme.team_colour(team), dot.get_rect().center, look.px(6))
        picture = theme.fitted(words, width=room - look.px(20), size=look.small, bold=True)
        return beside([dot, picture], gap=look.px(8))


class RatePiece(HudPiece):
    """Ticks a second of a game that cannot keep its rate."""

    name, label, help = "rate", "Frame rate", "Ticks a second where a game cannot keep its rate."
    place = Place.MIDDLE

    @classmethod
    def applies(cls, spec: GameSpec) -> bool:
        return not spec.turn_based

    def __init__(self, facts: Any) -> None:
        super().__init__(facts)
        self._turned_at: float | None = None  # since when the rate contradicts `_is_slow`
        self._is_slow = False
        self._wanted: float | None = None
        self._words = ""
        self._fresh_at = 0.0

    def update(self, now: float) -> None:
        """Measure the rate at `now` seconds."""
        match = self.facts.match
        got, wanted = match.clock.rate_now(now), match.clock.rate
        if match.paused or match.over or match.rewinding or got is None or wanted is None:
            self._turned_at = None
            return
        if wanted != self._wanted:  # another speed
            self._wanted, self._is_slow, self._turned_at = wanted, False, None
        slow = got < wanted * (KEPT if self._is_slow else SLOW)
        if slow == self._is_slow:
            self._turned_at = None
        elif self._turned_at is None:
            self._turned_at = now
        elif now - self._turned_at >= PATIENCE:
            self._is_slow, self._turned_at = slow, None
        if self._is_slow and slow and now - self._fresh_at >= FRESH:
            self._words, self._fresh_at = f"Slow: {got:.0f} of {wanted:.0f}{_UNIT}", now

    def content(self) -> Hashable:
        return self._words if self._is_slow else None

    def paint(self, content: Any, look: Look, room: int) -> pygame.Surface:
        words = theme.text(content, size=look.small, bold=True, colour=theme.WARNING)
        if words.get_width() <= room:
            return words
        figures = content.removesuffix(_UNIT)
        return theme.fitted(figures, width=room, size=look.small, bold=True, colour=theme.WARNING)


class NetworkPiece(HudPiece):
    """Round-trip times of remote seats, and late ticks."""

    name, label, help = "network", "Late actions", "Late ticks, and the round-trip times of remote seats."
    place = Place.FOOT

    def content(self) -> Hashable:
        return self.facts.network() or None

    def paint(self, content: Any, look: Look, room: int) -> pygame.Surface:
        return theme.fitted(content, width=room, size=look.small, colour=theme.MUTED)
