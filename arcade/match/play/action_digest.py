"""ActionDigest: a running digest of a match's actions, by which the ladder finds matches that repeat each other.

It covers the first observations too, since the same actions in another deal are another match.  Two digests of
different matches are equal with a probability of 2**-64; nothing depends on their being hard to forge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import Action, AgentID
from arcade.match.stage.tick import Tick

Words = NDArray[np.uint64]

_MASK = 2**64 - 1
FACTOR, STEP, SHIFT = 0xBF58476D1CE4E5B9, 0x9E3779B97F4A7C15, 29
"""A factor and the increment of SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators",
OOPSLA 2014)."""


def mixed(state: int, word: int) -> int:
    """Return the next state of a digest."""
    product = ((state ^ word) * FACTOR + STEP) & _MASK
    return product ^ (product >> SHIFT)


class ActionDigest:
    """The digest of one match.

    >>> digest = ActionDigest(["left", "right"])
    >>> digest.add({"left": 2, "right": 0})
    >>> len(digest.text)
    16
    """

    def __init__(self, agents: Sequence[AgentID]) -> None:
        self._place = {agent: place for place, agent in enumerate(agents)}
        self._state = 0

    def begin(self, tick: Tick, spaces: Mapping[AgentID, Any]) -> None:
        """Begin with the reset, whose acting seats have observations in these spaces."""
        self._state = 0
        for agent in sorted(tick.acting, key=self._place.__getitem__):
            self._state = mixed(self._state, observation_word(tick.observations.get(agent), spaces[agent]))

    def add(self, actions: Mapping[AgentID, Action]) -> None:
        """Add the actions of one step."""
        state = self._state
        for agent in actions if len(actions) == 1 else sorted(actions, key=self._place.__getitem__):
            state = mixed(state, self._place[agent])
            for word in _action_words(actions[agent]):
                state = mixed(state, word)
        self._state = state

    @property
    def text(self) -> str:
        """The digest, 16 hexadecimal digits."""
        return f"{self._state:016x}"


def _action_words(action: Action) -> Sequence[int]:
    if isinstance(action, int):
        return (action & _MASK,)
    if isinstance(action, Mapping):
        return [word for name in sorted(action) for word in _action_words(action[name])]
    if isinstance(action, tuple):
        return [word for part in action for word in _action_words(part)]
    found: list[int] = words_of(np.asarray(action).reshape(-1)).tolist()
    return found


def words_of(values: NDArray[Any]) -> Words:
    """Return numbers as words, in an array of the same shape."""
    if values.dtype.kind != "f":
        return values.astype(np.int64).view(np.uint64)
    return np.ascontiguousarray(values, np.float64).view(np.uint64)


def observation_word(observation: Any, space: Any) -> int:
    """Return an observation of `space` as a word of 64 bits."""
    digest = blake2b(digest_size=8)
    for part in _parts(observation):
        array = np.asarray(part, getattr(space, "dtype", None))
        digest.update((array + 0.0 if array.dtype.kind == "f" else array).tobytes())  # -0.0 + 0.0 is 0.0
    return int.from_bytes(digest.digest(), "little")


def _parts(observation: Any) -> Sequence[Any]:
    if isinstance(observation, Mapping):
        return [part for name in sorted(observation) for part in _parts(observation[name])]
    if isinstance(observation, tuple):
        return [part for value in observation for part in _parts(value)]
    return () if observation is None else (observation,)
