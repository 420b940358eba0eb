"""What a player of Hanabi knows, read from the observation of two players with five cards.

Its parts are told in https://pettingzoo.farama.org/environments/classic/hanabi/; a card is its colour x 5 + rank, both
from 0, and cards of a hand are numbered from the oldest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

COLOURS = RANKS = HAND = 5
CARDS = COLOURS * RANKS
COPIES = np.tile((3, 2, 2, 2, 1), COLOURS)
"""Of each card in the deck."""

DISCARD, PLAY, COLOUR, RANK = 0, HAND, 2 * HAND, 2 * HAND + COLOURS
"""The first action of each kind."""

_PILES, _TOKENS, _LIVES, _DISCARDS = 167, 192, 200, 203
_KIND, _TOUCHED, _POSITION, _SUCCESS, _KNOWLEDGE = 255, 271, 276, 306, 308
_KNOWN = CARDS + COLOURS + RANKS  # entries of one card's knowledge


@dataclass(frozen=True, slots=True)
class Hand:
    """The public knowledge of one hand."""

    possible: NDArray[np.bool_]  # (cards of the hand, 25), by the hints
    colours: NDArray[np.bool_]  # (cards of the hand,), whether the colour was told
    ranks: NDArray[np.bool_]

    @property
    def hinted(self) -> NDArray[np.bool_]:
        """Whether a hint touched each card."""
        return self.colours | self.ranks

    def __len__(self) -> int:
        return len(self.possible)


class Table:
    """One turn; `observation` is (658,), `mask` (20,)."""

    def __init__(self, observation: Any, mask: Any) -> None:
        seen = np.asarray(observation, bool)
        cards = seen[: HAND * CARDS].reshape(HAND, CARDS)
        self.mask = np.asarray(mask, bool)
        self.partner = [int(card.argmax()) for card in cards if card.any()]
        self.tokens, self.lives = int(seen[_TOKENS:_LIVES].sum()), int(seen[_LIVES:_DISCARDS].sum())
        piles = seen[_PILES:_TOKENS].reshape(COLOURS, RANKS)
        self.piles = np.where(piles.any(axis=1), piles.argmax(axis=1) + 1, 0)  # cards of each firework
        self.discards = _counts(seen[_DISCARDS : _DISCARDS + int(COPIES.sum())])
        self.deck = int(seen[127:_PILES].sum())
        self.own = self._hand(seen, 0, int(self.mask[PLAY:COLOUR].sum()))
        self.theirs = self._hand(seen, HAND, len(self.partner))
        self.kind = int(seen[_KIND : _KIND + 4].argmax()) if seen[_KIND : _KIND + 4].any() else -1
        """Of the partner's last action: 0 play, 1 discard, 2 colour, 3 rank; -1 before the first."""
        self.touched = np.flatnonzero(seen[_TOUCHED:_POSITION])  # cards that the partner's hint touched
        self.position = int(seen[_POSITION : _POSITION + HAND].argmax())  # of the card that the partner played
        self.was_success = bool(seen[_SUCCESS])  # the card that the partner played fitted

    @staticmethod
    def _hand(seen: NDArray[np.bool_], first: int, size: int) -> Hand:
        start = _KNOWLEDGE + first * _KNOWN
        rows = seen[start : start + size * _KNOWN].reshape(size, _KNOWN)
        colours, ranks = rows[:, CARDS : CARDS + COLOURS].max(axis=1), rows[:, CARDS + COLOURS :].max(axis=1)
        return Hand(rows[:, :CARDS], colours, ranks)

    @cached_property
    def gone(self) -> NDArray[np.int_]:
        """(25,) the copies that were discarded or played."""
        played = np.arange(RANKS) < self.piles[:, None]
        return self.discards + played.ravel()

    @cached_property
    def playable(self) -> NDArray[np.bool_]:
        """(25,) whether each card fits on its firework now."""
        fits: NDArray[np.bool_] = np.arange(RANKS) == self.piles[:, None]
        return fits.ravel()

    @cached_property
    def useful(self) -> NDArray[np.bool_]:
        """(25,) whether each card can still be played some time."""
        lost = (self.discards == COPIES).reshape(COLOURS, RANKS) & (np.arange(RANKS) >= self.piles[:, None])
        reachable = np.cumsum(lost, axis=1) == 0
        found: NDArray[np.bool_] = reachable & (np.arange(RANKS) >= self.piles[:, None])
        return found.ravel()

    @cached_property
    def critical(self) -> NDArray[np.bool_]:
        """(25,) whether the last copy of a useful card is left."""
        found: NDArray[np.bool_] = self.useful & (self.discards == COPIES - 1)
        return found

    @cached_property
    def chances(self) -> NDArray[np.float64]:
        """(own cards, 25) how likely each own card is each card, by the hints and the cards in sight."""
        left = COPIES - self.gone - np.bincount(self.partner, minlength=CARDS)
        weights = self.own.possible * np.maximum(left, 0)
        total = weights.sum(axis=1, keepdims=True)
        return np.where(total > 0, weights / np.maximum(total, 1), 1 / CARDS)

    def share(self, cards: NDArray[np.bool_]) -> NDArray[np.float64]:
        """(own cards,) how likely each is one of `cards`."""
        return self.chances @ cards

    def knows(self, place: int, cards: NDArray[np.bool_]) -> bool:
        """Whether the partner can be sure that a card is one of `cards`."""
        possible = self.theirs.possible[place] & (self.gone < COPIES)
        return bool(cards[possible].all())

    def hints(self) -> Iterator[tuple[int, NDArray[np.intp]]]:
        """Yield each hint that may be given, with the cards that it touches."""
        cards = np.array(self.partner)
        for action in np.flatnonzero(self.mask[COLOUR:]) + COLOUR:
            same = cards // RANKS == action - COLOUR if action < RANK else cards % RANKS == action - RANK
            yield int(action), np.flatnonzero(same)


def _counts(thermometer: NDArray[np.bool_]) -> NDArray[np.int_]:
    """(25,) how many of each card, from as many bits as there are copies."""
    ends = np.cumsum(COPIES)
    return np.array([thermometer[end - copies : end].sum() for end, copies in zip(ends, COPIES, strict=True)])
