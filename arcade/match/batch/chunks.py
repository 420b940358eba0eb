"""Chunks of fixtures: the unit of work of one process."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from arcade.match.batch.plan import Fixture, MatchPlan
from arcade.match.batch.vectorised import num_envs

_SMALLEST = 24  # vectorised matches: fewer leave a batch too thin
_WIDTHS = 2  # vectorised envs' worth of matches a chunk at most: what a kill can lose, and how often results come


@dataclass(frozen=True, slots=True)
class Chunk:
    """Matches for one process."""

    fixtures: tuple[Fixture, ...]
    is_vectorised: bool


def chunks_of(plan: MatchPlan, fixtures: Sequence[Fixture], *, workers: int, single: int = 1) -> list[Chunk]:
    """Split fixtures for so many workers: vectorised ones evenly, others at most `single` a chunk."""
    together = tuple(fixture for fixture in fixtures if plan.is_vectorised(fixture))
    alone = tuple(fixture for fixture in fixtures if not plan.is_vectorised(fixture))
    most = _WIDTHS * num_envs(plan)
    count = max(math.ceil(len(together) / most), min(workers, len(together) // _SMALLEST), 1)
    size = max(1, min(single, math.ceil(len(alone) / (2 * workers))))
    chunks = [Chunk(together[i::count], True) for i in range(count)] if together else []
    return chunks + [Chunk(alone[i : i + size], False) for i in range(0, len(alone), size)]


def is_small(plan: MatchPlan, fixtures: Sequence[Fixture]) -> bool:
    """Whether one process plays the fixtures in a few seconds."""
    return len(fixtures) <= num_envs(plan) // 2 and all(map(plan.is_vectorised, fixtures))
