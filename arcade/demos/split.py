"""Which takes are for learning and which are held out to measure with: the same ones whoever asks, and whenever.

Whole takes are held out, not decisions: neighbours in an episode are all but equal, and so are the two seats of a
match.  A take's own id decides, by a hash, so that takes that come later change nothing for those that are there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

HELD_OUT = 0.2
"""Share of the takes that is held out, on the average."""


def held_out(ids: Iterable[str], *, share: float = HELD_OUT) -> frozenset[str]:
    """The ids of takes that are held out; of two takes or more at least one is, and at least one is not."""
    places = sorted((_place(id), id) for id in set(ids))
    if len(places) < 2:
        return frozenset()
    chosen = [id for place, id in places if place < share]
    count = min(max(1, len(chosen)), len(places) - 1)
    return frozenset(id for _, id in places[:count])


def _place(id: str) -> float:
    """0 <= place < 1, evenly spread over ids."""
    return int.from_bytes(hashlib.sha256(id.encode()).digest()[:8]) / 2**64
