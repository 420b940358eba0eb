"""Drivers: the quicker ways to step a game show exactly what PettingZoo's own wrappers show."""

import numpy as np
import pytest
from pettingzoo.utils.conversions import aec_to_parallel

from arcade.games import find_game
from arcade.match.drivers import ParallelDriver, make_driver, seat_spaces
from arcade.match.local import LocalStage


def episode(driver, env, agents, ticks=30):
    """What every seat saw and got, actions drawn from one seed."""
    rng, seen = np.random.default_rng(1), []
    tick = driver.reset(5)
    for _ in range(ticks):
        seen.append([
            (agent, np.asarray(tick.observations[agent]).tolist(), tick.rewards.get(agent), agent in tick.ended)
            for agent in tick.acting
        ])  # fmt: skip
        if tick.over:
            break
        tick = driver.step(
            {agent: legal(env.action_space(agent), tick.action_masks.get(agent), rng) for agent in tick.acting}
        )
    return [*seen, dict(tick.rewards), dict(tick.terminations), dict(tick.truncations)]


def legal(space, mask, rng):
    space.seed(int(rng.integers(2**31)))
    return space.sample() if mask is None else space.sample(np.asarray(mask, np.int8))


@pytest.mark.parametrize("game", ["mpe/simple_tag_v3", "sisl/pursuit_v5", "butterfly/knights_archers_zombies_v11"])
def test_a_round_is_what_the_parallel_conversion_makes_of_it(game):
    spec = find_game(game)
    ours = spec.make()
    theirs = spec.make()
    parallel = aec_to_parallel(theirs) if hasattr(theirs, "agent_iter") else theirs
    expected = episode(ParallelDriver(parallel, seat_spaces(parallel, spec)), parallel, spec.agents)
    assert episode(make_driver(ours, spec), ours, spec.agents) == expected
    unchecked = spec.make()
    assert episode(make_driver(unchecked, spec, checked=False), unchecked, spec.agents) == expected


@pytest.mark.parametrize("game", ["classic/connect_four_v3", "classic/leduc_holdem_v4"])
def test_legal_play_is_the_same_without_the_checks(game):
    spec = find_game(game)
    checked, unchecked = spec.make(), spec.make()
    expected = episode(make_driver(checked, spec), checked, spec.agents)
    assert len(expected) > 5
    assert episode(make_driver(unchecked, spec, checked=False), unchecked, spec.agents) == expected


def test_with_the_checks_an_illegal_move_still_ends_the_game():
    spec = find_game("classic/tictactoe_v3")
    with LocalStage(spec) as stage:
        stage.reset(1)
        stage.step({stage.wait().acting[0]: 0})
        stage.step({stage.wait().acting[0]: 0})  # the same field again
        assert stage.wait().over
