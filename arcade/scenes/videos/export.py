"""export_video: a recording is played again, drawn offscreen, and written as a video while it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pygame

from agents.seats.controller import AgentID
from arcade.engine.capture.video_file import VideoFile, raw_pictures
from arcade.engine.ui import theme
from arcade.games.spec import GameSpec
from arcade.match.playback.replay import Replay
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.stage import Stage
from arcade.match.stage.tick import Tick
from arcade.scenes.match.picture import GamePicture, Shown
from arcade.scenes.videos.caption import Caption
from arcade.session.videos.settings import Video, VideoSettings, timetable
from arcade.video_formats import VideoError

Progress = Callable[[int, int], None]
"""Is told how many pictures are done, and of how many."""

STRETCH = 500
"""Ticks that are played unseen at one asking."""


def export_video(
    replay: Replay,
    out: Path,
    settings: VideoSettings | None = None,
    *,
    progress: Progress = lambda done, whole: None,
) -> Video:
    """Write the video at `out` (MP4 or GIF), complete or not at all; blocks.

    Where the game comes out another way than recorded the video ends.  Raises VideoError, ReplayError or StageError.
    """
    settings = settings or VideoSettings()
    plan, spec = timetable(replay, settings, out), replay.spec()
    painter = _Painter(spec, Caption(spec, replay) if settings.hud else None, plan.size, settings.viewer)
    written, differs_at = 0, None
    with HostedStage(spec, render=True) as stage, VideoFile(out, raw_pictures(plan.size), fps=plan.fps) as video:
        stage.wait_ready()
        shown = list(plan.ticks())
        for tick, (index, count) in zip(_played(stage, replay, [index for index, _ in shown]), shown, strict=True):
            if not _is_same(replay, tick, index):
                differs_at = index
                break
            picture = painter.draw(tick).get_buffer().raw
            for _ in range(count):
                video.add(picture)
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
        self._picture.draw(canvas, area, Shown(tick, tick.frame), self._viewer)
        return canvas
