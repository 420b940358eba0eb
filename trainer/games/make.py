"""Which way a game is stepped many times at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec
from trainer.config.sections import WrapperSettings
from trainer.games.batch import GameBatch
from trainer.games.engine import EngineGames
from trainer.games.rules import RuledGames
from trainer.games.stages import StageGames


def make_batch(spec: GameSpec, games: int, *, wrappers: WrapperSettings | None = None) -> GameBatch:
    """The game's own batch engine where it has one, else `games` single stages, under the rules of `wrappers`.

    Raises GameError or StageError.
    """
    batch: GameBatch = EngineGames(spec, games) if spec.batch else StageGames(spec, games)
    return batch if wrappers is None else RuledGames.around(batch, wrappers)


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
