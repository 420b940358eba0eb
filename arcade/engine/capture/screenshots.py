"""Screenshots as PNG files."""

from __future__ import annotations

import threading
from datetime import datetime
from pathlib import Path

import pygame

from agents.files import replacing
from agents.home import folder


def new_capture_path(kind: str, suffix: str) -> Path:
    """Return a new path in the folder `kind` of ARCADE_HOME."""
    return folder(kind) / f"{datetime.now():%Y-%m-%d-%H%M%S-%f}.{suffix}"


def save_picture(picture: pygame.Surface, path: Path) -> Path:
    """Save a PNG at `path`, complete or not at all; returns `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as aside, aside.open("wb") as file:
        pygame.image.save(picture, file, ".png")
    return path


def save_picture_in_background(picture: pygame.Surface) -> Path:
    """Save a copy as a screenshot; returns its future path."""
    copy, path = picture.copy(), new_capture_path("screenshots", "png")
    threading.Thread(target=save_picture, args=(copy, path), name="screenshot").start()
    return path
