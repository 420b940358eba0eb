"""Drone Swarm Search Environment: https://github.com/pfeinsper/drone-swarm-search"""

from __future__ import annotations

import random
from typing import Any

from arcade.games.spec import GameSpec
from arcade.games.third_party.listed.adapters import AdaptedParallel, drawn_screen

AGENTS = ("drone0", "drone1", "drone2")


def drone_search_games() -> tuple[GameSpec, ...]:
    return (
        GameSpec(
            id="third-party/drone_swarm_search",
            title="Drone Swarm Search",
            entry="arcade.games.third_party.listed.drone_search:parallel_env",
            agents=AGENTS,
            teams=(AGENTS,),
            turn_based=False,
            fps=5,
            outcome="cooperative",
            summary="Find a person adrift at sea before the time is up.",
            requires=("DSSE", "numba"),
            pip="--no-deps DSSE numba llvmlite",
            action_names=(
                "left", "right", "up", "down", "up left", "up right", "down left", "down right", "search",
            ),
            seat_titles={agent: f"Drone {number}" for number, agent in enumerate(AGENTS, 1)},
        ),
    )  # fmt: skip


def parallel_env(render_mode: str | None = None) -> Any:
    import numpy as np
    from DSSE import DroneSwarmSearch

    is_drawn = render_mode == "rgb_array"
    inner = DroneSwarmSearch(
        grid_size=15, render_mode="human" if is_drawn else "ansi", render_grid=True, drone_amount=len(AGENTS),
        person_initial_position=(7, 7), timestep_limit=150,
    )  # fmt: skip
    inner.render_step = lambda terminal, person_found: None  # which waits a second at the end

    class Search(AdaptedParallel):
        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            if seed is not None:  # it draws from the generators of the process
                np.random.seed(seed % 2**32)
                random.seed(seed)
            seen, infos = super().reset(seed, options)
            return _arrays(seen), infos

        def step(self, actions: dict[str, Any]) -> Any:
            seen, *rest = super().step({agent: int(action) for agent, action in actions.items()})
            return _arrays(seen), *rest

        def render(self) -> Any:
            self.inner.render()
            return drawn_screen()

    return Search(inner, name="drone_swarm_search", render_mode=render_mode, fps=5)


def _arrays(seen: dict[str, Any]) -> dict[str, Any]:
    """Return observations as their space declares them: a place, and how likely the person is where."""
    import numpy as np

    return {agent: (np.array(place, np.int64), np.array(map_, np.float32)) for agent, (place, map_) in seen.items()}
