"""The best result of a cooperative game that no rule bounds closely, from play that has it easier than experts.

``python -m tests.benchmarks.cooperative_best [--episodes N]`` prints the return of one agent of Collect Treasure, where
each collector takes as much as one that is alone with all treasures and both depots, whom it knows all about and meets
without a collision.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from arcade.games import find_game
from arcade.games.players.mpe.motion import FORESIGHT, Body, best_action, distances

TREASURE = "mpe/collect_treasure_v1"

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


def main() -> None:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--episodes", type=int, default=200)
    print(json.dumps({TREASURE: round(treasure(parser.parse_args().episodes), 2)}))


if __name__ == "__main__":
    main()
