"""A full disk pauses a run: what could not be written is tried again until there is room, or a stop is asked for."""

from __future__ import annotations

import errno
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
AGAIN_SECONDS = 2.0
"""Between two attempts."""

_POLL_SECONDS = 0.1  # between two looks whether a stop was asked for


def is_full(error: OSError) -> bool:
    """Whether the disk, a quota or the largest size of a file was reached."""
    return error.errno in FULL


def when_there_is_room(
    write: Callable[[], T], *, stopped: Callable[[], bool], waiting: Callable[[OSError], object],
    sleep: Callable[[float], None] = time.sleep,
) -> T | None:  # fmt: skip
    """What `write` returns; None where the disk stays full until `stopped`.

    `write` must change nothing where it fails; `waiting` is called once before the first wait.  Raises OSError for
    another failure than a full disk.
    """
    is_waiting = False
    while True:
        try:
            return write()
        except OSError as error:
            if not is_full(error):
                raise
            if not is_waiting:
                is_waiting = True
                waiting(error)
        for _ in range(round(AGAIN_SECONDS / _POLL_SECONDS)):
            if stopped():
                return None
            sleep(_POLL_SECONDS)
