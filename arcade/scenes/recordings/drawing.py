"""draw_recording: the thumbnail of a recording that was made without a window."""

from __future__ import annotations

from pathlib import Path

import pygame

from arcade.engine.ui.theme import Theme
from arcade.match.playback.reader import read_replay
from arcade.match.stage.hosted import HostedStage
from arcade.scenes.match.picture import THUMBNAIL, GamePicture
from arcade.scenes.recordings.thumbnails import save_thumbnail
from arcade.scenes.videos.export import is_same, played


def draw_recording(path: Path, tick: int, *, palette: str) -> None:
    """Play the recording again up to `tick`, and save what a spectator sees then beside it; blocks.

    Saves nothing where the game comes out otherwise.  Raises ReplayError, StageError or OSError.
    """
    replay = read_replay(path)
    spec = replay.spec()
    with HostedStage(spec, render=True) as stage:
        stage.wait_ready()
        [now] = played(stage, replay, [min(tick, len(replay.actions))])
        canvas, look = pygame.Surface(THUMBNAIL, depth=32), Theme(palette, window=THUMBNAIL)
        canvas.fill(look.colours.well)
        if (
            is_same(replay, now, now.index)
            and GamePicture(spec, whole=False).draw(canvas, look, canvas.get_rect(), now, now.frame)
            and path.exists()
        ):  # it may have been deleted meanwhile
            save_thumbnail(canvas, path.with_suffix(".png"))
