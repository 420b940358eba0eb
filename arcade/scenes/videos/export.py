"""export_video: a recording is played again, drawn offscreen, and written as a video while it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pygame

from agents.seats.controller import AgentID
from arcade.engine.capture.video_file import open_video, raw_pictures
from arcade.engine.ui import theme
from arcade.games.spec import GameSpec
from arcade.match.playback.replay import Replay
from arcade.match.playback.timeline import Timeline
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.stage import Stage
from arcade.match.stage.tick import Tick
from arcade.scenes.match.picture import GamePicture
from arcade.session.match.monitor import score_of
from arcade.session.videos.settings import Video, VideoSettings, timetable
from arcade.video_formats import VideoError

Progress = Callable[[int, int], None]
"""Is told how many pictures are done, and of how many."""

STRETCH = 500
"""Ticks that are played unseen at one asking."""


def export_video(
    replay: Replay, out: Path, settings: VideoSettings | None = None, *, progress: Progress = lambda done, whole: None
) -> Video:
    """Write the video at `out` (MP4 or GIF), complete or not at all; blocks.

    Where the game comes out another way than recorded the video ends.  Raises VideoError, ReplayError or StageError.
    """
    settings = settings or VideoSettings()
    plan, spec = timetable(replay, settings, out), replay.spec()
    painter = _Painter(spec, Caption(spec, replay) if settings.hud else None, plan.size, settings.viewer)
    written, differs_at = 0, None
    with HostedStage(spec, render=True) as stage, open_video(out, raw_pictures(plan.size), fps=plan.fps) as add:
        stage.wait_ready()
        shown = list(plan.ticks())
        for tick, (index, count) in zip(_played(stage, replay, [index for index, _ in shown]), shown, strict=True):
            if not _is_same(replay, tick, index):
                differs_at = index
                break
            picture = painter.draw(tick).get_buffer().raw
            for _ in range(count):
                add(picture)
            written += count
            progress(written, plan.pictures)
        if not written:
            raise VideoError(f"expected {replay.path.name} to come out as recorded, got another game at tick {index}")
    return Video(
        path=out, seconds=written / plan.fps, pictures=written, size=plan.size, differs_at=differs_at
    )  # fmt: skip


def _played(stage: Stage, replay: Replay, wanted: list[int]) -> Iterator[Tick]:
    """The ticks `wanted`, in order, drawn; the next one is on its way while one is looked at."""
    at = _skip(stage, replay, wanted[0])
    for index in wanted[1:]:
        tick = stage.wait()
        stage.replay(replay.actions[at:index])
        at = index
        yield tick
    yield stage.wait()


def _skip(stage: Stage, replay: Replay, first: int) -> int:
    """Ask for tick `first`; returns it."""
    stage.reset(replay.seed)
    for at in range(0, first, STRETCH):
        stage.wait()
        stage.replay(replay.actions[at : min(first, at + STRETCH)])
    return first


def _is_same(replay: Replay, tick: Tick, index: int) -> bool:
    """Whether the game came out as recorded, by rewards alone where a drawn game has other observations."""
    if tick.index != index:
        return False
    return replay.is_same(tick) or (replay.is_same(tick, by_rewards=True) and _may_look_different(replay))


def _may_look_different(replay: Replay) -> bool:
    from arcade.games.exact import exactness_of

    found = exactness_of(replay.spec().id)
    return found is not None and not found.alike


class _Painter:
    """Draws one tick after another on the same canvas."""

    def __init__(self, spec: GameSpec, caption: Caption | None, size: tuple[int, int], viewer: AgentID | None) -> None:
        self._picture, self._caption, self._viewer = GamePicture(spec, whole=False), caption, viewer
        self._canvas = pygame.Surface(size, depth=32)

    def draw(self, tick: Tick) -> pygame.Surface:
        canvas, area = self._canvas, self._canvas.get_rect()
        canvas.fill(theme.WELL)
        if self._caption is not None:
            area = self._caption.draw(canvas, tick)
        self._picture.draw(canvas, area, tick, tick.frame, viewer=self._viewer)
        return canvas


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
