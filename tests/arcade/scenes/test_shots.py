"""``make shots``: a picture of every screen, none of them blank."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from PIL import Image

SCREENS = (
    "title", "select", "seats", "match", "match-turns", "pause", "results", "settings", "error", "training",
    "training-curves", "training-pool", "training-watch", "training-matchmaking", "training-new",
)  # fmt: skip


def test_every_screen_has_its_picture(tmp_path) -> None:
    root = Path(__file__).parents[3]
    environment = {**os.environ, "PYTHONPATH": str(root), "SDL_VIDEODRIVER": "dummy"}
    command = [sys.executable, "-m", "arcade.scenes.shots", str(tmp_path)]
    subprocess.run(command, env=environment, cwd=tmp_path, check=True, timeout=600)
    for screen in SCREENS:
        pixels = np.asarray(Image.open(tmp_path / f"{screen}.png"))
        assert pixels.shape[:2] == (720, 1280)
        assert len(np.unique(pixels[::4, ::4].reshape(-1, pixels.shape[2]), axis=0)) > 50, screen
