"""Rules over a vectorised env: sticky actions, frame skip, a limit of ticks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.match.batch.vector_env import VectorEnv
from arcade.match.stage.rules import StageRules


class RuledVectorEnv(VectorEnv):
    """Another vectorised env under rules; a step with frame skip holds an action and sums the rewards of its ticks.

    Episodes are truncated after `max_ticks`, 0 for no limit, once the action under way was held.  The random numbers
    of sticky actions follow from the seeds of the episodes.
    """

    def __init__(self, env: VectorEnv, rules: StageRules, *, max_ticks: int = 0) -> None:
        self._env, self._rules, self._max_ticks = env, rules, max_ticks
        self.spec, self.num_envs, self.agents, self.groups = env.spec, env.num_envs, env.agents, env.groups
        self._last = [group.no_actions() for group in env.groups]
        self._ticks = np.zeros(env.num_envs, np.intp)
        self._rng = np.random.default_rng(0)
        self._moves: list[Sequence[NDArray[Any]]] = []
        self._take()

    def reset(self, envs: NDArray[np.intp], seeds: NDArray[np.int64]) -> None:
        if not len(envs):
            return
        self._rng = np.random.default_rng(int(seeds[0]))
        self._ticks[envs] = 0
        for last in self._last:
            last[envs] = 0
        self._env.reset(envs, seeds)
        self._take()

    def step(self, actions: Sequence[NDArray[Any]]) -> None:
        actions = self._stick(actions)
        self._moves = []
        rewards = np.zeros(self._env.rewards.shape, np.float32)
        terminated, truncated = np.zeros(rewards.shape, np.bool_), np.zeros(rewards.shape, np.bool_)
        for _ in range(self._rules.frame_skip):
            before = ~self._env.over
            if not before.any():
                break
            self._env.step(actions)
            self._ticks += before
            self._moves.append(actions)
            rewards += self._env.rewards * before[:, None]
            terminated |= self._env.terminated & before[:, None]
            truncated |= self._env.truncated & before[:, None]
        self._take()
        self.rewards, self.terminated, self.truncated = rewards, terminated, truncated
        self._cut_long()

    def moves(self, actions: Sequence[NDArray[Any]]) -> Sequence[Sequence[NDArray[Any]]]:
        return self._moves

    def close(self) -> None:
        self._env.close()

    def _stick(self, actions: Sequence[NDArray[Any]]) -> list[NDArray[Any]]:
        """Some seats repeat their last action, where they had one."""
        chance, executed = self._rules.sticky_actions, []
        for chosen, last in zip(actions, self._last, strict=True):
            sticks = self._rng.random(chosen.shape[:2]) < chance if chance else np.zeros(chosen.shape[:2], np.bool_)
            sticks &= (self._ticks > 0)[:, None]
            done = np.where(sticks.reshape(*sticks.shape, *[1] * (chosen.ndim - 2)), last, chosen)
            last[:] = done
            executed.append(done)
        return executed

    def _take(self) -> None:
        self.acting, self.rewards = self._env.acting, self._env.rewards
        self.terminated, self.truncated = self._env.terminated, self._env.truncated

    def _cut_long(self) -> None:
        if limit := self._max_ticks:
            cut = self.acting & (self._ticks >= limit)[:, None]
            over = np.asarray(cut.any(axis=1), np.bool_)
            self.acting = self.acting & ~over[:, None]
            self.truncated = self.truncated | (cut if not self.spec.turn_based else over[:, None] & ~self.terminated)
