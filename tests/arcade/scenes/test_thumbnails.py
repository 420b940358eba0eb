"""Pictures beside recordings, which may have come from anybody."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pygame
import pytest

from arcade.scenes.recordings import thumbnails


def png(path: Path, width: int, height: int) -> Path:
    """A black picture of any size in few bytes."""
    rows = zlib.compressobj(9)
    data = b"".join(rows.compress(bytes(1 + width)) for _ in range(height)) + rows.flush()
    parts = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)), (b"IDAT", data), (b"IEND", b""))
    chunks = [
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts
    ]
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))
    return path


@pytest.fixture(autouse=True)
def _window() -> None:
    pygame.display.init()
    pygame.display.set_mode((64, 64))


def test_a_picture_that_unpacks_to_more_than_any_of_ours_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert thumbnails._read(png(tmp_path / "small.png", 400, 225), (40, 22)).get_size() == (40, 22)
    bomb = png(tmp_path / "bomb.png", 12_000, 12_000)
    assert bomb.stat().st_size < thumbnails.MOST_BYTES
    monkeypatch.setattr(pygame.image, "load", lambda *given: pytest.fail("expected that it is not unpacked"))
    assert thumbnails._read(bomb, (40, 22)) is None
    (tmp_path / "other.png").write_bytes(b"GIF89a" + bytes(90))
    assert thumbnails._read(tmp_path / "other.png", (40, 22)) is None


class Queue:
    """A worker that does its jobs when it is asked to."""

    def __init__(self) -> None:
        self.jobs: list = []

    def submit(self, job, done) -> None:
        self.jobs.append((job, done))

    def work(self) -> None:
        job, done = self.jobs.pop(0)
        done(job())


def test_pictures_on_the_screen_are_read_before_those_that_were_scrolled_past(tmp_path: Path) -> None:
    paths = [png(tmp_path / f"{number}.png", 40, 20) for number in range(6)]
    queue = Queue()
    found = thumbnails.Thumbnails(queue)
    for path in paths:
        found.get(path, (4, 2))
    for path in paths[4:]:  # the others are off the screen by now
        found.get(path, (4, 2))
    for _ in range(thumbnails.READING + 2):
        queue.work()
    assert all(found.get(path, (4, 2)) is not None for path in (paths[0], paths[1], paths[4], paths[5]))
    assert found.get(paths[2], (4, 2)) is None
