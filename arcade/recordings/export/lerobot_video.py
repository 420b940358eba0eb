"""LeRobotVideo: what a seat saw, as the MP4 of a LeRobot data set."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.platform.children import start_program
from arcade.ffmpeg import ffmpeg
from arcade.recordings.export.running_stats import RunningStats
from arcade.recordings.query import DatasetError

GOP, QUALITY = 2, 18  # a picture of its own at least every so many, as LeRobot has it for random access; CRF


class LeRobotVideo:
    """All pictures of all episodes, encoded as they come; H.264, whose pixels keep their colours' positions."""

    def __init__(self, path: Path, shape: tuple[int, ...], *, fps: int) -> None:
        self._height, self._width, self._fps = shape[0], shape[1], fps
        self._format = "yuv420p" if shape[0] % 2 == shape[1] % 2 == 0 else "yuv444p"
        self._stats = RunningStats()
        path.parent.mkdir(parents=True)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (closed by `close`)
        size = f"{self._width}x{self._height}"
        options = [
            "-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", str(fps), "-i", "-", "-an",
            "-c:v", "libx264", "-g", str(GOP), "-crf", str(QUALITY), "-pix_fmt", self._format, str(path),
        ]  # fmt: skip
        try:
            self._encoder = start_program(
                [ffmpeg(), *options], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._log
            )
        except OSError as error:
            raise DatasetError(f"expected to encode a video, got: {error}", code="not_installed") from error

    def add(self, pictures: NDArray[np.uint8]) -> None:
        """Append pictures, uint8 (T, height, width, 3)."""
        assert self._encoder.stdin is not None
        try:
            for picture in pictures:
                self._encoder.stdin.write(np.ascontiguousarray(picture).data)
        except BrokenPipeError as error:
            raise DatasetError(f"expected to encode a video, got: {self._words()}") from error
        self._stats.add({"picture": pictures[:: self._fps].reshape(-1, 3) / 255})  # a picture a second is enough

    def close(self) -> None:
        """Finish the file."""
        if self._encoder.stdin is None or self._encoder.stdin.closed:
            return
        self._encoder.stdin.close()
        if self._encoder.wait():
            raise DatasetError(f"expected to encode a video, got: {self._words()}")
        self._log.close()

    def _words(self) -> str:
        self._log.seek(0)
        return self._log.read().decode(errors="replace").strip()[-300:] or "no reason"

    def feature(self) -> dict[str, Any]:
        """Return its description in ``info.json``."""
        about = {
            "video.height": self._height, "video.width": self._width, "video.codec": "h264",
            "video.pix_fmt": self._format, "video.is_depth_map": False, "video.fps": self._fps, "video.channels": 3,
            "has_audio": False,
        }  # fmt: skip
        shape = [self._height, self._width, 3]
        return {"dtype": "video", "shape": shape, "names": ["height", "width", "channels"], "info": about}

    def stats(self) -> dict[str, Any]:
        """Return figures of each colour, 0 to 1."""
        found = self._stats.as_json()["picture"]
        return {name: values if name == "count" else [[[one]] for one in values] for name, values in found.items()}
