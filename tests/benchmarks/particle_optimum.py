"""The best returns of the cooperative Multi-Particle games, whose agents know the whole state and head straight on.

``python -m tests.benchmarks.particle_optimum [EPISODES]`` prints the mean return of one agent in each game.  Places are
given to agents by the least sum of distances, which needs no words; each agent plans nine ticks ahead, anew every tick.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from arcade.games import find_game
from arcade.games.players.mpe.motion import FORESIGHT, NOTHING, Body, best_action, distances

BODY = Body(push=0.5, speed=1e9)
GAMES = (
    "mpe/simple_v3", "mpe/simple_reference_v3", "mpe/simple_speaker_listener_v4", "mpe/simple_spread_v3",
    "mpe/simple_formation_v1", "mpe/simple_line_v1",
)  # fmt: skip


def main(words: list[str]) -> None:
    episodes = int(words[0]) if words else 200
    print(json.dumps({game: round(mean_return(game, episodes), 2) for game in GAMES}))


def mean_return(game: str, episodes: int) -> float:
    """Of one agent in one episode."""
    env = find_game(game).make()
    totals = []
    for seed in range(episodes):
        env.reset(seed=seed)
        agents, total = list(env.agents), 0.0
        while env.agents:
            _seen, rewards, *_ = env.step(actions(env.unwrapped))
            total += sum(rewards.values()) / len(agents)
        totals.append(total)
    env.close()
    return float(np.mean(totals))


def actions(env: Any) -> dict[str, int]:
    """The action of each agent; words are silent."""
    places = goals(env.world, env.scenario)
    found = {}
    for agent in env.world.agents:
        move = NOTHING
        if agent.name in places:
            place, speed = agent.state.p_pos, agent.state.p_vel
            goal = places[agent.name]
            move = best_action(place, speed, BODY, FORESIGHT["expert"], partial(_cost, goal))
        found[agent.name] = move
    return found


def goals(world: Any, scenario: Any) -> dict[str, Any]:
    """Where each agent should go."""
    pairs = [(_kept(agent, "goal_a"), _kept(agent, "goal_b")) for agent in world.agents]
    if any(mover is not None for mover, _mark in pairs):
        return {mover.name: mark.state.p_pos for mover, mark in pairs if mover is not None}
    places = [mark.state.p_pos for mark in world.landmarks]
    if type(scenario).__module__.endswith("simple_line"):
        places = scenario._expected_positions
    if type(scenario).__module__.endswith("simple_formation"):
        places = _circle(world, scenario.TARGET_RADIUS)
    apart = np.array([[np.linalg.norm(agent.state.p_pos - place) for place in places] for agent in world.agents])
    return {world.agents[row].name: places[column] for row, column in zip(*linear_sum_assignment(apart), strict=True)}


def _cost(goal: Any, ways: Any) -> Any:
    return distances(ways, goal).sum(axis=1)


def _kept(agent: Any, name: str) -> Any:
    """An attribute, None before it is set; its property refuses to say that."""
    own = vars(agent)
    return own.get(f"_{name}", own.get(name))


def _circle(world: Any, radius: float) -> list[Any]:
    """The places of Simple Formation, turned by the least angle of an agent."""
    middle, count = world.landmarks[0].state.p_pos, len(world.agents)
    off = [agent.state.p_pos - middle for agent in world.agents]
    first = min(np.arctan2(y, x) % (2 * np.pi) for x, y in off)
    angles = first + 2 * np.pi * np.arange(count) / count
    return [middle + radius * np.array([np.cos(angle), np.sin(angle)]) for angle in angles]


if __name__ == "__main__":
    main(sys.argv[1:])
