"""POGEMA, path finding of many agents: https://github.com/AIRI-Institute/pogema"""

from __future__ import annotations

from typing import Any, ClassVar

from arcade.games.spec import GameSpec
from arcade.games.third_party.listed.adapters import imported_as

AGENTS = tuple(f"player_{number}" for number in range(4))
COLOURS = ((0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167))


def pogema_games() -> tuple[GameSpec, ...]:
    return (
        GameSpec(
            id="third-party/pogema",
            title="Pogema",
            entry="arcade.games.third_party.listed.pogema:parallel_env",
            agents=AGENTS,
            teams=(AGENTS,),
            turn_based=False,
            fps=4,
            outcome="cooperative",
            summary="Find your way to your target; no agent sees far, and all are in each other's way.",
            requires=("pogema",),
            pip="--no-deps pogema",
            action_names=("stay", "up", "down", "left", "right"),
            seat_colours=dict(zip(AGENTS, COLOURS, strict=True)),
        ),
    )


def parallel_env(render_mode: str | None = None) -> Any:
    from pydantic import v1

    with imported_as(pydantic=v1):  # which it is written for
        import pogema.envs as envs
        from pogema.grid_config import GridConfig
    return _adapted(envs, GridConfig(num_agents=len(AGENTS), size=10, obs_radius=4, max_episode_steps=128))


def _adapted(envs: Any, config: Any) -> Any:
    import numpy as np
    from pettingzoo import ParallelEnv

    class Pogema(ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types here
        """An agent that has reached its target is out."""

        metadata: ClassVar[dict[str, Any]] = {
            "name": "pogema",
            "render_modes": ["rgb_array"],
            "render_fps": 4,
            "is_parallelizable": True,
        }
        render_mode = "rgb_array"

        def __init__(self) -> None:
            self.grid = envs.Pogema(grid_config=config)
            self.possible_agents, self.ticks = list(AGENTS), 0
            self.agents: list[str] = []

        def observation_space(self, agent: str) -> Any:
            return self.grid.observation_space

        def action_space(self, agent: str) -> Any:
            return self.grid.action_space

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            if seed is not None:
                self.grid.grid_config.seed = seed % 2**32
            seen, infos = self.grid.reset()
            self.agents, self.ticks = list(AGENTS), 0
            return self._by_agent(seen), dict(zip(AGENTS, infos, strict=True))

        def step(self, actions: dict[str, Any]) -> Any:
            self.ticks += 1
            moves = [int(actions.get(agent, 0)) for agent in AGENTS]
            seen, rewards, ended, _, infos = self.grid.step(moves)
            is_late = self.ticks >= config.max_episode_steps
            own = dict(zip(AGENTS, zip(rewards, ended, infos, strict=True), strict=True))
            found = (
                self._by_agent(seen),
                {agent: float(own[agent][0]) for agent in self.agents},
                {agent: bool(own[agent][1]) for agent in self.agents},
                dict.fromkeys(self.agents, is_late),
                {agent: own[agent][2] for agent in self.agents},
            )
            self.agents = [agent for agent in self.agents if not (own[agent][1] or is_late)]
            return found

        def _by_agent(self, seen: Any) -> dict[str, Any]:
            own = dict(zip(AGENTS, seen, strict=True))
            return {agent: np.asarray(own[agent], np.float32) for agent in self.agents or AGENTS}

        def render(self) -> Any:
            """Walls, and each agent as a full square on its way to a hollow one of its colour."""
            grid, size = self.grid.grid, 24
            walls = np.asarray(grid.obstacles)
            picture = np.kron(np.where(walls[..., None] != 0, 90, 235), np.ones((size, size, 3))).astype(np.uint8)
            for agent, colour in enumerate(COLOURS):
                if grid.is_active[agent]:
                    for (row, column), hollow in ((grid.finishes_xy[agent], 6), (grid.positions_xy[agent], 0)):
                        top, left = row * size, column * size
                        picture[top + 2 : top + size - 2, left + 2 : left + size - 2] = colour
                        if hollow:
                            picture[top + hollow : top + size - hollow, left + hollow : left + size - hollow] = 235
            edge = (config.obs_radius - 1) * size  # beyond the walls around all
            return picture[edge:-edge, edge:-edge].copy()

        def close(self) -> None:
            """Nothing to free."""

    return Pogema()
