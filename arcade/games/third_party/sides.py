"""Guesses who plays with whom in an unknown env, and what people read for its seats.

Imported only in the child process that probes the env, and for envs of this process.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from agents.seats.controller import AgentID
from arcade.games.built_in import built_in_games
from arcade.games.spec import Outcome

TICKS = 40
"""Ticks of random play whose rewards are looked at, turns of a turn-based game."""

_NUMBERED = re.compile(r"(.+?)[_\- ]?(\d+)$")
_PLAIN = ("player", "agent", "p", "seat", "actor")  # names of agents that say nothing

Teams = tuple[tuple[AgentID, ...], ...]


def guess_sides(env: Any, agents: tuple[AgentID, ...], *, may_play: bool) -> tuple[Outcome, Teams]:
    """Return whether the agents play together or against each other, and their teams.

    Those of the catalogue's game of the same name and agents, else, where it `may_play`, by the rewards of some random
    play: always equal ones are those of a team.  Else agents whose names begin alike (``red_0``, ``red_1``) are a team,
    where there are several such names.
    """
    name = (getattr(env, "metadata", None) or {}).get("name")
    for spec in built_in_games():
        if spec.id.partition("/")[2] == name and spec.agents == agents:
            return spec.outcome, spec.teams
    everyone = (agents,)
    if len(agents) == 1:
        return "cooperative", everyone
    paid = _rewards(env, len(agents)) if may_play else []
    if paid and all(max(rewards) == min(rewards) for rewards in paid):
        return "cooperative", everyone
    is_zero_sum = bool(paid) and all(abs(sum(rewards)) < 1e-6 for rewards in paid)
    teams = teams_by_name(agents)
    return "versus" if is_zero_sum or len(teams) < len(agents) else "mixed", teams


def teams_by_name(agents: Sequence[AgentID]) -> Teams:
    """Return the agents by the beginnings of their names; each for itself where all begin alike."""
    teams: dict[str, list[AgentID]] = {}
    for agent in agents:
        teams.setdefault(_stem(agent), []).append(agent)
    if len(teams) < 2:
        return tuple((agent,) for agent in agents)
    return tuple(tuple(team) for team in teams.values())


def titles(agents: Sequence[AgentID]) -> Mapping[AgentID, str]:
    """Return what people read for agents with telling names: "Red 1" for ``red_0``; {} where there are others."""
    stems = [_stem(agent) for agent in agents]
    if any(not stem or stem.casefold() in _PLAIN for stem in stems):
        return {}
    found, seen = {}, dict[str, int]()
    for agent, stem in zip(agents, stems, strict=True):
        seen[stem] = seen.get(stem, 0) + 1
        words = re.sub(r"[_\W]+", " ", stem).strip().capitalize()
        found[agent] = f"{words} {seen[stem]}" if stems.count(stem) > 1 else words
    return found


def _stem(agent: AgentID) -> str:
    if isinstance(agent, int):
        return ""
    numbered = _NUMBERED.fullmatch(agent)
    return numbered[1] if numbered else agent


def _rewards(env: Any, agents: int) -> list[list[float]]:
    """Return the rewards of all agents at each tick of random play that paid any of them; [] where the game fails."""
    found: list[list[float]] = []
    try:
        for rewards in _play(env):
            if len(rewards) == agents and any(rewards):
                found.append([float(reward) for reward in rewards])
    except (Exception, SystemExit):  # noqa: BLE001  (it may fail in any way, which the first match reports)
        return []
    return found


def _play(env: Any) -> Any:
    """Yield the rewards of each tick."""
    for seed in range(2):
        if hasattr(env, "agent_iter"):
            env.reset(seed=seed)
            yield from _turns(env)
            continue
        seen, infos = env.reset(seed=seed)
        for _ in range(TICKS):
            if not env.agents:
                break
            actions = {agent: _any_action(env, agent, seen.get(agent), infos.get(agent)) for agent in env.agents}
            seen, rewards, _, _, infos = env.step(actions)
            yield list(rewards.values())


def _turns(env: Any) -> Any:
    for _, agent in zip(range(2 * TICKS), env.agent_iter(), strict=False):
        seen, _, terminated, truncated, info = env.last()
        env.step(None if terminated or truncated else _any_action(env, agent, seen, info))
        if not (terminated or truncated):
            yield list(env.rewards.values())


def _any_action(env: Any, agent: AgentID, seen: Any, info: Any) -> Any:
    space = env.action_space(agent)
    mask = seen.get("action_mask") if isinstance(seen, Mapping) else (info or {}).get("action_mask")
    return space.sample() if mask is None else space.sample(mask)
