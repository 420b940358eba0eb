"""FrameView: draws arrays as scaled pictures, without allocations while the shape stays."""

from __future__ import annotations

from math import ceil

import numpy as np
import pygame
from numpy.typing import NDArray

from arcade.engine.window.video import fit_rect

Frame = NDArray[np.uint8]

SHARP = 3  # least scale at which pixels stay sharp; a smaller one smooths the whole frame


class FrameView:
    """Draws the frames of one game.

    `whole`: scale up by whole numbers where that fills most of the rectangle (`fit_rect`); False: fill it.  Between
    whole numbers only the edges of pixels are smoothed.  A larger frame is smoothed down.
    """

    def __init__(self, *, whole: bool = True) -> None:
        self.whole = whole
        self._pixels: Frame | None = None  # a copy: the memory of a frame may be written again
        self._source: pygame.Surface | None = None  # a view of _pixels
        self._kept: dict[str, pygame.Surface] = {}  # surfaces by their use, for the next frame

    def draw(self, canvas: pygame.Surface, frame: Frame | None, into: pygame.Rect) -> pygame.Rect:
        """Draw `frame` (uint8, (rows, columns, 3); None: the last one) in the middle of `into`; return its place."""
        if frame is not None:
            self._take(frame)
        if self._source is None:
            return pygame.Rect(into.center, (0, 0))
        where = fit_rect(self._source.get_size(), into, whole=self.whole)
        if where.size == self._source.get_size():
            canvas.blit(self._source, where)
        else:
            canvas.blit(self._scale(self._source, where.size), where)
        return where

    def forget(self) -> None:
        """Drop the last frame."""
        self._pixels = self._source = None
        self._kept.clear()

    def _take(self, frame: Frame) -> None:
        if frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3 or 0 in frame.shape:
            raise ValueError(f"expected a uint8 frame (rows, columns, 3), got: {frame.dtype} {frame.shape}")
        if self._pixels is None or self._pixels.shape != frame.shape:
            self._pixels = np.empty(frame.shape, np.uint8)
            self._source = pygame.image.frombuffer(self._pixels.data, frame.shape[1::-1], "RGB")
        np.copyto(self._pixels, frame)

    def _scale(self, source: pygame.Surface, size: tuple[int, int]) -> pygame.Surface:
        """Return the frame at that size: repeated by whole numbers, or smoothed."""
        wide = self._surface("four bytes a pixel", source.get_size())  # they scale much faster than three
        wide.blit(source, (0, 0))
        width, height = source.get_size()
        if size[0] % width == 0 and size[1] % height == 0:
            return pygame.transform.scale(wide, size, self._surface("scaled", size))
        times = ceil(max(size[0] / width, size[1] / height))
        if times >= SHARP:
            larger = width * times, height * times
            wide = pygame.transform.scale(wide, larger, self._surface("larger", larger))
        return pygame.transform.smoothscale(wide, size, self._surface("scaled", size))

    def _surface(self, use: str, size: tuple[int, int]) -> pygame.Surface:
        if use not in self._kept or self._kept[use].get_size() != size:
            self._kept[use] = pygame.Surface(size, depth=32)
        return self._kept[use]
