"""The scores of games that have neither infos nor an Atari's memory: read from the objects of their envs.

Each function takes the env, just reset, and the teams, and returns the reader of the episode.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from arcade.games.scores.score import Points, Reader, Step, Teams
from arcade.games.scores.sources import Wins

COVERED = 0.1
"""Distance at which a landmark counts as covered, as in simple_spread's own CAPTURE_RADIUS."""


def lives(env: Any, teams: Teams) -> Reader:
    """Entombed: two bits of one byte for each player, as Multi-Agent-ALE's Entombed.cpp reads them."""
    ale = env.unwrapped.ale

    def read(step: Step) -> Points:
        byte = int(ale.getRAM()[0x47])
        return byte & 3, byte >> 4 & 3

    return read


def draughtsmen(env: Any, teams: Teams) -> Reader:
    """Video Checkers: pieces and kings left on the board, as Multi-Agent-ALE's VideoCheckers.cpp counts them."""
    ale = env.unwrapped.ale

    def read(step: Step) -> Points:
        memory = ale.getRAM().tolist()
        squares = [memory[start + column] for start in (0x00, 0x09, 0x12, 0x1B) for column in range(8)]
        return sum(one in (0x10, 0x20) for one in squares), sum(one in (0x90, 0xA0) for one in squares)

    return read


def paddle_hits(env: Any, teams: Teams) -> Reader:
    """Cooperative Pong: how often the ball turned back from a paddle."""
    ball = env.unwrapped.env.ball
    state = [ball._speed[0] > 0, 0]

    def read(step: Step) -> Points:
        is_rightward = ball._speed[0] > 0
        if is_rightward != state[0]:
            state[:] = is_rightward, state[1] + 1
        return (state[1],)

    return read


def kills(env: Any, teams: Teams) -> Reader:
    """Knights Archers Zombies: the zombies that fell; a fighter's own count starts again with each of its actions."""
    game = env.unwrapped
    killed, counts, acting = 0, dict[str, int](), set(game.agents)

    def read(step: Step) -> Points:
        nonlocal killed, acting
        for name, fighter in game.agent_map.items():
            killed += fighter.score - (0 if name in acting else counts.get(name, 0))
            counts[name] = fighter.score
        acting = set(game.agents)
        return (killed,)

    return read


def ball_way(env: Any, teams: Teams) -> Reader:
    """Pistonball: the ball's way to the left wall, in percent of the way at the start."""
    game = env.unwrapped

    def left() -> float:
        return float(game.ball.position[0] - game.ball_radius - game.wall_width)

    whole = max(1.0, left())
    return lambda step: (min(100.0, max(0.0, 100 * (1 - left() / whole))),)


def package_way(env: Any, teams: Teams) -> Reader:
    """Multiwalker: the package's way to the right since the start, in Box2D's metres."""
    game = env.unwrapped.env
    start = game.package.position.x
    return lambda step: (float(game.package.position.x - start),)


def evaders_caught(env: Any, teams: Teams) -> Reader:
    """Pursuit: evaders that are gone."""
    game = env.unwrapped.env
    return lambda step: (int(game.evaders_gone.sum()),)


def stacks(env: Any, teams: Teams) -> Reader:
    """Poker: each player's chips after the last hand of a session that is over; of a single hand the chips won."""
    session = env.unwrapped
    if not hasattr(session, "stacks"):
        return Wins().begin(env, teams)
    return lambda step: tuple(session.stacks)


def fireworks(env: Any, teams: Teams) -> Reader:
    """Hanabi: the cards of the fireworks."""
    from arcade.games.tables.hanabi import view

    return lambda step: (view(env, None)["score"],)


