"""PictureCache: the pictures that were asked for last, within a number of bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, ParamSpec

import pygame

P = ParamSpec("P")


class PictureCache(Generic[P]):
    """Calls `make` for each new set of arguments, and keeps its pictures, the oldest of which make room.

    A cache of so many pictures grows for hours where some are large and hardly any comes twice, such as messages with a
    file's name::

        text = PictureCache(draw_text, most_bytes=8 * 2**20)
        text("Ready", size=22) is text("Ready", size=22)
    """

    def __init__(self, make: Callable[P, pygame.Surface], *, most_bytes: int) -> None:
        self.make, self._most_bytes = make, most_bytes  # make: draws a picture that is not kept
        self._kept: OrderedDict[object, pygame.Surface] = OrderedDict()  # the newest last
        self._asked: set[object] = set()  # keys since the last `forget_unused`
        self.bytes = 0

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> pygame.Surface:
        """Return the picture; the newest one is kept whatever its size."""
        key = (args, tuple(kwargs.items()))
        self._asked.add(key)
        picture = self._kept.get(key)
        if picture is not None:
            self._kept.move_to_end(key)
            return picture
        picture = self._kept[key] = self.make(*args, **kwargs)
        self.bytes += _bytes_of(picture)
        while self.bytes > self._most_bytes and len(self._kept) > 1:
            self._forget(next(iter(self._kept)))
        return picture

    def forget_unused(self) -> None:
        """Free the pictures that were not asked for since the last call."""
        for key in self._kept.keys() - self._asked:
            self._forget(key)
        self._asked.clear()

    def cache_clear(self) -> None:
        """Free all pictures."""
        self._kept.clear()
        self._asked.clear()
        self.bytes = 0

    def _forget(self, key: object) -> None:
        self.bytes -= _bytes_of(self._kept.pop(key))
        self._asked.discard(key)


def _bytes_of(picture: pygame.Surface) -> int:
    return picture.get_pitch() * picture.get_height()
