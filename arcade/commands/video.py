"""What ``arcade replay FILE --video OUT`` does: a video of a recorded match, with a bar of how far it is."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agents.seats.controller import AgentID

if TYPE_CHECKING:
    from arcade.scenes.videos import VideoSettings


@dataclass(frozen=True, kw_only=True)
class VideoRequest:
    """The options of the command; see its help."""

    start: float = 0.0
    end: float | None = None
    speed: float = 1.0
    size: str = ""
    hud: bool = False
    view: str = ""
    as_json: bool = False

    def settings(self, agents: tuple[AgentID, ...]) -> VideoSettings:
        """The same as settings; raises VideoError for what cannot be."""
        from arcade.scenes.videos import VideoSettings, parse_size

        viewer = next((agent for agent in agents if str(agent) == self.view), self.view or None)
        size = parse_size(self.size) if self.size else None
        return VideoSettings(
            start=self.start, end=self.end, speed=self.speed, size=size, hud=self.hud, viewer=viewer
        )  # fmt: skip


def write_video(file: Path, out: Path, request: VideoRequest) -> int:
    """Write the video; exit status 1 where it ends early, as the game came out another way."""
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    from rich.console import Console
    from rich.progress import Progress

    from arcade.match.playback.reader import read_replay
    from arcade.scenes.videos import export_video

    replay = read_replay(file)
    settings = request.settings(replay.spec().agents)
    console = Console(stderr=True)
    with Progress(console=console, disable=request.as_json or not console.is_terminal, transient=True) as bar:
        task = bar.add_task("writing", total=None)
        video = export_video(
            replay, out, settings, progress=lambda done, whole: bar.update(task, completed=done, total=whole)
        )
    if request.as_json:
        data = {"video": str(video.path), "seconds": video.seconds, "pictures": video.pictures, "size": video.size}
        print(json.dumps({**data, "differs_at": video.differs_at}))
    else:
        print(video.words)
    return 0 if video.differs_at is None else 1
