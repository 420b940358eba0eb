"""Thumbnails: the small pictures of recordings, written and read in the worker."""

from __future__ import annotations

import io
import struct
from collections import OrderedDict
from functools import partial
from pathlib import Path

import pygame

from agents.files import read_file, replacing
from arcade.engine.capture import png_bytes
from arcade.engine.window.video import fit_rect
from arcade.session.worker import Worker

SIZE = (400, 225)
"""Pixels of a picture on disk."""

MOST_BYTES = 2 * 2**20
"""Size limit of a file; a larger one is not ours."""

MOST_PIXELS = 2048 * 2048
"""Pixel limit of a picture: a small file may unpack to gigabytes."""

KEPT = 96
"""Pictures in memory."""

READING = 2
"""Files that are read at once; of the others, those asked for last come first: they are on the screen."""


def save_thumbnail(picture: pygame.Surface, path: Path) -> None:
    """Write `picture`, of any size, as a thumbnail; a kill leaves the old file or the new one.  For the worker."""
    small = pygame.Surface(SIZE)
    where = fit_rect(picture.get_size(), small.get_rect())
    small.blit(pygame.transform.smoothscale(picture, where.size), where)
    with replacing(path) as aside:
        aside.write_bytes(png_bytes(small))


class Thumbnails:
    """A cache of pictures by file and size, read in the worker."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._pictures: OrderedDict[tuple[Path, tuple[int, int]], pygame.Surface | None] = OrderedDict()
        self._waiting: OrderedDict[tuple[Path, tuple[int, int]], None] = OrderedDict()
        self._reading = 0
        self.missing: set[Path] = set()
        """The files that were looked for and are no pictures."""

    @property
    def is_reading(self) -> bool:
        """Whether more files are about to be read."""
        return self._reading > 0

    def get(self, path: Path, size: tuple[int, int]) -> pygame.Surface | None:
        """Return the picture scaled to `size`; None until it is read, or without one."""
        key = path, size
        if key not in self._pictures:
            self._pictures[key] = self._waiting[key] = None
        if key in self._waiting:
            self._waiting.move_to_end(key)
            self._read_next()
        self._pictures.move_to_end(key)
        return self._pictures[key]

    def forget(self) -> None:
        """Retry the files without a picture."""
        for key in [key for key, picture in self._pictures.items() if picture is None]:
            del self._pictures[key]
        self._waiting.clear()

    def _read_next(self) -> None:
        while self._waiting and self._reading < READING:
            key, _nothing = self._waiting.popitem()
            self._reading += 1
            self._worker.submit(partial(_read, *key), done=partial(self._keep, key))

    def _keep(self, key: tuple[Path, tuple[int, int]], picture: pygame.Surface | None) -> None:
        self._pictures[key] = picture
        (self.missing.add if picture is None else self.missing.discard)(key[0])
        self._reading -= 1
        self._read_next()
        while len(self._pictures) > KEPT:
            self._pictures.popitem(last=False)


def _read(path: Path, size: tuple[int, int]) -> pygame.Surface | None:
    """Read a picture; None for a missing or unreadable one, since the recording can be played without it."""
    try:
        data = read_file(path, most=MOST_BYTES)
        if not 0 < _pixels(data) <= MOST_PIXELS:
            return None
        return pygame.transform.smoothscale(pygame.image.load(io.BytesIO(data), path.name).convert(), size)
    except (OSError, pygame.error, ValueError):
        return None


def _pixels(png: bytes) -> int:
    """Return the number of pixels in the header of a PNG file; 0 for any other file (PNG, section 11.2.1, IHDR)."""
    if not png.startswith(b"\x89PNG\r\n\x1a\n") or png[12:16] != b"IHDR" or len(png) < 24:
        return 0
    width, height = struct.unpack(">II", png[16:24])
    return int(width * height)
