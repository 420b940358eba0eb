"""From a game to a vectorised env of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec
from arcade.match.batch.native_env import NativeVectorEnv
from arcade.match.batch.ruled_env import RuledVectorEnv
from arcade.match.batch.stage_env import StageVectorEnv
from arcade.match.batch.vector_env import VectorEnv
from arcade.match.stage.rules import PLAIN, StageRules


def make_vector_env(spec: GameSpec, num_envs: int, *, rules: StageRules = PLAIN, max_ticks: int = 0) -> VectorEnv:
    """Make the game's own vectorised engine, or else `num_envs` single stages, under `rules`.

    An episode is truncated after `max_ticks`, 0 for no limit.  Raises GameError or StageError.
    """
    env: VectorEnv = NativeVectorEnv(spec, num_envs) if spec.batch else StageVectorEnv(spec, num_envs)
    return RuledVectorEnv(env, rules, max_ticks=max_ticks) if rules.any or max_ticks else env


def with_kwargs(spec: GameSpec, kwargs: Mapping[str, Any]) -> GameSpec:
    """The spec of the game made with other arguments.

    Where these change its agents, each new one joins the team of those whose names begin alike, or has its own.
    """
    if not kwargs:
        return spec
    changed = replace(spec, kwargs={**spec.kwargs, **kwargs})
    env = changed.make()
    agents = tuple(env.possible_agents)
    env.close()
    if agents == spec.agents:
        return changed
    team_of = {_stem(agent): number for number, team in enumerate(spec.teams) for agent in team}
    teams: dict[Any, list[AgentID]] = {}
    for agent in agents:
        teams.setdefault(team_of.get(_stem(agent), agent), []).append(agent)
    return replace(changed, agents=agents, teams=tuple(tuple(team) for team in teams.values()))


def _stem(agent: AgentID) -> str:
    return str(agent).rpartition("_")[0]
