"""Makes the animated picture of the README: python -m tests.support.readme_picture assets/volley.webp."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from PIL import Image

SECONDS, SIZE = 8, (480, 270)


def make_picture(out: Path) -> None:
    """A rally of volley between two levels, ten pictures a second."""
    import arcade

    with tempfile.TemporaryDirectory() as home:
        os.environ["ARCADE_HOME"] = home
        seats = {"left_0": "level:hard", "right_0": "level:expert"}
        arcade.play("house/volley", seats, seed=11, max_ticks=900, record=True)
        film = Path(home) / "volley.gif"
        arcade.video("latest", film, start=1, end=1 + SECONDS, size=SIZE, hud=True)
        with Image.open(film) as video:
            pictures = [video.copy().convert("RGB") for number in range(0, video.n_frames, 2) if not video.seek(number)]
            each = 2 * video.info["duration"]
    pictures[0].save(out, save_all=True, append_images=pictures[1:], duration=each, loop=0, quality=60, method=4)


if __name__ == "__main__":
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy")
    make_picture(Path(sys.argv[1]))
