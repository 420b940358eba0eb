"""Battlesnake: https://pypi.org/project/pypzbattlesnake"""

from __future__ import annotations

from typing import Any

from arcade.games.spec import GameSpec
from arcade.games.third_party.listed.adapters import AdaptedParallel

AGENTS = tuple(f"snake_{number}_0" for number in range(4))


def battlesnake_games() -> tuple[GameSpec, ...]:
    return (
        GameSpec(
            id="third-party/battlesnake",
            title="Battlesnake",
            entry="arcade.games.third_party.listed.battlesnake:parallel_env",
            agents=AGENTS,
            teams=tuple((agent,) for agent in AGENTS),
            turn_based=False,
            fps=5,
            summary="Eat, grow, and let the other snakes run into you.",
            requires=("pypzbattlesnake",),
            pip="pypzbattlesnake",
            action_names=("up", "down", "left", "right", "nothing"),
            seat_titles={agent: f"Snake {number}" for number, agent in enumerate(AGENTS, 1)},
        ),
    )


def parallel_env(render_mode: str | None = None) -> Any:
    import numpy as np
    from pypzbattlesnake.env import BattleSnake

    class Repeatable(BattleSnake):  # type: ignore[misc]  # no types there
        """Its food is drawn from the seed."""

        def random_empty_position(self) -> Any:
            free = np.argwhere(self.as_array() == 0)
            return tuple(int(one) for one in self.own.choice(free, axis=0))

        def spawn_food(self) -> None:
            if (self.as_array() == 0).any():
                super().spawn_food()

    class Battlesnake(AdaptedParallel):
        def __init__(self) -> None:
            super().__init__(
                Repeatable(len(AGENTS), 1, render_mode="rgb_array"), name="battlesnake", render_mode=render_mode, fps=5
            )
            self.inner.own = np.random.default_rng()

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            if seed is not None:
                self.inner.own = np.random.default_rng(seed)
            seen, infos = super().reset(seed, options)
            return _copied(seen), infos

        def step(self, actions: dict[str, Any]) -> Any:
            seen, rewards, *flags = super().step({agent: int(action) for agent, action in actions.items()})
            return _copied(seen), {agent: float(rewards[agent]) for agent in actions}, *flags

        def render(self) -> Any:
            return self.inner.render().swapaxes(0, 1)

    return Battlesnake()


def _copied(seen: dict[str, Any]) -> dict[str, Any]:
    import numpy as np

    return {agent: np.array(board, np.int64) for agent, board in seen.items()}
