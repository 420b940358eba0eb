"""Go of other sizes, by PettingZoo's go, with a tie where komi is a whole number."""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv
from pettingzoo.classic.go import go, go_base
from pettingzoo.utils import wrappers


class SmallGo(go.raw_env):  # type: ignore[misc]  # pettingzoo is not typed
    """PettingZoo's env keeps the size of the board in its module, one for the whole process, and counts a tie as a win
    for White; this one sets its own size again before each call, and gives no reward for a tie."""

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self._set_size()
        super().reset(seed=seed, options=options)

    def step(self, action: Any) -> None:
        self._set_size()
        super().step(action)

    def _set_size(self) -> None:
        if go_base.N != self._N:
            self._overwrite_go_global_variables(board_size=self._N)

    def _encode_rewards(self, result: int) -> list[int]:
        return [result, -result]


def env(**kwargs: Any) -> AECEnv:
    """As PettingZoo wraps its own."""
    wrapped: AECEnv = wrappers.TerminateIllegalWrapper(SmallGo(**kwargs), illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)
