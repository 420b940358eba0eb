"""The reproducible split of recordings into a training part and a held-out part.

Whole recordings are held out, since neighbouring decisions and the two seats of a match are nearly equal.  Matches of
one seed (copies, branches, replays) stay together.  A hash of the seed decides, so later recordings move none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

HELD_OUT = 0.2
"""Average share of the recordings that is held out."""


def held_out(seeds: Mapping[str, int], *, share: float = HELD_OUT) -> frozenset[str]:
    """Return the held-out ids, given the match seed of each recording id.

    Of two recordings or more, at least one is held out and at least one is not.  Where all have one seed, their ids
    decide.
    """
    groups: dict[int | str, list[str]] = {}
    several = len(set(seeds.values())) > 1
    for id, seed in sorted(seeds.items()):
        groups.setdefault(seed if several else id, []).append(id)
    places = sorted((_place(str(key)), ids) for key, ids in groups.items())
    if len(places) < 2:
        return frozenset()
    chosen = [ids for place, ids in places if place < share]
    count = min(max(1, len(chosen)), len(places) - 1)
    return frozenset(id for _, ids in places[:count] for id in ids)


def _place(key: str) -> float:
    """0 <= place < 1, evenly spread over keys."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8]) / 2**64
