"""Skyjo: https://github.com/michaelfeil/skyjo_rl, which is written for PettingZoo 1.14."""

from __future__ import annotations

import os
from typing import Any, ClassVar

from arcade.games.spec import GameSpec
from arcade.games.third_party.listed.adapters import imported_as

AGENTS = tuple(f"player_{number}" for number in range(3))
_PLACES = tuple(f"{column}{row}" for column in "ABCD" for row in (1, 2, 3))


def skyjo_games() -> tuple[GameSpec, ...]:
    return (
        GameSpec(
            id="third-party/skyjo",
            title="Skyjo",
            entry="arcade.games.third_party.listed.skyjo:env",
            agents=AGENTS,
            teams=tuple((agent,) for agent in AGENTS),
            turn_based=True,
            fps=4,
            summary="Swap your cards for lower ones; columns of equal cards vanish.",
            requires=("rlskyjo", "numba"),
            pip="--no-deps rlskyjo numba llvmlite",
            render_mode="ansi",
            secret=True,
            action_names=(
                *(f"Put the card at {place}" for place in _PLACES),
                *(f"Discard it and reveal {place}" for place in _PLACES),
                "Draw from the pile", "Take the discarded card",
            ),
        ),
    )  # fmt: skip


def env(render_mode: str | None = None) -> Any:
    os.environ.setdefault("NUMBA_DISABLE_JIT", "1")  # compiling takes half a minute, a game a second
    import gymnasium
    import numpy as np
    from pettingzoo import AECEnv

    with imported_as(gym=gymnasium):
        from rlskyjo.game.skyjo import SkyjoGame

    class Skyjo(AECEnv):  # type: ignore[misc]  # PettingZoo has no types here
        """Its table, with turns, masks and ends as PettingZoo has them now."""

        metadata: ClassVar[dict[str, Any]] = {"name": "skyjo", "render_modes": ["ansi"], "is_parallelizable": False}

        def __init__(self) -> None:
            super().__init__()
            self.render_mode = render_mode
            self.possible_agents: list[str] = list(AGENTS)
            self.agents: list[str] = []
            self.table = SkyjoGame(len(AGENTS), observe_other_player_indirect=False)
            seen = gymnasium.spaces.Box(-24, 127, self.table.obs_shape, self.table.card_dtype)
            mask = gymnasium.spaces.Box(0, 1, self.table.action_mask_shape, np.int8)
            self._seen = gymnasium.spaces.Dict({"observation": seen, "action_mask": mask})
            self._action: Any = gymnasium.spaces.Discrete(int(self.table.action_mask_shape[0]))

        def observation_space(self, agent: str) -> Any:
            return self._seen

        def action_space(self, agent: str) -> Any:
            return self._action

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            if seed is not None:
                np.random.seed(seed % 2**32)
                self.table.set_seed(seed % 2**31)
            self.table.reset()
            self.agents = list(AGENTS)
            self.rewards = dict.fromkeys(AGENTS, 0.0)
            self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
            self.terminations, self.truncations = dict.fromkeys(AGENTS, False), dict.fromkeys(AGENTS, False)
            self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
            self._select()

        def _select(self) -> None:
            self.agent_selection = AGENTS[int(self.table.get_expected_action()[0])]

        def observe(self, agent: str) -> dict[str, Any]:
            seen, mask = self.table.collect_observation(AGENTS.index(agent))
            return {"observation": np.array(seen, self.table.card_dtype), "action_mask": np.array(mask, np.int8)}

        def step(self, action: Any) -> None:
            agent = self.agent_selection
            if self.terminations[agent]:
                self._was_dead_step(action)
                return
            self._cumulative_rewards[agent] = 0.0
            self._clear_rewards()
            if self.table.act(AGENTS.index(agent), action_int=int(action)):
                scores = np.array(self.table.get_game_metrics()["final_score"], np.float64)
                self.rewards = dict(zip(AGENTS, (scores.mean() - scores).tolist(), strict=True))
                self.terminations = dict.fromkeys(AGENTS, True)
                self.agent_selection = AGENTS[0]
            else:
                self._select()
            self._accumulate_rewards()

        def render(self) -> str | None:
            return str(self.table.render_table()) if self.render_mode == "ansi" else None

        def close(self) -> None:
            """Nothing to free."""

    return Skyjo()
