"""Chunks of matches, and what plays one: the unit of work that goes to a core."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from arcade.tournaments.plan import Fixture
from arcade.tournaments.rows import Row
from arcade.tournaments.table import Table
from trainer.tournament.alone import AloneTable
from trainer.tournament.lockstep import LockStep, width

Chunk = Sequence[Fixture]
_SMALLEST = 24  # matches in lock-step: fewer leave a batch too thin
_WIDTHS = 2  # batches a chunk at most: what a kill can lose, and how often the table moves
_ALONE = 4  # matches alone: a process takes a second to start


def chunks_of(table: Table, fixtures: Sequence[Fixture], *, workers: int) -> list[list[Fixture]]:
    """The matches of a round for so many workers: those in lock-step dealt out evenly, those alone in small hands."""
    together = [fixture for fixture in fixtures if table.is_in_lock_step(fixture)]
    alone = [fixture for fixture in fixtures if not table.is_in_lock_step(fixture)]
    most = _WIDTHS * width(table)
    count = max(math.ceil(len(together) / most), min(workers, len(together) // _SMALLEST), 1)
    size = max(1, min(_ALONE, math.ceil(len(alone) / (2 * workers))))
    hands = [together[i::count] for i in range(count)] + [alone[i : i + size] for i in range(0, len(alone), size)]
    return [hand for hand in hands if hand]


def is_small(table: Table, fixtures: Chunk) -> bool:
    """Whether one process plays a round like this in a few seconds."""
    return len(fixtures) <= width(table) // 2 and all(map(table.is_in_lock_step, fixtures))


def play_chunk(table: Table, fixtures: Chunk) -> Iterator[list[Row]]:
    """A row for each of them, in any order, as they come."""
    steps = LockStep(table, [fixture for fixture in fixtures if table.is_in_lock_step(fixture)])
    yield from steps.play()
    yield from play_alone(table, [f for f in fixtures if not table.is_in_lock_step(f)] + steps.left)


def play_alone(table: Table, fixtures: Chunk) -> Iterator[list[Row]]:
    """The same, one at a time."""
    with AloneTable(table) as alone:
        for fixture in fixtures:
            yield [alone.play(fixture)]
