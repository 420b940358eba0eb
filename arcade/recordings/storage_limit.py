"""Room for new recordings: the oldest ones that nobody keeps go."""

from __future__ import annotations

import time
from collections.abc import Sequence

from arcade.recordings.library import Recording, RecordingLibrary

YOUNG_SECONDS = 3600.0
"""A file changed so lately may still be written by another arcade."""


def make_room(store: RecordingLibrary, gigabytes: float) -> Sequence[Recording]:
    """Discard recordings, oldest first, until those of `store` fill `gigabytes` (of 10^9 bytes) at most; returns them.

    Those that are kept never go, nor files that are no recordings; raises RecordingError where one cannot be deleted.
    """
    recordings, _ = store.list()
    over = sum(recording.card.bytes for recording in recordings) - gigabytes * 1e9
    gone: list[Recording] = []
    for recording in reversed(recordings):
        if over <= 0:
            break
        if not recording.card.kept and _is_old(recording):
            store.discard(recording)
            gone.append(recording)
            over -= recording.card.bytes
    return gone


def _is_old(recording: Recording) -> bool:
    try:
        return time.time() - recording.path.stat().st_mtime > YOUNG_SECONDS
    except FileNotFoundError:  # another arcade made room too
        return False
