"""Caption: who plays, the scores and the time, in a bar above a video's picture."""

from __future__ import annotations

from typing import Any

import pygame

from arcade.engine.ui import theme
from arcade.games.spec import GameSpec
from arcade.match.playback.replay import Replay
from arcade.match.playback.timeline import Timeline
from arcade.match.stage.tick import Tick
from arcade.session.match.monitor import score_of

SHARE = 1 / 11
"""Of the video's height, that the bar takes."""


class Caption:
    """Two teams face each other with the time between them; others stand in a row, the time at its end."""

    def __init__(self, spec: GameSpec, replay: Replay) -> None:
        self._spec, self._replay = spec, replay
        self._own: tuple[Any, ...] = ()  # the game's own score, where it tells one for each team
        self._timeline = Timeline(replay, spec)

    def draw(self, canvas: pygame.Surface, now: Tick) -> pygame.Rect:
        """The bar as it is at the tick `now`; returns what room is left below it."""
        tick, self._own = now.index, score_of(now) or self._own
        bar = canvas.get_rect()
        bar.h = round(bar.h * SHARE)
        pygame.draw.rect(canvas, theme.GROUND, bar)
        inner = bar.inflate(-bar.h // 2, 0)
        is_duel = len(self._spec.teams) == 2
        width = min(inner.w // 4, bar.h * 4)
        clock = pygame.Rect(0, 0, width, bar.h)
        setattr(clock, "center" if is_duel else "midright", bar.center if is_duel else inner.midright)
        self._words(canvas, self._moment(tick), clock, "center", colour=theme.MUTED)
        self._draw_duel(canvas, inner, clock, tick) if is_duel else self._draw_row(canvas, inner, clock, tick)
        return pygame.Rect(0, bar.h, bar.w, canvas.get_height() - bar.h)

    def _draw_duel(self, canvas: pygame.Surface, inner: pygame.Rect, clock: pygame.Rect, tick: int) -> None:
        left = pygame.Rect(inner.left, inner.top, clock.left - inner.left, inner.h)
        right = pygame.Rect(clock.right, inner.top, inner.right - clock.right, inner.h)
        for team, (half, side, other) in enumerate(((left, "midleft", "midright"), (right, "midright", "midleft"))):
            score = self._words(canvas, self._score(team, tick), half, other, team=team)
            room = half.copy()
            room.w -= score.w + theme.GAP
            room.left += (score.w + theme.GAP) * team
            self._words(canvas, self._names(team, tick), room, side)

    def _draw_row(self, canvas: pygame.Surface, inner: pygame.Rect, clock: pygame.Rect, tick: int) -> None:
        width = (clock.left - inner.left) // len(self._spec.teams)
        for team in range(len(self._spec.teams)):
            cell = pygame.Rect(inner.left + team * width, inner.top, width - theme.GAP, inner.h)
            score = self._words(canvas, self._score(team, tick), cell, "midleft", team=team)
            cell.w -= score.w + theme.GAP
            cell.left = score.right + theme.GAP
            self._words(canvas, self._names(team, tick), cell, "midleft")

    def _words(
        self, canvas: pygame.Surface, words: str, room: pygame.Rect, side: str, *,
        team: int | None = None, colour: theme.Colour | None = None,
    ) -> pygame.Rect:  # fmt: skip
        """One line at that side of its room; a team's score larger and in the team's colour."""
        size = max(theme.SMALLEST, round(room.h * (0.56 if team is not None else 0.38)))
        ink = colour if team is None else theme.team_colour(team)
        look: dict[str, Any] = {"size": size, "colour": ink, "bold": colour is None}
        return theme.draw_text(canvas, words, getattr(room, side), anchor=side, width=max(8, room.w), **look)

    def _names(self, team: int, tick: int) -> str:
        """Who plays for it at that moment, each once."""
        labels = [self._replay.source_at(agent, tick).label for agent in self._spec.teams[team]]
        counts = {label: labels.count(label) for label in labels}
        return ", ".join(f"{label} × {count}" if count > 1 else label for label, count in counts.items())

    def _score(self, team: int, tick: int) -> str:
        if len(self._own) == len(self._spec.teams):
            return str(self._own[team])
        agents = self._spec.teams[team]
        scores = self._timeline.scores(tick)
        mean = sum(scores[agent] for agent in agents) / len(agents)
        return f"{mean:.0f}" if abs(mean - round(mean)) < 1e-6 else f"{mean:.1f}"

    def _moment(self, tick: int) -> str:
        if self._spec.turn_based:
            return f"move {tick}"
        seconds = int(tick / self._spec.fps)
        return f"{seconds // 60}:{seconds % 60:02}"
