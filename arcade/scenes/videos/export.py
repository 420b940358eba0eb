"""export_video: simulates a recording again, draws it offscreen, and encodes a video."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pygame

from arcade.engine.capture import open_video, raw_pictures
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Colour, Theme
from arcade.games.scores import Points
from arcade.games.seat_colours import team_colour
from arcade.games.spec import GameSpec
from arcade.match.playback.replay import Replay
from arcade.match.playback.timeline import Timeline
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.stage import Stage
from arcade.match.stage.tick import Tick
from arcade.scenes.match.picture import GamePicture
from arcade.session.match.moment_texts import moment_to_come
from arcade.session.player_names import PlayerNames
from arcade.session.videos import Video, VideoSettings, timetable
from arcade.video_formats import VideoError

STRETCH = 500
"""Ticks that are stepped undrawn in one request."""


def export_video(
    replay: Replay, out: Path, settings: VideoSettings | None = None, *,
    progress: Callable[[int, int], None] = lambda done, all_pictures: None,
) -> Video:  # fmt: skip
    """Write the video at `out` (MP4 or GIF), complete or not at all; blocks.

    It ends where the game differs from the recording.  Raises VideoError, ReplayError or StageError.
    """
    settings = settings or VideoSettings()
    plan, spec = timetable(replay, settings, out), replay.spec()
    canvas, picture = pygame.Surface(plan.size, depth=32), GamePicture(spec, whole=False)
    caption, look = Caption(spec, replay) if settings.hud else None, Theme(window=plan.size)
    written, differs_at = 0, None
    with HostedStage(spec, render=True) as stage, open_video(out, raw_pictures(plan.size), fps=plan.fps) as add:
        stage.wait_ready()
        shown = list(plan.ticks())
        for tick, (index, count) in zip(played(stage, replay, [index for index, _ in shown]), shown, strict=True):
            if not is_same(replay, tick, index):
                differs_at = index
                break
            canvas.fill(look.colours.well)
            area = canvas.get_rect() if caption is None else caption.draw(canvas, tick)
            picture.draw(canvas, look, area, tick, tick.frame, viewer=settings.viewer)
            pixels = canvas.get_buffer().raw
            for _ in range(count):
                add(pixels)
            written += count
            progress(written, plan.pictures)
        if not written:
            raise VideoError(f"expected {replay.path.name} to come out as recorded, got another game at tick {index}")
    return Video(path=out, seconds=written / plan.fps, pictures=written, size=plan.size, differs_at=differs_at)


def played(stage: Stage, replay: Replay, wanted: list[int]) -> Iterator[Tick]:
    """Yield the ticks `wanted` of the recording, in order; the next one is stepped meanwhile."""
    at = wanted[0]
    stage.reset(replay.seed)
    for start in range(0, at, STRETCH):
        stage.wait()
        stage.replay(replay.actions[start : min(at, start + STRETCH)])
    for index in wanted[1:]:
        tick = stage.wait()
        stage.replay(replay.actions[at:index])
        at = index
        yield tick
    yield stage.wait()


def is_same(replay: Replay, tick: Tick, index: int) -> bool:
    """Whether the game came out as recorded, by rewards alone where a drawn game has other observations."""
    if tick.index != index or replay.is_same(tick):
        return tick.index == index
    from arcade.games.exact import exactness_of  # on demand: reads a table of all games

    found = exactness_of(replay.spec().id)
    return found is not None and not found.alike and replay.is_same(tick, by_rewards=True)


SHARE = 1 / 11
"""Height of the bar, as a share of the video's."""


class Caption:
    """Players, scores and time above the picture: the time between two teams, else at the end of the row."""

    def __init__(self, spec: GameSpec, replay: Replay) -> None:
        self._spec, self._replay = spec, replay
        self._theme, self._player_names = Theme(), PlayerNames(spec)
        self._score: Points = ()
        self._timeline = Timeline(replay, spec)

    def draw(self, canvas: pygame.Surface, now: Tick) -> pygame.Rect:
        """Draw the bar at the tick `now`; returns the area below it."""
        tick, self._score = now.index, self._timeline.score(now)
        bar = canvas.get_rect()
        bar.h = round(bar.h * SHARE)
        pygame.draw.rect(canvas, self._theme.colours.ground, bar)
        inner = bar.inflate(-bar.h // 2, 0)
        is_duel = len(self._spec.teams) == 2
        width = min(inner.w // 4, bar.h * 4)
        clock = pygame.Rect(0, 0, width, bar.h)
        setattr(clock, "center" if is_duel else "midright", bar.center if is_duel else inner.midright)
        moment = moment_to_come(self._spec, tick, over=tick >= len(self._replay.actions))
        self._words(canvas, moment, clock, "center", colour=self._theme.colours.muted)
        self._draw_duel(canvas, inner, clock, tick) if is_duel else self._draw_row(canvas, inner, clock, tick)
        return pygame.Rect(0, bar.h, bar.w, canvas.get_height() - bar.h)

    def _draw_duel(self, canvas: pygame.Surface, inner: pygame.Rect, clock: pygame.Rect, tick: int) -> None:
        left = pygame.Rect(inner.left, inner.top, clock.left - inner.left, inner.h)
        right = pygame.Rect(clock.right, inner.top, inner.right - clock.right, inner.h)
        sides = ((left, "midleft", "midright"), (right, "midright", "midleft"))
        for team in (0, 1):
            place = self._spec.side_of(team)
            half, side, other = sides[place]
            score = self._words(canvas, self._score_of(team), half, other, team=team)
            room = half.copy()
            room.w -= score.w + self._theme.gap
            room.left += (score.w + self._theme.gap) * place
            self._words(canvas, self._names(team, tick), room, side)

    def _draw_row(self, canvas: pygame.Surface, inner: pygame.Rect, clock: pygame.Rect, tick: int) -> None:
        width = (clock.left - inner.left) // len(self._spec.teams)
        for team in range(len(self._spec.teams)):
            cell = pygame.Rect(inner.left + team * width, inner.top, width - self._theme.gap, inner.h)
            score = self._words(canvas, self._score_of(team), cell, "midleft", team=team)
            cell.w -= score.w + self._theme.gap
            cell.left = score.right + self._theme.gap
            self._words(canvas, self._names(team, tick), cell, "midleft")

    def _words(
        self, canvas: pygame.Surface, words: str, room: pygame.Rect, side: str, *,
        team: int | None = None, colour: Colour | None = None,
    ) -> pygame.Rect:  # fmt: skip
        """Draw a line at that side of its room; a team's score larger and in the team's colour."""
        size = max(themes.SMALLEST, round(room.h * (0.56 if team is not None else 0.38)))
        ink = colour if team is None else team_colour(self._spec, team, self._theme.colours.teams)
        look: dict[str, Any] = {"size": size, "colour": ink, "bold": colour is None}
        return self._theme.draw_text(canvas, words, getattr(room, side), anchor=side, width=max(8, room.w), **look)

    def _names(self, team: int, tick: int) -> str:
        """Return the players of the team at that tick, each once; people whom the file does not name by their seat."""
        sources = {agent: self._replay.source_at(agent, tick) for agent in self._spec.teams[team]}
        counts = Counter(
            self._spec.seat_title(agent) if source.human and not source.person else self._player_names.of_source(source)
            for agent, source in sources.items()
        )
        return ", ".join(f"{label} × {count}" if count > 1 else label for label, count in counts.items())

    def _score_of(self, team: int) -> str:
        return self._spec.score.number(self._score[team]) if self._score else ""
