"""Hanabi with seeds of any length: OpenSpiel's game refuses those above 2**31."""

from __future__ import annotations

from typing import Any

from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.classic import hanabi_v5
from shimmy.openspiel_compatibility import OpenSpielCompatibilityV0


class LongSeeds(OpenSpielCompatibilityV0):  # type: ignore[misc]  # shimmy is not typed
    """Shimmy's env, which deals by a generator of the whole seed; a short seed deals as it always did."""

    _seed: int | None = None  # until the first card

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._seed = seed
        super().reset(seed=None if seed is None else seed % 2**31, options=options)

    def _execute_chance_node(self) -> None:
        if self._seed is not None:
            (self.np_random, self.np_seed), self._seed = seeding.np_random(self._seed), None
        super()._execute_chance_node()


def hanabi(**kwargs: Any) -> AECEnv:
    """PettingZoo's env around one with seeds of any length."""
    env: AECEnv = hanabi_v5.env(**kwargs)
    env.unwrapped.hanabi_env.__class__ = LongSeeds
    return env
