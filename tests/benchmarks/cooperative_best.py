"""The best results of cooperative games that no rule bounds closely, from play that has it easier than experts.

``python -m tests.benchmarks.cooperative_best [GAME …] [--episodes N]`` prints the return of one agent, by game:

- Collect Treasure: each collector takes as much as one that is alone with all treasures and both depots, whom it knows
  all about and meets without a collision
- Entombed, in the ticks of a measured match: all sections, each in the shortest time in which the maze scrolls one past
"""

from __future__ import annotations

import json
import math
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from arcade.games import find_game
from arcade.games.players.mpe.motion import FORESIGHT, Body, best_action, distances
from tests.benchmarks.strengths import ticks_of

TREASURE, ENTOMBED = "mpe/collect_treasure_v1", "atari/entombed_cooperative_v3"

_COLLECTOR, _DEPOT = Body(0.15, 1.0), Body(0.15 / 2.25, 1.0)
_COLLECTORS = 6


def treasure(episodes: int) -> float:
    """Six times the points of one collector, which all agents get, and the mean of what is taken off for distances."""
    env = replace(find_game(TREASURE), kwargs={"num_collectors": 1}).make()
    totals = []
    for seed in range(episodes):
        env.reset(seed=seed)
        world, scenario, total = env.unwrapped.world, env.unwrapped.scenario, 0.0
        while env.agents:
            _seen, rewards, *_ = env.step(_alone(world))
            total += float(np.mean(list(rewards.values()))) + (_COLLECTORS - 1) * scenario._global_reward(world)
        totals.append(total)
    env.close()
    return float(np.mean(totals))


def _alone(world: Any) -> dict[str, int]:
    """The actions of one collector and of the depots, which come to meet it."""
    collector, *depots = world.agents
    places = [mark.state.p_pos for mark in world.landmarks if mark.alive]
    if collector.holding is not None:
        goal = depots[collector.holding].state.p_pos
    else:
        goal = min(places, key=lambda one: float(np.linalg.norm(one - collector.state.p_pos)), default=np.zeros(2))
    goals = {collector.name: (_COLLECTOR, goal)}
    goals |= {depot.name: (_DEPOT, collector.state.p_pos) for depot in depots}
    return {
        agent.name: best_action(
            agent.state.p_pos, agent.state.p_vel, body, FORESIGHT["expert"], partial(_way_to, place)
        )
        for agent in world.agents
        for body, place in [goals[agent.name]]
    }


def _way_to(goal: Any, ways: Any) -> Any:
    return distances(ways, goal).sum(axis=1)


def entombed(episodes: int) -> float:
    """The sections of a whole match, by the maze's own pace while both players stand still."""
    spec = find_game(ENTOMBED)
    env, ticks, shortest = spec.make(), ticks_of(spec) or 0, math.inf
    still = dict.fromkeys(spec.agents, spec.names_of(spec.agents[0]).index("nothing"))
    for seed in range(episodes):
        env.reset(seed=seed)
        before, tick = 0, 0
        while env.agents and tick < ticks:
            _seen, rewards, *_ = env.step(still)
            tick += 1
            if any(reward > 0 for reward in rewards.values()):
                shortest, before = min(shortest, tick - before), tick
    env.close()
    return ticks // shortest


BY_GAME: Mapping[str, tuple[Callable[[int], float], int]] = {
    TREASURE: (treasure, 200), ENTOMBED: (entombed, 4),
}  # fmt: skip
"""What finds it, and its usual number of episodes."""


def main() -> None:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", default=[], help=", ".join(BY_GAME))
    parser.add_argument("--episodes", type=int)
    asked = parser.parse_args()
    games = [find_game(name).id for name in asked.games] or BY_GAME
    print(json.dumps({game: round(BY_GAME[game][0](asked.episodes or BY_GAME[game][1]), 2) for game in games}))


if __name__ == "__main__":
    main()
