"""A display for the benchmarks: an X server of its own where there is one, else SDL's dummy driver."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.screen import Screen


@contextmanager
def display(size: str = "1280x720") -> Iterator[dict[str, str]]:
    """The environment variables that open windows there; `size` in pixels, as in "1920x1080"."""
    quiet = {"SDL_AUDIODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    if shutil.which("Xvfb") is None:
        yield {**quiet, "SDL_VIDEODRIVER": "dummy"}
        return
    with tempfile.TemporaryDirectory() as folder, Screen(Path(folder), size=size) as screen:
        yield quiet | screen.environment
