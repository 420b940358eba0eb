"""Hands of hold'em compared many at a time, and how likely two cards win.

A card is suit x 13 + rank as RLCard counts them, with the ace first: 0 is the ace of spades, 12 the king.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
CARDS, RANKS = 52, 13
_MASKS = np.arange(1 << RANKS)  # of ranks, the two in the lowest bit and the ace in the highest


def _tops() -> list[Ints]:
    """The highest k ranks of each mask, for k from 0 to 5."""
    found, left = [np.zeros_like(_MASKS)], _MASKS.copy()
    for _ in range(5):
        highest = np.where(left > 0, 1 << np.floor(np.log2(np.maximum(left, 1))).astype(np.int64), 0)
        left = left & ~highest
        found.append(found[-1] | highest)
    return found


def _straights() -> Ints:
    """The highest rank of a straight in each mask as a bit, 0 without one; an ace also begins one."""
    wheel = _MASKS << 1 | _MASKS >> (RANKS - 1)
    found = np.zeros_like(_MASKS)
    for low in range(RANKS - 3):
        five = 0b11111 << low
        found = np.where(wheel & five == five, 1 << low + 3, found)
    return found


_TOP, _STRAIGHT = _tops(), _straights()
_COUNT = np.array([int(mask).bit_count() for mask in _MASKS])


def scores(cards: Ints) -> Ints:
    """Return how good each row of up to seven cards, (hands, cards), is: higher wins, equal ones share.

    Kickers are masks of ranks, which compare as numbers do.
    """
    bits = 1 << (cards % RANKS + RANKS - 1) % RANKS  # the ace counts highest
    one = two = three = four = np.zeros(len(cards), np.int64)
    for column in bits.T:
        four, three, two, one = four | three & column, three | two & column, two | one & column, one | column
    suits = np.zeros((4, len(cards)), np.int64)
    for suit in range(4):
        suits[suit] = np.bitwise_or.reduce(np.where(cards // RANKS == suit, bits, 0), axis=1)
    flush = np.where(_COUNT[suits] >= 5, suits, 0).max(axis=0)
    pair = _TOP[1][two]
    second = _TOP[1][two & ~pair]
    triple = _TOP[1][three]
    kinds = (
        (_STRAIGHT[flush], 0),
        (four, _TOP[1][one & ~four]),
        (np.where(two & ~triple, triple, 0), _TOP[1][two & ~triple]),
        (_TOP[5][flush], 0),
        (_STRAIGHT[one], 0),
        (triple, _TOP[2][one & ~triple]),
        (np.where(second, pair | second, 0), _TOP[1][one & ~pair & ~second]),
        (pair, _TOP[3][one & ~pair]),
        (_TOP[5][one], 0),
    )
    found = np.zeros(len(cards), np.int64)
    for rank, (main, kickers) in enumerate(reversed(kinds)):
        found = np.where(main > 0, rank << 26 | main << RANKS | kickers, found)
    return found


def draw_rivals(
    held: Sequence[int], board: Sequence[int], rng: np.random.Generator, *, rivals: int = 100, boards: int = 9
) -> tuple[Ints, NDArray[np.float64]]:
    """Return hands that an opponent may hold, (rivals, 2), and the share of drawn boards that `held` wins against each.

    Draws count half.
    """
    left = np.setdiff1d(np.arange(CARDS), [*held, *board])
    missing = 5 - len(board)
    shuffled = rng.permuted(np.tile(left, (rivals, 1)), axis=1)
    hands, rest = shuffled[:, :2], shuffled[:, 2:]
    count = min(boards, rest.shape[1] // missing) if missing else 1
    runs = rest[:, : missing * count].reshape(rivals * count, missing)
    common = np.hstack([np.tile(np.array(board, np.int64), (rivals * count, 1)), runs])
    own = scores(np.hstack([np.tile(np.array(held, np.int64), (rivals * count, 1)), common]))
    other = scores(np.hstack([np.repeat(hands, count, axis=0), common]))
    wins = (np.sign(own - other) + 1) / 2
    return hands, wins.reshape(rivals, count).mean(axis=1)


def promise(hands: Ints, board: Sequence[int]) -> NDArray[np.float64]:
    """Return how good each hand, (hands, 2), looks on a board, as a share of the others that it beats, 0 to 1."""
    if board:
        worth: NDArray[np.float64] = scores(np.hstack([hands, np.tile(np.array(board), (len(hands), 1))])).astype(float)
    else:
        ranks = np.sort((hands % RANKS + RANKS - 1) % RANKS, axis=1)
        suited = hands[:, 0] // RANKS == hands[:, 1] // RANKS
        worth = (
            ranks[:, 1] + 0.6 * ranks[:, 0] + 2.0 * suited + np.where(ranks[:, 0] == ranks[:, 1], 8 + ranks[:, 0], 0)
        )
    places = np.argsort(np.argsort(worth))
    return (places + 0.5) / len(hands)
