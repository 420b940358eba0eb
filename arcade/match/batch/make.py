"""Which way a game is stepped many times at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec
from arcade.match.batch.engine_env import EngineGames
from arcade.match.batch.ruled_env import RuledGames
from arcade.match.batch.stage_env import StageGames
from arcade.match.batch.vector_env import GameBatch
from arcade.match.stage.rules import PLAIN, StageRules


def make_batch(spec: GameSpec, games: int, *, rules: StageRules = PLAIN, max_ticks: int = 0) -> GameBatch:
    """Make the game's own vectorised engine, or else `games` single stages, under `rules`.

    An episode is truncated after `max_ticks`, 0 for no limit.  Raises GameError or StageError.
    """
    batch: GameBatch = EngineGames(spec, games) if spec.batch else StageGames(spec, games)
    return RuledGames(batch, rules, max_ticks=max_ticks) if rules.any or max_ticks else batch


def with_kwargs(spec: GameSpec, kwargs: Mapping[str, Any]) -> GameSpec:
    """The spec of the game made with other arguments; where these change its agents, each new one joins the team
    of those whose names begin alike, or has one of its own."""
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
