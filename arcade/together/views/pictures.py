"""Pictures of a game on their way: differences from the one before, compressed with Zstandard, within a byte rate."""

from __future__ import annotations

import numpy as np
import zstandard
from numpy.typing import NDArray

from agents.wire.peers import Allowance
from arcade.match.stage.tick import Frame
from arcade.together.messages import Picture

BYTES_A_SECOND = 2**19
"""Of pictures, to each machine."""

BURST = 2**20
PICTURES_A_SECOND = 30.0
MOST_BYTES = 3 * 2**18
"""Of one picture; a larger one is halved."""

SENT_PIXELS = 2**18
"""Rows times columns of one picture; compressing a larger one would hold up the host, so it is halved."""

MOST_PIXELS = 2**22
COLOURS = 3
LEVEL = 1
WINDOW = 2**23


def unzipped(data: bytes, *, most: int) -> bytes:
    """The bytes of a Zstandard frame that says how many they are, `most` at most; raises ValueError."""
    try:
        size = zstandard.frame_content_size(data)
        if not 0 <= size <= most:
            raise ValueError(f"expected at most {most} bytes, got a frame of {size}")
        return zstandard.ZstdDecompressor(max_window_size=WINDOW).decompress(data, max_output_size=size)
    except zstandard.ZstdError as error:
        raise ValueError(f"expected a Zstandard frame, got: {error}") from error


def zipped(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=LEVEL).compress(data)


class PictureWriter:
    """The pictures of one match, in order, the same for all machines."""

    def __init__(self, now: float) -> None:
        self._bytes = Allowance(BYTES_A_SECOND, burst=BURST, now=now)
        self._due_at = now
        self._last: NDArray[np.uint8] | None = None
        self._number = 0
        self._step = 1  # of rows and columns that are sent

    @property
    def newest(self) -> Picture | None:
        """The newest picture, for a machine that has none before it; None without any."""
        if self._last is None:
            return None
        rows, columns, _colours = self._last.shape
        return Picture(rows=rows, columns=columns, number=self._number, whole=True, data=zipped(self._last.tobytes()))

    def write(self, frame: Frame, now: float) -> Picture | None:
        """The next picture; None where it is too soon for one."""
        if now < self._due_at:
            return None
        while frame.shape[0] * frame.shape[1] > SENT_PIXELS * self._step**2:
            self._step *= 2
        while True:
            rows = np.ascontiguousarray(frame[:: self._step, :: self._step])
            last = self._last if self._last is not None and self._last.shape == rows.shape else None
            data = zipped((rows if last is None else rows ^ last).tobytes())
            if len(data) <= MOST_BYTES:
                break
            self._step *= 2
        self._due_at = max(self._due_at + 1 / PICTURES_A_SECOND, now)
        if not self._bytes.take(len(data), now):  # compressed in vain, so not again at the very next tick
            return None
        self._last, self._number = rows, self._number + 1
        return Picture(rows=rows.shape[0], columns=rows.shape[1], number=self._number, whole=last is None, data=data)


class PictureReader:
    """Reads them at another machine."""

    def __init__(self) -> None:
        self._last: NDArray[np.uint8] | None = None
        self._number = 0

    def read(self, picture: Picture) -> Frame | None:
        """The picture; None where the one before it is missing here.  Raises ValueError for what is no picture."""
        shape = picture.rows, picture.columns, COLOURS
        if picture.rows * picture.columns > MOST_PIXELS:
            raise ValueError(f"expected at most {MOST_PIXELS} pixels, got {picture.rows} x {picture.columns}")
        if not picture.whole and (picture.number != self._number + 1 or self._last is None):
            return None
        size = picture.rows * picture.columns * COLOURS
        data = unzipped(picture.data, most=size)
        if len(data) != size:
            raise ValueError(f"expected {size} bytes of a picture, got {len(data)}")
        found = np.frombuffer(data, np.uint8).reshape(shape)
        if not picture.whole and self._last is not None:
            if self._last.shape != shape:
                raise ValueError(f"expected a picture of {self._last.shape}, got a difference of {shape}")
            found = found ^ self._last
        self._last, self._number = found, picture.number
        return found
