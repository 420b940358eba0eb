"""Room for new recordings: the oldest ones that nobody keeps go."""

from __future__ import annotations

import time
from collections.abc import Sequence

from arcade.recordings.library import Recording, RecordingLibrary

YOUNG_SECONDS = 3600.0
"""A file changed so lately may still be written by another arcade."""


def make_room(store: RecordingLibrary, gigabytes: float) -> Sequence[Recording]:
    """Discard takes, oldest first, until those of `store` fill `gigabytes` (of 10^9 bytes) at most; returns them.

    Those that are kept never go, nor files that are no takes; raises RecordingError where one cannot be deleted.
    """
    takes, _ = store.list()
    over = sum(take.card.bytes for take in takes) - gigabytes * 1e9
    gone: list[Recording] = []
    for take in reversed(takes):
        if over <= 0:
            break
        if not take.card.kept and _is_old(take):
            store.discard(take)
            gone.append(take)
            over -= take.card.bytes
    return gone


def _is_old(take: Recording) -> bool:
    try:
        return time.time() - take.path.stat().st_mtime > YOUNG_SECONDS
    except FileNotFoundError:  # another arcade made room too
        return False
