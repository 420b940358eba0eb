"""What a VideoJob runs: ``python -m arcade.scenes.videos '[REPLAY, OUT, {SETTINGS}]'``; a JSON object a line."""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import Any

NICE = 10
"""How far behind the window's own processes this one and its encoder stand."""


def main(order: str) -> None:
    """Make the video, saying how far it is; ended by SIGTERM it leaves no file."""
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    signal.signal(signal.SIGTERM, _give_up)
    os.nice(NICE)
    from agents.errors import UserError
    from arcade.match.playback.reader import read_replay
    from arcade.scenes.videos import VideoSettings, export_video

    file, out, plain = json.loads(order)
    size, viewer = plain.pop("size"), plain.pop("viewer")
    try:
        replay = read_replay(Path(file))
        viewer = next((agent for agent in replay.spec().agents if str(agent) == str(viewer)), viewer)
        settings = VideoSettings(size=tuple(size) if size else None, viewer=viewer, **plain)
        video = export_video(replay, Path(out), settings, progress=_tell_share)
        _tell({"video": {**asdict(video), "path": str(video.path)}})
    except UserError as error:
        _tell({"error": str(error)})


def _tell_share(done: int, whole: int) -> None:
    _tell({"share": done / whole})


def _tell(said: dict[str, Any]) -> None:
    with suppress(BrokenPipeError):  # the window is closed: the video is finished all the same
        print(json.dumps(said), flush=True)


def _give_up(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


if __name__ == "__main__":
    main(sys.argv[1])
