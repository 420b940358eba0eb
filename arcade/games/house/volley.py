"""house/volley as a PettingZoo env: two teams of round players, a net, a ball.

``parallel_env()`` wraps a `VolleyBatch` of one game, whose step takes less than a hundredth of the 16 ms of a tick.

Agents are ``left_0``, ``right_0`` (with ``team_size=2`` also ``left_1``, ``right_1``).  Actions and observations are as
if every agent played on the left: see `volley_rules.ACTION_NAMES` and `VolleyBatch.observe`.  The team that wins a
rally gets +1 each, the other -1.  The game terminates at `points` points and is truncated after `max_ticks` ticks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import parallel_to_aec, wrappers

from arcade.games.house import volley_rules as rules
from arcade.games.house.volley_batch import VolleyBatch

Observation = NDArray[np.float32]
Discrete = gymnasium.spaces.Discrete[Any]
Infos = dict[str, dict[str, Any]]
_RENDER_MODES = ("rgb_array", "human")


def parallel_env(**settings: Any) -> VolleyEnv:
    """Return a game; takes the settings of `VolleyEnv`."""
    return VolleyEnv(**settings)


def env(**settings: Any) -> AECEnv:
    """Return the same game as an AECEnv."""
    return wrappers.OrderEnforcingWrapper(parallel_to_aec(parallel_env(**settings)))


class VolleyEnv(ParallelEnv):  # type: ignore[misc]  # pettingzoo is not typed
    """A game of 1 or 2 players a side; raises ValueError for impossible settings.

    Each agent's info has {"score": (left, right), "event": "" | "bounce" | "hit" | "point", "by": agents that hit}.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # the name and type that PettingZoo reads
        "name": "volley_v0",
        "render_modes": list(_RENDER_MODES),
        "render_fps": rules.FPS,
        "is_parallelizable": True,
    }

    def __init__(
        self, *, team_size: int = 1, render_mode: str | None = None,
        max_ticks: int = rules.MAX_TICKS, points: int = rules.POINTS,
    ) -> None:  # fmt: skip
        if render_mode is not None and render_mode not in _RENDER_MODES:
            raise ValueError(f"expected render_mode None, 'rgb_array' or 'human', got: {render_mode!r}")
        self._batch = VolleyBatch(1, team_size=team_size, max_ticks=max_ticks, points=points)
        self.render_mode = render_mode
        self.possible_agents = list(self._batch.agents)
        self.agents: list[str] = []
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._batch.observation_space)
        # One each, since a space has its own random generator.
        self.action_spaces: dict[str, Discrete] = {
            agent: gymnasium.spaces.Discrete(rules.ACTIONS) for agent in self.possible_agents
        }
        self._seeds = np.random.default_rng()
        self._actions = np.zeros((1, len(self.possible_agents)), np.int64)
        self._picture: Any = None

    @property
    def batch(self) -> VolleyBatch:
        """The batch of this one game."""
        return self._batch

    def observation_space(self, agent: str) -> gymnasium.spaces.Box:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], Infos]:
        """Begin a game that `seed` determines; without one, the next game in the sequence of the last seed."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        else:
            seed = int(self._seeds.integers(2**63))
        self.agents = self.possible_agents[:]
        observations = self._batch.reset([seed])
        if self._picture is not None:
            self._picture.restart()
            self._picture.follow(self._batch)
        return dict(zip(self.agents, observations[0], strict=True)), self._infos()

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Advance by one tick; every live agent needs an action.  After the end all returned dicts are empty."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        for place, agent in enumerate(self.agents):
            if agent not in actions:
                raise ValueError(f"expected an action for each of {', '.join(self.agents)}, got none for: {agent}")
            self._actions[0, place] = actions[agent]
        observations, rewards, terminations, truncations = self._batch.step(self._actions)
        agents, infos = self.agents, self._infos()
        if terminations[0] or truncations[0]:
            self.agents = []
        if self._picture is not None:
            self._picture.follow(self._batch)
        if self.render_mode == "human":
            self.render()
        return (
            dict(zip(agents, observations[0], strict=True)),
            dict(zip(agents, rewards[0].tolist(), strict=True)),
            dict.fromkeys(agents, bool(terminations[0])),
            dict.fromkeys(agents, bool(truncations[0])),
            infos,
        )

    def _infos(self) -> Infos:
        score, event = tuple(self._batch.scores[:, 0].tolist()), rules.EVENT_NAMES[self._batch.events[0]]
        by = (self._nearest(),) if event == "hit" else ()
        return {agent: {"score": score, "event": event, "by": by} for agent in self.possible_agents}

    def _nearest(self) -> str:
        """The agent nearest to the ball."""
        x, y = self._batch.bodies[:2, :, 0]
        return self.possible_agents[int(np.argmin((x[:-1] - x[-1]) ** 2 + (y[:-1] - y[-1]) ** 2))]

    def render(self) -> NDArray[np.uint8] | None:
        """Return the picture, uint8 (540, 960, 3); in human mode show it in a window and return None."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs parallel_env(render_mode='rgb_array') or 'human'")
            return None
        if self._picture is None:
            from arcade.games.house.volley_picture import VolleyPicture  # pygame, only for rendering

            self._picture = VolleyPicture(team_size=self._batch.team_size, window=self.render_mode == "human")
            self._picture.follow(self._batch)
        frame: NDArray[np.uint8] | None = self._picture.draw()
        return frame

    def close(self) -> None:
        """Close the window, if any; may be called twice."""
        if self._picture is not None:
            self._picture.close()
            self._picture = None
