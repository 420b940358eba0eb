"""Memory for compressed pictures of any length that come and go for hours."""

from __future__ import annotations

import mmap
from collections.abc import Sequence

from agents.platform import system

BLOCK = mmap.PAGESIZE


class PictureMemory:
    """Blocks of one size in one reservation, which pictures are spread over, so that no holes are left between them.

    As separate objects, pictures of ever other lengths would leave the heap full of holes.  Of the reservation,
    memory is taken as far as it was ever written to.  One thread calls `keep`; any may free and read pictures.
    """

    def __init__(self, size: int) -> None:
        self._view = memoryview(system.reserve_memory(size))
        self._size = size // BLOCK
        self._touched = 0  # blocks that were ever in use, from the first on
        self._free: list[int] = []  # of these

    @property
    def free(self) -> int:
        """Bytes that a picture can have."""
        return (len(self._free) + self._size - self._touched) * BLOCK

    @property
    def used(self) -> int:
        """Bytes that were ever in use at a time."""
        return self._touched * BLOCK

    def keep(self, jpeg: bytes) -> KeptPicture:
        """Keep a picture of at most `free` bytes."""
        picture, length = memoryview(jpeg), len(jpeg)
        blocks = [self._next_block() for _ in range(0, length, BLOCK)]
        for place, block in zip(range(0, length, BLOCK), blocks, strict=True):
            piece = picture[place : place + BLOCK]
            self._view[block * BLOCK : block * BLOCK + len(piece)] = piece
        return KeptPicture(self, blocks, length)

    def _next_block(self) -> int:
        if self._free:
            return self._free.pop()
        self._touched += 1
        return self._touched - 1

    def read(self, blocks: Sequence[int], length: int) -> bytes:
        """Copy what lies in these blocks."""
        pieces = (self._view[block * BLOCK : (block + 1) * BLOCK] for block in blocks)
        return b"".join(pieces)[:length]

    def release(self, blocks: Sequence[int]) -> None:
        """Let other pictures have these blocks."""
        self._free.extend(blocks)


class KeptPicture:
    """A picture, kept for as long as anything refers to it: the clip, or a video that is being made of it."""

    __slots__ = ("_blocks", "_length", "_memory")

    def __init__(self, memory: PictureMemory, blocks: Sequence[int], length: int) -> None:
        self._memory, self._blocks, self._length = memory, blocks, length

    def jpeg(self) -> bytes:
        """Copy the picture."""
        return self._memory.read(self._blocks, self._length)

    def __del__(self) -> None:
        self._memory.release(self._blocks)
