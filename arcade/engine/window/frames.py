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
        self._scaled: pygame.Surface | None = None
        self._wide: pygame.Surface | None = None  # the frame with four bytes a pixel
        self._between: pygame.Surface | None = None  # enlarged by the next whole number, before _scaled

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
            canvas.blit(self._scale(where.size), where)
        return where

    def forget(self) -> None:
        """Drop the last frame."""
        self._pixels = self._source = self._scaled = self._wide = self._between = None

    def _take(self, frame: Frame) -> None:
        if frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3 or 0 in frame.shape:
            raise ValueError(f"expected a uint8 frame (rows, columns, 3), got: {frame.dtype} {frame.shape}")
        if self._pixels is None or self._pixels.shape != frame.shape:
            self._pixels = np.empty(frame.shape, np.uint8)
            self._source = pygame.image.frombuffer(self._pixels.data, frame.shape[1::-1], "RGB")
        np.copyto(self._pixels, frame)

    def _scale(self, size: tuple[int, int]) -> pygame.Surface:
        """Return the frame at that size: repeated by whole numbers, or smoothed."""
        source = self._source
        assert source is not None
        if self._scaled is None or self._scaled.get_size() != size:
            self._scaled = pygame.Surface(size, depth=32)
        width, height = source.get_size()
        if size[0] % width == 0 and size[1] % height == 0:
            pygame.transform.scale(self._widened(), size, self._scaled)
        else:
            pygame.transform.smoothscale(self._enlarged(size), size, self._scaled)
        return self._scaled

    def _enlarged(self, size: tuple[int, int]) -> pygame.Surface:
        """Return the frame with pixels repeated up to `size` at least; the frame itself for a small scale."""
        wide = self._widened()
        width, height = wide.get_size()
        times = ceil(max(size[0] / width, size[1] / height))
        if times < SHARP:
            return wide
        large = width * times, height * times
        if self._between is None or self._between.get_size() != large:
            self._between = pygame.Surface(large, depth=32)
        return pygame.transform.scale(wide, large, self._between)

    def _widened(self) -> pygame.Surface:
        """Return the frame with four bytes a pixel, which scale much faster than three."""
        source = self._source
        assert source is not None
        if self._wide is None or self._wide.get_size() != source.get_size():
            self._wide = pygame.Surface(source.get_size(), depth=32)
        self._wide.blit(source, (0, 0))
        return self._wide
