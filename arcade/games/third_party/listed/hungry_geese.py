"""Hungry Geese of Kaggle: https://www.kaggle.com/c/hungry-geese"""

from __future__ import annotations

from typing import Any, ClassVar

from arcade.games.spec import GameSpec

AGENTS = tuple(f"goose_{number}" for number in range(4))
MOVES = ("NORTH", "EAST", "SOUTH", "WEST")
ROWS, COLUMNS = 7, 11
COLOURS = ((230, 230, 240), (0, 158, 115), (213, 94, 0), (86, 180, 233))
SCORE = 100  # of Kaggle, which one tick of life is worth


def hungry_geese_games() -> tuple[GameSpec, ...]:
    return (
        GameSpec(
            id="third-party/hungry_geese",
            title="Hungry Geese",
            entry="arcade.games.third_party.listed.hungry_geese:parallel_env",
            agents=AGENTS,
            teams=tuple((agent,) for agent in AGENTS),
            turn_based=False,
            fps=5,
            summary="Eat, and live longer than the other geese; the board has no edges.",
            requires=("kaggle_environments",),
            pip="--no-deps kaggle-environments",
            action_names=("up", "right", "down", "left"),
            seat_titles=dict(zip(AGENTS, ("White", "Green", "Orange", "Blue"), strict=True)),
            seat_colours=dict(zip(AGENTS, COLOURS, strict=True)),
        ),
    )


def parallel_env(render_mode: str | None = None) -> Any:
    import random

    import numpy as np
    from gymnasium import spaces
    from kaggle_environments import make
    from pettingzoo import ParallelEnv

    class HungryGeese(ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types here
        """Observations are float32 (9, 7, 11): heads and bodies of each goose, the seat's own first, then the food."""

        metadata: ClassVar[dict[str, Any]] = {"name": "hungry_geese", "render_modes": ["rgb_array"], "render_fps": 5}

        def __init__(self) -> None:
            self.render_mode, self.possible_agents = render_mode, list(AGENTS)
            self.agents: list[str] = []
            self._game: Any = None

        def observation_space(self, agent: str) -> Any:
            return spaces.Box(0, 1, (2 * len(AGENTS) + 1, ROWS, COLUMNS), np.float32)

        def action_space(self, agent: str) -> Any:
            return spaces.Discrete(len(MOVES))

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            random.seed(seed)  # Kaggle draws from the generator of the process
            self._game = make("hungry_geese", configuration={} if seed is None else {"randomSeed": seed})
            self._game.reset(len(AGENTS))
            self.agents, self._scores = list(AGENTS), dict.fromkeys(AGENTS, 0.0)
            return self._seen(), {agent: {} for agent in AGENTS}

        def step(self, actions: dict[str, Any]) -> Any:
            rows = self._game.step([MOVES[int(actions.get(agent, 0))] for agent in AGENTS])
            scores = {agent: float(row.reward or 0) for agent, row in zip(AGENTS, rows, strict=True)}
            rewards = {agent: (scores[agent] - self._scores[agent]) / SCORE for agent in self.agents}
            ended = {agent: rows[AGENTS.index(agent)].status != "ACTIVE" for agent in self.agents}
            seen, self._scores = self._seen(), scores
            self.agents = [agent for agent in self.agents if not ended[agent]]
            return seen, rewards, ended, dict.fromkeys(ended, False), {agent: {} for agent in ended}

        def _seen(self) -> dict[str, Any]:
            now = self._game.state[0].observation
            found = {}
            for own, agent in enumerate(AGENTS):
                if agent not in self.agents:
                    continue
                planes = np.zeros((2 * len(AGENTS) + 1, ROWS * COLUMNS), np.float32)
                for place in range(len(AGENTS)):
                    goose = now.geese[(own + place) % len(AGENTS)]
                    planes[2 * place, goose[:1]] = 1
                    planes[2 * place + 1, goose] = 1
                planes[-1, now.food] = 1
                found[agent] = planes.reshape(-1, ROWS, COLUMNS)
            return found

        def render(self) -> Any:
            now = self._game.state[0].observation
            board = np.full((ROWS * COLUMNS, 3), 32, np.uint8)
            board[now.food] = (240, 200, 0)
            for goose, colour in zip(now.geese, COLOURS, strict=True):
                board[goose] = [part * 2 // 3 for part in colour]
                board[goose[:1]] = colour
            picture = np.kron(board.reshape(ROWS, COLUMNS, 3), np.ones((48, 48, 1), np.uint8))
            picture[::48], picture[:, ::48] = 0, 0
            return picture

        def close(self) -> None:
            """Nothing to free."""

    return HungryGeese()
