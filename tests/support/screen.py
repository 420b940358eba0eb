"""A virtual X screen, and what one can do to the window on it from outside."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

MISSING = [program for program in ("Xvfb", "xdotool") if shutil.which(program) is None]
"""System programs that a test on a real screen needs and does not find."""

TITLE = "PettingZoo Arcade"


class Screen:
    """An Xvfb server whose picture can be read; a context manager."""

    def __init__(self, folder: Path, *, size: str = "1280x720") -> None:
        self._folder = folder
        self._size = size
        for _ in range(5):  # a server that ends may take the socket of its number away from the one that follows
            self._server, self.display = self._start()
            self.environment = {"DISPLAY": self.display, "SDL_VIDEODRIVER": "x11", "SDL_AUDIODRIVER": "dummy"}
            if "xdotool" in MISSING or self.xdotool("getdisplaygeometry"):
                return
            self.close()
        raise RuntimeError("expected an Xvfb server that answers, got none in five tries")

    def _start(self) -> tuple[subprocess.Popen[bytes], str]:
        reader, writer = os.pipe()
        # Without -noreset the server starts over, deaf meanwhile, whenever its last client leaves.
        screen = ["-screen", "0", f"{self._size}x24", "-fbdir", str(self._folder), "-nolisten", "tcp", "-noreset"]
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), *screen], pass_fds=[writer], stderr=subprocess.DEVNULL
        )
        os.close(writer)
        with os.fdopen(reader) as pipe:
            return server, f":{pipe.readline().strip()}"

    def xdotool(self, *words: object) -> str:
        """What xdotool prints, "" where it fails."""
        run = subprocess.run(
            ["xdotool", *map(str, words)],
            env=os.environ | self.environment, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        return run.stdout.strip()

    def window(self) -> str:
        """The arcade's window id, "" while there is none.

        Without a window manager a search by name finds nothing, so each window is asked for its own.
        """
        found = self.xdotool("search", "--class", "").split()
        return next((one for one in found if self.xdotool("getwindowname", one) == TITLE), "")

    def picture(self) -> NDArray[Any]:
        """The screen as the server holds it, uint8 (rows, columns, 4); from its XWD framebuffer file.

        Format: X11/XWDFile.h, version 7.
        """
        data = (self._folder / "Xvfb_screen0").read_bytes()
        head = struct.unpack(">25I", data[:100])
        width, height, stride, start = head[4], head[5], head[12], head[0] + head[19] * 12
        pixels = np.frombuffer(data, np.uint8, stride * height, start).reshape(height, stride)
        return pixels[:, : width * 4].reshape(height, width, 4)

    def close(self) -> None:
        """End the server; twice does no harm."""
        self._server.terminate()
        self._server.wait(60)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
