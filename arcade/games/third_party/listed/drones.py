"""CrazyRL's drones, which MOMAland maintains: https://momaland.farama.org/environments/crazyrl-catch"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from arcade.games.spec import GameSpec
from arcade.games.third_party.listed.adapters import AdaptedParallel

AGENTS = tuple(f"agent_{number}" for number in range(4))
_TASKS = {
    "catch": ("Drones: Catch", "Surround a target that flies away."),
    "escort": ("Drones: Escort", "Stay around a target on its way."),
    "surround": ("Drones: Surround", "Surround a target that stays where it is."),
}


def drone_games() -> tuple[GameSpec, ...]:
    return tuple(
        GameSpec(
            id=f"third-party/crazyrl_{name}",
            title=title,
            entry="arcade.games.third_party.listed.drones:parallel_env",
            kwargs={"task": name},
            agents=AGENTS,
            teams=(AGENTS,),
            turn_based=False,
            fps=20,
            outcome="cooperative",
            summary=summary,
            requires=("momaland",),
            pip="--no-deps momaland",
            render_mode="ansi",
            seat_titles={agent: f"Drone {number}" for number, agent in enumerate(AGENTS, 1)},
        )
        for name, (title, summary) in _TASKS.items()
    )


def parallel_env(task: str, render_mode: str | None = None) -> Any:
    import numpy as np

    inner = import_module(f"momaland.envs.crazyrl.{task}.{task}_v0").parallel_env(num_drones=len(AGENTS))

    class Drones(AdaptedParallel):
        """The reward is the mean of MOMAland's two objectives: near the target, far from the other drones."""

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            if seed is not None:  # it draws from the generator of the process
                np.random.seed(seed % 2**32)
            return super().reset(seed, options)

        def step(self, actions: dict[str, Any]) -> Any:
            seen, rewards, *rest = super().step(actions)
            return seen, {agent: float(np.mean(values)) for agent, values in rewards.items()}, *rest

        def render(self) -> Any:
            places = {**self.inner.agent_location, "target": self.inner.target_location}
            return "\n".join(f"{name}: {x:+.2f} {y:+.2f} {z:+.2f}" for name, (x, y, z) in places.items())

    return Drones(inner, name=f"crazyrl_{task}", render_mode=render_mode, fps=20, draws="ansi")
