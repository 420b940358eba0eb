"""The process of a video: ``python -m arcade.scenes.videos '[REPLAY, OUT, {SETTINGS}, LANGUAGE]'``; prints JSON."""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agents.platform.children import end_with_parent


def main(order: str) -> None:
    """Make the video and print its progress; ended by SIGTERM it leaves no file."""
    end_with_parent()
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    from agents.errors import UserError
    from arcade import language
    from arcade.match.playback.reader import read_replay
    from arcade.scenes.videos.export import export_video
    from arcade.session.videos import VideoSettings

    file, out, plain, name = json.loads(order)
    language.use(name)
    size, viewer = plain.pop("size"), plain.pop("viewer")
    try:
        replay = read_replay(Path(file))
        viewer = next((agent for agent in replay.spec().agents if str(agent) == str(viewer)), viewer)
        settings = VideoSettings(size=tuple(size) if size else None, viewer=viewer, **plain)
        video = export_video(replay, Path(out), settings, progress=lambda done, of: _report({"share": done / of}))
        _report({"video": {**asdict(video), "path": str(video.path)}})
    except UserError as error:
        _report({"error": str(error)})


def _report(message: dict[str, Any]) -> None:
    with suppress(BrokenPipeError):  # the window is closed: this process ends too
        print(json.dumps(message), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