def catches(env: Any, teams: Teams) -> Reader:
    """Simple Tag, Simple World Comm: each time that a chaser touches one whom no chaser touched before."""
    world = env.unwrapped.world
    chasers = [agent for agent in world.agents if agent.adversary]
    chased = [agent for agent in world.agents if not agent.adversary]
    state: list[Any] = [set(), 0]

    def read(step: Step) -> Points:
        held = {one.name for one in chased if any(_gap(one, other) < one.size + other.size for other in chasers)}
        state[:] = held, state[1] + (len(held - state[0]) if step.rewards else 0)
        return state[1], None

    return read


def landmarks_covered(env: Any, teams: Teams) -> Reader:
    """Simple Spread: landmarks with an agent on them now."""
    world = env.unwrapped.world
    return lambda step: (
        sum(min(_gap(agent, landmark) for agent in world.agents) < COVERED for landmark in world.landmarks),
    )


def treasures(env: Any, teams: Teams) -> Reader:
    """Collect Treasure: treasures that a collector brought to a depot."""
    collectors = [agent for agent in env.unwrapped.world.agents if agent.collector]
    state: list[Any] = [[agent.holding for agent in collectors], 0]

    def read(step: Step) -> Points:
        holding = [agent.holding for agent in collectors]
        brought = sum(before is not None and now is None for before, now in zip(state[0], holding, strict=True))
        state[:] = holding, state[1] + brought
        return (state[1],)

    return read


def words_understood(env: Any, teams: Teams) -> Reader:
    """Simple Crypto: ticks at which Eve, and Bob, said the secret."""
    world = env.unwrapped.world
    eve, bob = (next(agent for agent in world.agents if agent.name == name) for name in ("eve_0", "bob_0"))
    secret = next(agent for agent in world.agents if agent.speaker).goal_a.color
    said = [0, 0]

    def read(step: Step) -> Points:
        if step.rewards:
            for place, agent in enumerate((eve, bob)):
                said[place] += bool(np.array_equal(agent.state.c, secret))
        return tuple(said)

    return read


def landmark_distance(env: Any, teams: Teams) -> Reader:
    """Simple: the agent's mean distance from the landmark."""
    world = env.unwrapped.world
    return _mean(lambda: (_gap(world.agents[0], world.landmarks[0]),))


def goal_distances(env: Any, teams: Teams) -> Reader:
    """Simple Adversary, Simple Push: each team's mean distance from the goal, of its nearest agent."""
    world = env.unwrapped.world
    sides = [[agent for agent in world.agents if agent.name in team] for team in teams]
    goal = next(agent for agent in world.agents if not agent.adversary).goal_a
    return _mean(lambda: (min(_gap(agent, goal) for agent in side) for side in sides))


def told_distance(env: Any, teams: Teams) -> Reader:
    """Simple Reference, Simple Speaker Listener: the mean distance of the told from their landmarks."""
    agents = env.unwrapped.world.agents
    told = [agent for agent in agents if agent.name != "listener_0"]  # a speaker's goal: where its listener should go
    return _mean(lambda: (sum(_gap(agent.goal_a, agent.goal_b) for agent in told) / len(told),))


def place_distance(env: Any, teams: Teams) -> Reader:
    """Simple Formation, Simple Line: the mean distance of the agents from their places."""
    scenario = env.unwrapped.scenario
    places = _mean(lambda: (float(np.mean(scenario._delta_dists)),))
    return lambda step: places(step) if step.rewards else (0.0,)


def _mean(now: Callable[[], Iterable[float]]) -> Reader:
    """Return a reader of the mean over all steps so far; the reset's own value counts until the first."""
    sums: list[float] = []
    count = 0

    def read(step: Step) -> Points:
        nonlocal sums, count
        values = list(now())
        if not step.rewards:
            return tuple(values)
        sums = [total + value for total, value in zip(sums or [0.0] * len(values), values, strict=True)]
        count += 1
        return tuple(total / count for total in sums)

    return read


def _gap(one: Any, other: Any) -> float:
    """Return the distance of the centres of two entities."""
    x, y = one.state.p_pos - other.state.p_pos
    return float((x * x + y * y) ** 0.5)
