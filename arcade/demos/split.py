"""Which takes are for learning and which are held out to measure with: the same ones whoever asks, and whenever.

Whole takes are held out, not decisions: neighbours in an episode are all but equal, and so are the two seats of a
match.  So are matches of one seed: a copy, one that goes on from another, one that was played once more; they stay
together.  The first id of them decides, by a hash, so that takes that come later change nothing for those there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

HELD_OUT = 0.2
"""Share of the takes that is held out, on the average."""


def held_out(seeds: Mapping[str, int], *, share: float = HELD_OUT) -> frozenset[str]:
    """The ids of takes that are held out, of ids with the seeds of their matches.

    Of two takes or more at least one is, and at least one is not; all of one seed count as matches of their own.
    """
    groups: dict[int, list[str]] = {}
    for id in sorted(seeds):
        groups.setdefault(seeds[id], []).append(id)
    together = list(groups.values()) if len(groups) > 1 else [[id] for id in sorted(seeds)]
    places = sorted((_place(ids[0]), ids) for ids in together)
    if len(places) < 2:
        return frozenset()
    chosen = [ids for place, ids in places if place < share]
    count = min(max(1, len(chosen)), len(places) - 1)
    return frozenset(id for _, ids in places[:count] for id in ids)


def _place(id: str) -> float:
    """0 <= place < 1, evenly spread over ids."""
    return int.from_bytes(hashlib.sha256(id.encode()).digest()[:8]) / 2**64
