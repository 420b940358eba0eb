"""Atari games with the seed 0: their emulator takes it for the time of day, so that no two episodes are sure to agree.

See `OSystem::resetRNGSeed` of the Arcade Learning Environment, which reads the last 32 bits of a seed.
"""

from __future__ import annotations

from typing import Any

from pettingzoo.atari.base_atari_env import ParallelAtariEnv

SEEDS = 2**32
"""As many are told apart."""
INSTEAD = 2**31 - 1
"""The seed whose episodes are those of the seed 0."""


class SeededAtariEnv(ParallelAtariEnv):  # type: ignore[misc]  # PettingZoo has no types here
    """PettingZoo's env, in which every seed fixes an episode."""

    def _seed(self, seed: int | None) -> None:
        super()._seed(INSTEAD if seed is not None and seed % SEEDS == 0 else seed)


def fix_seeds(env: Any) -> None:
    """Let the seed 0 fix the episodes of an Atari env, in place."""
    env.unwrapped.__class__ = SeededAtariEnv
