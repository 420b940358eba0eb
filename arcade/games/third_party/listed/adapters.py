"""Adapters of other packages to the present PettingZoo."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any


class AdaptedParallel:
    """A ParallelEnv that passes everything on to `inner`, another package's; subclasses override what differs.

    It extends no class of PettingZoo, so that the catalogue can be read without importing that.
    """

    def __init__(self, inner: Any, *, name: str, render_mode: str | None, fps: float, draws: str = "rgb_array") -> None:
        """`draws` is the render mode that it has, "ansi" for text."""
        self.inner, self.render_mode = inner, render_mode
        self.metadata = {"name": name, "render_modes": [draws], "render_fps": fps, "is_parallelizable": True}
        self.possible_agents = [str(agent) for agent in inner.possible_agents]  # which may be of NumPy
        self.agents: list[str] = []

    @property
    def unwrapped(self) -> Any:
        return self

    @property
    def num_agents(self) -> int:
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        return len(self.possible_agents)

    def observation_space(self, agent: str) -> Any:
        return self.inner.observation_space(agent)

    def action_space(self, agent: str) -> Any:
        return self.inner.action_space(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        found = self.inner.reset(seed=seed, options=options)
        self.agents = list(self.possible_agents)
        return tuple(map(_by_name, found))

    def step(self, actions: dict[str, Any]) -> Any:
        found = tuple(map(_by_name, self.inner.step(actions)))
        ended = {agent for flags in found[2:4] for agent, is_over in flags.items() if is_over}
        self.agents = [agent for agent in self.agents if agent not in ended]
        return found

    def render(self) -> Any:
        return self.inner.render()

    def close(self) -> None:
        self.inner.close()


def _by_name(found: dict[Any, Any]) -> dict[str, Any]:
    return {str(agent): value for agent, value in found.items()}


def select_by_class(module: ModuleType) -> ModuleType:
    """Give a module that calls ``agent_selector`` the class that PettingZoo has put in its place."""
    from pettingzoo.utils.agent_selector import AgentSelector

    module.agent_selector = AgentSelector  # type: ignore[attr-defined]
    return module


@contextmanager
def imported_as(**modules: ModuleType) -> Iterator[None]:
    """While a package is imported, let it find these modules under the names that it expects."""
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def drawn_screen() -> Any:
    """Return what a game has drawn into pygame's window, uint8 (height, width, 3)."""
    import numpy as np
    import pygame

    screen = pygame.display.get_surface()
    assert screen is not None
    return np.asarray(pygame.surfarray.array3d(screen).swapaxes(0, 1), np.uint8)
