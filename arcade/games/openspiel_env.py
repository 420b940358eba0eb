"""OpenSpielEnv: a game of OpenSpiel as a PettingZoo env of turns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zlib import crc32

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from agents.seats.controller import AgentID
from arcade.games.openspiel import load


class OpenSpielEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types here
    """Observations are a Dict of OpenSpiel's tensor for the player, float32, and the mask of legal actions, int8.

    Chance is drawn from the seed.  A reward is what the player's return grew by.
    """

    def __init__(self, name: str, *, render_mode: str | None = None) -> None:
        super().__init__()
        self.game, self.render_mode = load(name), render_mode
        self.metadata = {"name": name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents: list[AgentID] = [f"player_{number}" for number in range(self.game.num_players())]
        self.agents: list[AgentID] = []
        self._observes = bool(self.game.get_type().provides_observation_tensor)
        count = self.game.num_distinct_actions()
        shape = self.game.observation_tensor_shape() if self._observes else self.game.information_state_tensor_shape()
        seen = spaces.Box(-np.inf, np.inf, tuple(shape), np.float32)
        self._action: spaces.Discrete[Any] = spaces.Discrete(count)
        self._shape = tuple(shape)
        self._observation = spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (count,), np.int8)})
        self._rng = np.random.default_rng()
        self.state_now: Any = None  # pyspiel's

    def observation_space(self, agent: AgentID) -> Any:
        return self._observation

    def action_space(self, agent: AgentID) -> Any:
        return self._action

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.state_now = self.game.new_initial_state()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos: dict[AgentID, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._returns = np.zeros(len(self.agents))
        self._draw_chance()
        self.agent_selection = self.agents[max(0, self.state_now.current_player())]

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.state_now.apply_action(int(action))
        self._draw_chance()
        returns = np.asarray(self.state_now.returns())
        self.rewards = dict(zip(self.agents, (returns - self._returns).tolist(), strict=True))
        self._returns = returns
        if self.state_now.is_terminal():
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.agents[self.state_now.current_player()]
        self._accumulate_rewards()

    def observe(self, agent: AgentID) -> dict[str, NDArray[Any]]:
        return self.observe_state(self.state_now, self.possible_agents.index(agent))

    def observe_state(self, state: Any, number: int) -> dict[str, NDArray[Any]]:
        """The observation of a player, by number, in any state of the game."""
        tensor = state.observation_tensor(number) if self._observes else state.information_state_tensor(number)
        mask = np.zeros(int(self._action.n), np.int8)
        if not state.is_terminal() and state.current_player() == number:
            mask[state.legal_actions(number)] = 1
        return {"observation": np.array(tensor, np.float32).reshape(self._shape), "action_mask": mask}

    def render(self) -> str | None:
        """The game's own picture in letters."""
        return str(self.state_now) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing to free."""

    def _draw_chance(self) -> None:
        state = self.state_now
        while state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            bounds = np.cumsum(chances)
            place = int(np.searchsorted(bounds, self._rng.random() * bounds[-1], side="right"))
            state.apply_action(outcomes[min(place, len(outcomes) - 1)])


def env(name: str, render_mode: str | None = None) -> OpenSpielEnv:
    """Make the env of a game by OpenSpiel's name for it, with its parameters as in ``hex(board_size=5)``."""
    return OpenSpielEnv(name, render_mode=render_mode)


def words(game: Any, agent: AgentID | None) -> dict[str, str]:
    """What a player of a game with hidden information sees, in OpenSpiel's letters: its `text`.

    A spectator sees the whole state once the game is over, and nothing before.
    """
    own = game.unwrapped
    state = own.state_now
    if agent is None:
        return {"text": str(state) if state.is_terminal() else ""}
    number = own.possible_agents.index(agent)
    kind = own.game.get_type()
    if kind.provides_observation_string:
        return {"text": state.observation_string(number)}
    return {"text": state.information_state_string(number) if kind.provides_information_state_string else ""}


def states(game: Any) -> Mapping[AgentID, NDArray[np.uint8]]:
    """The whole state for the search, the text of OpenSpiel's game and state as UTF-8, uint8 (length,)."""
    import pyspiel

    own = game.unwrapped
    text = pyspiel.serialize_game_and_state(own.game, own.state_now)
    data = np.frombuffer(text.encode(), np.uint8)
    return dict.fromkeys(own.possible_agents, data)


def imagined(game: Any) -> Mapping[AgentID, NDArray[np.uint8]]:
    """A state that the player to move takes for possible, as `states` writes the true one; the others get no bytes.

    It is drawn from what the player knows, by a seed that follows from that alone, so that nothing else is in it.
    """
    import pyspiel

    own = game.unwrapped
    found = dict.fromkeys(own.possible_agents, np.zeros(0, np.uint8))
    if own.state_now.is_terminal():
        return found
    player = own.state_now.current_player()
    seed = crc32(own.state_now.information_state_string(player).encode()) >> 1  # 31 bits
    state = own.state_now.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(seed, 0.0, 1.0))
    text = pyspiel.serialize_game_and_state(own.game, state)
    return found | {own.possible_agents[player]: np.frombuffer(text.encode(), np.uint8)}
