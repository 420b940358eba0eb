"""Game pictures onto the canvas: arrays in, scaled surfaces out, with nothing allocated while the shape stays."""

from __future__ import annotations

import numpy as np
import pygame

from arcade.engine.video import fit_rect
from arcade.match.tick import Frame


class FrameView:
    """Draws the frames of one game, keeping the buffers it needs between them::

        view = FrameView()
        where = view.draw(canvas, tick.frame, pygame.Rect(0, 80, 1280, 640))

    `whole`: scale up by whole numbers, pixels as they are; False: fill the rectangle, smoothed.  A frame larger
    than the rectangle is always smoothed down.
    """

    def __init__(self, *, whole: bool = True) -> None:
        self.whole = whole
        self._pixels: Frame | None = None  # our own copy: a frame may lie in memory that is written again
        self._source: pygame.Surface | None = None  # looks into _pixels
        self._scaled: pygame.Surface | None = None

    def draw(self, canvas: pygame.Surface, frame: Frame | None, into: pygame.Rect) -> pygame.Rect:
        """Put `frame` (uint8, (rows, columns, 3)) into `into`, centred; returns where it lies.

        None draws the last frame again (nothing where there was none).
        """
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
        self._pixels = self._source = self._scaled = None

    def _take(self, frame: Frame) -> None:
        if frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3 or 0 in frame.shape:
            raise ValueError(f"expected a uint8 frame (rows, columns, 3), got: {frame.dtype} {frame.shape}")
        if self._pixels is None or self._pixels.shape != frame.shape:
            self._pixels = np.empty(frame.shape, np.uint8)
            self._source = pygame.image.frombuffer(self._pixels.data, frame.shape[1::-1], "RGB")
        np.copyto(self._pixels, frame)

    def _scale(self, size: tuple[int, int]) -> pygame.Surface:
        source = self._source
        assert source is not None
        if self._scaled is None or self._scaled.get_size() != size:
            self._scaled = pygame.Surface(size, depth=24, masks=source.get_masks())
        width, height = source.get_size()
        if size[0] % width == 0 and size[1] % height == 0:
            pygame.transform.scale(source, size, self._scaled)
        else:
            pygame.transform.smoothscale(source, size, self._scaled)
        return self._scaled
