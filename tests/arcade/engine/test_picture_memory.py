"""Pictures of any length in one reservation."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import deque
from pathlib import Path

import pytest

from arcade.engine.picture_memory import BLOCK, KeptPicture, PictureMemory

HOURS = """
import random
from collections import deque
from arcade.engine.picture_memory import BLOCK, PictureMemory

def memory():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon"))

chance, memory_of, kept = random.Random(3), PictureMemory(1024 * 2**20), deque()
def play(pictures, blocks):
    for _ in range(pictures):
        kept.append(memory_of.keep(bytes(chance.randrange(1, blocks * BLOCK))))
        if len(kept) > 200:
            kept.popleft()

before = memory()
play(400, 32)
full = memory()
play(4000, 32)
print(full - before, memory_of.used, memory() - full)
"""


def test_pictures_come_back_as_they_were_while_others_come_and_go() -> None:
    chance, memory = random.Random(1), PictureMemory(64 * BLOCK)
    kept: deque[tuple[bytes, KeptPicture]] = deque()
    for _ in range(500):
        jpeg = chance.randbytes(chance.choice([1, BLOCK - 1, BLOCK, BLOCK + 1, chance.randrange(1, 9 * BLOCK)]))
        while memory.free < len(jpeg):
            kept.popleft()
        kept.append((jpeg, memory.keep(jpeg)))
        assert all(picture.jpeg() == expected for expected, picture in kept)
    kept.clear()
    assert memory.free == 64 * BLOCK


def test_a_picture_that_a_video_still_needs_is_not_written_over() -> None:
    memory = PictureMemory(4 * BLOCK)
    first = memory.keep(2 * BLOCK * b"1")
    memory.keep(2 * BLOCK * b"2")
    memory.keep(2 * BLOCK * b"3")
    assert first.jpeg() == 2 * BLOCK * b"1"
    del first
    assert memory.free == 4 * BLOCK


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_hours_of_pictures_take_no_more_memory_than_the_first_ones() -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    told = subprocess.run(
        [sys.executable, "-c", HOURS], env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    taken, used, more = map(int, told.stdout.split())
    assert taken < used + 2**20 < 32 * 2**20, "of a reservation of a gigabyte"
    assert more < 2**20
