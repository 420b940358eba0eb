"""Players of Simple Crypto: Alice adds the key to her secret, Bob takes it off again, and Eve waits for a slip.

Secret and key are one of two words each, so that their sum tells a listener without the key nothing: a one-time pad
(Shannon 1949, Communication Theory of Secrecy Systems).  Its words are A and B alone.  A hurried Alice forgets the key
now and then; from the odd one out among her words Eve, who knows this, reads the secret.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import SeatSpec

SLIPS = {"easy": 0.35, "normal": 0.2, "hard": 0.08, "expert": 0.0}
"""The share of words in which Alice or Bob forgets the key, and Eve that there are two secrets alone."""

_SECRETS, _WORDS = 2, 4
_LISTENS = ("hard", "expert")  # levels of Eve that watch for Alice's slips


class Player:
    """Plays Alice, who sees secret and key, (8,), Bob, who sees key and word, (8,), or Eve, who sees the word, (4,)."""

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "expert") -> None:
        self._rng, self._slips, self._listens = rng, SLIPS[level], level in _LISTENS
        self._decide = {"alice": self._send, "bob": self._read, "eve": self._guess}[str(seat.agent).partition("_")[0]]
        self._heard: Counter[int] = Counter()

    def __call__(self, observation: Any, action_mask: Any) -> int:
        return self._decide(np.asarray(observation), self._rng.random() < self._slips)

    def _send(self, seen: NDArray[Any], slips: bool) -> int:
        secret, key = _word(seen[:_WORDS]), _word(seen[_WORDS:])
        return secret if slips else (secret + key) % _SECRETS

    def _read(self, seen: NDArray[Any], slips: bool) -> int:
        key, word = _word(seen[:_WORDS]), _word(seen[_WORDS:])
        return word if slips else (word - key) % _SECRETS

    def _guess(self, seen: NDArray[Any], slips: bool) -> int:
        if seen.any():
            self._heard[_word(seen)] += 1
        if slips:
            return int(self._rng.integers(_WORDS))
        heard = [word for word, _count in self._heard.most_common() if word < _SECRETS]
        if not heard:
            return int(self._rng.integers(_SECRETS))
        return heard[-1] if self._listens else heard[0]


def _word(seen: NDArray[Any]) -> int:
    return int(np.argmax(seen))
