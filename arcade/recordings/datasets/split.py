"""Which takes are for learning and which are held out to measure with: the same ones whoever asks, and whenever.

Whole takes are held out, not decisions: neighbours in an episode are all but equal, and so are the two seats of a
match.  So are matches of one seed: a copy, one that goes on from another, one that was played once more; they stay
together.  The seed decides, by a hash: takes that come later change nothing for those there, and the same matches
recorded again are split alike.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

HELD_OUT = 0.2
"""Share of the takes that is held out, on the average."""


def held_out(seeds: Mapping[str, int], *, share: float = HELD_OUT) -> frozenset[str]:
    """The ids of takes that are held out, of ids with the seeds of their matches.

    Of two takes or more at least one is, and at least one is not; where all have one seed, they count as matches of
    their own, and their ids decide.
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
