"""An expert of Pong sends the ball so that a paddle which follows it comes too late."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from arcade.games.catalogue import find_game
from arcade.games.players.atari.paddles import BALL_X, BALL_Y, HITS, PONG, Flight, Plan, best_plan, missed_by
from arcade.games.players.atari.play import read_memory

LEFT = PONG[1]
MIDDLE = 124.0
FLIGHT = 30  # ticks from one line to the other at the highest speed
LET_GO, HELD = Plan(True, 0), Plan(True, FLIGHT)


def late(flight: Flight, plan: Plan) -> float:
    """How far the left paddle, level with the ball and at rest, misses it."""
    return missed_by(LEFT, flight.along - LEFT.middle, 0.0, flight, plan)


@pytest.mark.parametrize("drift", [0.0, 1.0, -1.0, 2.0])
def test_a_follower_reaches_a_ball_that_comes_off_no_wall(drift: float) -> None:
    assert late(Flight(MIDDLE, drift, FLIGHT), LET_GO) < LEFT.half


def test_it_misses_a_fast_ball_that_comes_off_a_wall_at_the_last_moment() -> None:
    missed = {place: late(Flight(place, 2.0, FLIGHT), HELD) for place in range(LEFT.low, LEFT.high)}
    worst = max(missed, key=missed.__getitem__)
    assert missed[worst] > LEFT.half
    after_the_wall = (worst + 4.0 * FLIGHT - LEFT.high) / 4.0  # in ticks
    assert 0 < after_the_wall < 8


def test_the_button_brings_the_ball_off_a_wall_in_time_from_many_places() -> None:
    def share(plans: list[Plan]) -> float:
        flights = [Flight(place, drift, FLIGHT) for place in range(LEFT.low, LEFT.high) for drift in (1.0, 2.0)]
        return float(np.mean([max(late(flight, plan) for plan in plans) > LEFT.half for flight in flights]))

    found = [best_plan(LEFT, place - LEFT.middle, 0.0, Flight(place, 2.0, FLIGHT)) for place in (120.0, 140.0, 160.0)]
    assert all(missed > LEFT.half for _plan, missed in found)
    any_plan = [Plan(first, ticks) for first in (True, False) for ticks in range(FLIGHT + 1)]
    assert share(any_plan) > 2 * share([LET_GO, HELD])


@pytest.mark.parametrize("place", [0, 1])
def test_the_button_of_who_hit_the_ball_doubles_its_drift_while_it_is_held(place: int) -> None:
    spec = find_game("atari/pong_v3")
    env, names, rng = spec.make(), spec.names_of(spec.agents[0]), np.random.default_rng(1)
    env.reset(seed=1)
    drifts: dict[bool, list[int]] = {True: [], False: []}
    before, last, held, aim = (0, 0, 0, 0), -1, False, 0.0
    for tick in range(4000):
        memory = read_memory(env)[spec.agents[0]]
        now = (int(memory[BALL_X]), int(memory[BALL_Y]), int(memory[PONG[0].own]), int(memory[PONG[1].own]))
        is_turned = (now[0] > before[0]) == (last == 0) if last >= 0 and now[0] != before[0] else False
        if not now[1]:
            last = -1
        elif is_turned or (last < 0 and now[0] in (PONG[0].line, PONG[1].line)):
            last = 0 if now[0] > 128 else 1
        elif last == place and before[1]:
            drifts[held].append(abs(now[1] - before[1]))
        if tick % 200 == 0:
            aim = float(rng.choice([hit.at for hit in HITS]))
        held = tick % 400 < 200
        keys = {}
        for seat, agent in enumerate(spec.agents):
            off = now[1] - now[2 + seat] - PONG[seat].middle - aim
            key = "" if abs(off) < 2 else "down" if off > 0 else "up"
            fires = held if now[1] else tick % 40 < 3
            keys[agent] = names.index(" ".join(filter(None, (key, "fire" if fires else ""))) or "nothing")
        before = now
        env.step(keys)
    env.close()
    usual = {held: {drift for drift, times in Counter(found).items() if times > 40} for held, found in drifts.items()}
    assert {2, 4} <= usual[True] <= {0, 2, 4}
    assert {1, 2} <= usual[False] <= {0, 1, 2}
