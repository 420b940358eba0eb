"""CookingZoo, as the variant of it on PyPI has it: https://github.com/DavidRother/gym-cooking"""

from __future__ import annotations

import random
from contextlib import redirect_stdout
from typing import Any

from arcade.games.spec import GameSpec
from arcade.games.third_party.listed.adapters import AdaptedParallel, imported_as, select_by_class

AGENTS = ("player_0", "player_1")
TICKS = 200  # of an episode


def cooking_games() -> tuple[GameSpec, ...]:
    return (
        GameSpec(
            id="third-party/cooking_zoo",
            title="Cooking Zoo",
            entry="arcade.games.third_party.listed.cooking:parallel_env",
            agents=AGENTS,
            teams=(AGENTS,),
            turn_based=False,
            fps=5,
            outcome="cooperative",
            summary="Chop a lettuce and a tomato, put them on a plate, and deliver the salad.",
            requires=("gym_cooking",),
            pip="--no-deps gym-cooking-lipo",
            action_names=("stay", "left", "right", "down", "up", "use"),
        ),
    )


def parallel_env(render_mode: str | None = None) -> Any:
    import gymnasium
    import numpy as np
    from gymnasium.envs import registration

    with imported_as(**{"gym": gymnasium, "gym.envs": gymnasium.envs, "gym.envs.registration": registration}):
        from gym_cooking.environment import cooking_zoo
        from gym_cooking.environment.game.graphic_pipeline import GraphicPipeline

    with redirect_stdout(None):  # it prints its settings
        kitchen = select_by_class(cooking_zoo).CookingEnvironment(
            level="open_room_salad", num_agents=len(AGENTS), record=False, max_steps=TICKS,
            recipes=["TomatoLettuceSalad"], obs_spaces=["dense"],
        )  # fmt: skip
    seen: Any = gymnasium.spaces.Box(-1, 1, kitchen.obs_size, np.float32)
    moves: Any = gymnasium.spaces.Discrete(6)

    class Cooking(AdaptedParallel):
        """Steps the kitchen as a whole, which the package does in turns."""

        def observation_space(self, agent: str) -> Any:
            return seen

        def action_space(self, agent: str) -> Any:
            return moves

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            if seed is not None:  # it draws from the generator of the process
                random.seed(seed)
            self.inner.reset()
            self.agents = list(AGENTS)
            return self._seen(), {agent: {} for agent in AGENTS}

        def step(self, actions: dict[str, Any]) -> Any:
            self.inner.accumulated_step([int(actions[agent]) for agent in AGENTS])
            is_late = self.inner.t >= TICKS
            is_over = self.inner.dones[AGENTS[0]]
            rewards = {agent: float(self.inner.rewards[agent]) for agent in AGENTS}
            self.agents = [] if is_over else list(AGENTS)
            return (
                self._seen(), rewards, dict.fromkeys(AGENTS, is_over and not is_late),
                dict.fromkeys(AGENTS, is_late), {agent: {} for agent in AGENTS},
            )  # fmt: skip

        def _seen(self) -> dict[str, Any]:
            return {agent: self.inner.observe(agent).astype(np.float32) for agent in AGENTS}

        def render(self) -> Any:
            picture = GraphicPipeline(self.inner)
            picture.on_init()
            return picture.on_render("rgb_array")

    return Cooking(kitchen, name="cooking_zoo", render_mode=render_mode, fps=5)
