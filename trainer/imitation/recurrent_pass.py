"""Walking: what a network says to lessons from their beginnings on, with the memory that it would have in play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from trainer.imitation.lessons import Array, Lesson
from trainer.networks.seat import SeatNetwork

AT_ONCE = 4096
"""Rows that a network without a memory takes together."""


@dataclass(frozen=True, slots=True, eq=False)
class RecurrentPass:
    """A network's answers, lesson by lesson."""

    inputs: list[NDArray[np.float32]]  # (T, k): what its actions would be drawn from
    values: list[NDArray[np.float32]]  # (T + 1,); zeros where it has no estimate
    memory: list[dict[str, Array]]  # name → (pieces, …): from before each piece of `piece_of` decisions


def piece_of(network: SeatNetwork, sequence: int) -> int:
    """Decisions that are learnt together, with the memory from before the first of them."""
    return sequence if network.recurrent else 1


def walk(network: SeatNetwork, lessons: Sequence[Lesson], *, sequence: int) -> RecurrentPass:
    """`sequence`: decisions through which a recurrent network is trained."""
    with torch.inference_mode():
        if network.memory:
            return _remembering(network, lessons, piece_of(network, sequence))
        return _at_once(network, lessons)


def _at_once(network: SeatNetwork, lessons: Sequence[Lesson]) -> RecurrentPass:
    seen = np.concatenate([lesson.seen for lesson in lessons])
    masks = None if lessons[0].masks is None else np.concatenate([_masks(lesson) for lesson in lessons])
    inputs, values = [], []
    for i in range(0, len(seen), AT_ONCE):
        mask = None if masks is None else torch.as_tensor(masks[i : i + AT_ONCE])
        heads = network.decide(torch.as_tensor(seen[i : i + AT_ONCE]), mask, {})
        inputs.append(heads.inputs.numpy())
        values.append(_values(heads.value, len(heads.inputs)))
    cuts = np.cumsum([len(lesson.seen) for lesson in lessons])[:-1]
    split_inputs = [part[:-1] for part in np.split(np.concatenate(inputs), cuts)]
    return RecurrentPass(split_inputs, np.split(np.concatenate(values), cuts), [{} for _ in lessons])


def _remembering(network: SeatNetwork, lessons: Sequence[Lesson], piece: int) -> RecurrentPass:
    """All lessons side by side, a piece of each at a time; the shorter ones drop out as they end."""
    rows = sorted(range(len(lessons)), key=lambda i: -len(lessons[i]))
    memory = dict(network.begin(len(lessons)))
    kept: list[list[tuple[Any, ...]]] = [[] for _ in lessons]
    for start in range(0, len(lessons[rows[0]]) + 1, piece):
        rows = [i for i in rows if len(lessons[i]) + 1 > start]
        memory = {name: part[: len(rows)] for name, part in memory.items()}
        before = {name: part.numpy().copy() for name, part in memory.items()}
        seen, mask = _piece([lessons[i] for i in rows], start, piece)
        heads = (network.unroll if network.recurrent else network.decide)(seen, mask, memory)
        memory, inputs = heads.memory, heads.inputs.numpy().reshape(len(rows), piece, -1)
        values = _values(heads.value, len(rows) * piece).reshape(len(rows), piece)
        for place, i in enumerate(rows):
            kept[i].append((inputs[place], values[place], {name: part[place] for name, part in before.items()}))
    long = [len(lesson) for lesson in lessons]
    return RecurrentPass(
        [np.concatenate([one[0] for one in own])[:n] for own, n in zip(kept, long, strict=True)],
        [np.concatenate([one[1] for one in own])[: n + 1] for own, n in zip(kept, long, strict=True)],
        [_stacked([one[2] for one in own][: -(-n // piece)]) for own, n in zip(kept, long, strict=True)],
    )


def _piece(lessons: Sequence[Lesson], start: int, piece: int) -> tuple[torch.Tensor, torch.Tensor | None]:
    """(B, piece, …) of each lesson, without the second axis where a piece is one decision; the last is padded."""
    seen = np.stack([_padded(lesson.seen[start : start + piece], piece) for lesson in lessons])
    masks = None
    if lessons[0].masks is not None:
        masks = np.stack([_padded(_masks(lesson)[start : start + piece], piece) for lesson in lessons])
    if piece == 1:
        return torch.as_tensor(seen[:, 0]), None if masks is None else torch.as_tensor(masks[:, 0])
    return torch.as_tensor(seen), None if masks is None else torch.as_tensor(masks)


def _padded(rows: Array, length: int) -> Array:
    return np.concatenate([rows, np.repeat(rows[-1:], length - len(rows), axis=0)])


def _stacked(rows: list[dict[str, Array]]) -> dict[str, Array]:
    return {name: np.stack([row[name] for row in rows]) for name in rows[0]}


def _masks(lesson: Lesson) -> NDArray[np.int8]:
    assert lesson.masks is not None
    return lesson.masks


def _values(value: torch.Tensor | None, rows: int) -> NDArray[np.float32]:
    return np.zeros(rows, np.float32) if value is None else value.numpy()
