"""ActionDigests: `ActionDigest` for all matches of a vectorised env at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.match.batch.vector_env import VectorEnv
from arcade.match.play.action_digest import FACTOR, SHIFT, STEP, Words, mixed, observation_word, words_of


class ActionDigests:
    """The digests of all matches of a vectorised env, the same as those of single matches."""

    def __init__(self, env: VectorEnv) -> None:
        self._env = env
        self._state: Words = np.zeros(env.num_envs, np.uint64)
        self._places = [
            (column, number, place)
            for column, agent in enumerate(env.agents)
            for number, group in enumerate(env.groups)
            for place, other in enumerate(group.agents)
            if other == agent
        ]

    def begin(self, envs: Sequence[int]) -> None:
        """Begin the matches in these envs, which have just been reset."""
        for env in envs:
            state = 0
            for column, number, place in self._places:
                if self._env.acting[env, column]:
                    group = self._env.groups[number]
                    state = mixed(state, observation_word(group.observations[env, place], group.observation_space))
            self._state[env] = state

    def add(self, actions: Sequence[NDArray[Any]]) -> None:
        """Add the actions of the next step, an array (N, G, …) for each group, before the step is taken."""
        for column, number, place in self._places:
            acts = self._env.acting[:, column]
            if not acts.any():
                continue
            state = _all_mixed(self._state, np.uint64(column))
            words = words_of(actions[number][:, place].reshape(len(acts), -1))
            for part in range(words.shape[1]):
                state = _all_mixed(state, words[:, part])
            self._state = np.where(acts, state, self._state)

    def text(self, env: int) -> str:
        """The digest of the match in this env."""
        return f"{int(self._state[env]):016x}"


def _all_mixed(states: Words, words: Words | np.uint64) -> Words:
    products: Words = (states ^ words) * np.uint64(FACTOR) + np.uint64(STEP)
    return np.asarray(products ^ (products >> np.uint64(SHIFT)), np.uint64)
