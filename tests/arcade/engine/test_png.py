"""Pictures are saved without anything that stays in memory."""

from __future__ import annotations

import gc
import io
from pathlib import Path

import pygame

from arcade.engine.capture import _Sink, png_bytes, save_picture


def test_a_picture_comes_back_as_it_was() -> None:
    picture = pygame.Surface((20, 10))
    picture.fill((10, 20, 30))
    loaded = pygame.image.load(io.BytesIO(png_bytes(picture)), "x.png")
    assert (loaded.get_size(), loaded.get_at((3, 3))[:3]) == ((20, 10), (10, 20, 30))


def test_saving_keeps_no_file_object(tmp_path: Path) -> None:
    """pygame keeps a reference to each that it wrote to, with its buffers."""
    kinds = (io.IOBase, _Sink)
    gc.collect()
    before = sum(isinstance(one, kinds) for one in gc.get_objects())
    for number in range(5):
        assert save_picture(pygame.Surface((20, 10)), tmp_path / f"{number}.png").stat().st_size > 50
    gc.collect()
    assert sum(isinstance(one, kinds) for one in gc.get_objects()) <= before
