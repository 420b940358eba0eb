"""Mutation of good inputs, reproducible from a seed; it needs no library and runs everywhere."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

MAX_LENGTH = 64 * 2**10
_SIZES = (1, 2, 4, 8)
_VALUES = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1)


def mutated(seeds: Sequence[bytes], words: Sequence[bytes], *, seed: int) -> Iterator[bytes]:
    """Endless inputs, each made of one of `seeds` by up to eight changes."""
    rng = random.Random(seed)
    while True:
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.randint(1, 8)):
            rng.choice(_CHANGES)(rng, data, seeds, words)
        yield bytes(data[:MAX_LENGTH])


def _place(rng: random.Random, data: bytearray) -> int:
    return rng.randrange(len(data) + 1)


def _flip(rng: random.Random, data: bytearray, seeds: Sequence[bytes], words: Sequence[bytes]) -> None:
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _overwrite(rng: random.Random, data: bytearray, seeds: Sequence[bytes], words: Sequence[bytes]) -> None:
    size, place = rng.choice(_SIZES), _place(rng, data)
    value = rng.choice(_VALUES) % 256**size
    data[place : place + size] = value.to_bytes(size, "little" if rng.random() < 0.5 else "big")


def _delete(rng: random.Random, data: bytearray, seeds: Sequence[bytes], words: Sequence[bytes]) -> None:
    place = _place(rng, data)
    del data[place : place + rng.randint(1, 16)]


def _repeat(rng: random.Random, data: bytearray, seeds: Sequence[bytes], words: Sequence[bytes]) -> None:
    place = _place(rng, data)
    data[place:place] = data[place : place + rng.randint(1, 32)] * rng.choice((1, 1, 2, 50))


def _insert(rng: random.Random, data: bytearray, seeds: Sequence[bytes], words: Sequence[bytes]) -> None:
    place = _place(rng, data)
    data[place:place] = rng.choice(words) if words and rng.random() < 0.7 else rng.randbytes(rng.randint(1, 8))


def _replace(rng: random.Random, data: bytearray, seeds: Sequence[bytes], words: Sequence[bytes]) -> None:
    place = _place(rng, data)
    word = rng.choice(words) if words else rng.randbytes(rng.randint(1, 8))
    data[place : place + rng.randint(1, len(word) + 4)] = word


def _splice(rng: random.Random, data: bytearray, seeds: Sequence[bytes], words: Sequence[bytes]) -> None:
    other = rng.choice(seeds)
    start = rng.randrange(len(other) + 1)
    place = _place(rng, data)
    data[place : place + rng.randint(0, 64)] = other[start : start + rng.randint(1, 256)]


_CHANGES: Sequence[Callable[[random.Random, bytearray, Sequence[bytes], Sequence[bytes]], None]] = (
    _flip, _overwrite, _delete, _repeat, _insert, _replace, _splice,
)  # fmt: skip
