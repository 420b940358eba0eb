"""The batch engine of house/volley: games that know nothing of each other, and fair physics."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcade.games.house import volley_rules as rules
from arcade.games.house.volley import parallel_env
from arcade.games.house.volley_batch import VolleyBatch
from arcade.games.house.volley_scripted import play, play_batch

REFERENCE = "86eebc96e5c55a0e"


def sticky_actions(dice, *shape):
    """Random actions that are kept for a while, (ticks, ...), so that players get somewhere."""
    actions = dice.integers(0, 6, shape)
    kept = dice.random(shape) < 0.9
    for tick in range(1, shape[0]):
        actions[tick] = np.where(kept[tick], actions[tick - 1], actions[tick])
    return actions


def reset_one(single, batch, game, seed):
    """Begin one game in both; the observations must be the same."""
    seen, _ = single.reset(seed=seed)
    mine = batch.reset_games([game], [seed])
    np.testing.assert_array_equal(np.stack(list(seen.values())), mine[0])


@settings(max_examples=15, deadline=None)
@given(
    team_size=st.sampled_from([1, 2]),
    games=st.integers(2, 5),
    seed=st.integers(0, 2**32),
    points=st.integers(1, 3),
    max_ticks=st.integers(100, 400),
    resets=st.lists(st.tuples(st.integers(0, 299), st.integers(0, 4)), max_size=8),
)
def test_every_game_of_a_batch_is_the_single_game(team_size, games, seed, points, max_ticks, resets):
    choices = {"team_size": team_size, "points": points, "max_ticks": max_ticks}
    dice = np.random.default_rng(seed)
    singles = [parallel_env(**choices) for _ in range(games)]
    batch = VolleyBatch(games, **choices)
    for game, single in enumerate(singles):
        reset_one(single, batch, game, seed + game)
    actions = sticky_actions(dice, 300, games, 2 * team_size)
    for tick, now in enumerate(actions):
        observations, rewards, terminations, truncations = batch.step(now)
        for game, single in enumerate(singles):
            agents = list(single.agents)
            seen, gains, ended, cut, infos = single.step(dict(zip(agents, now[game].tolist(), strict=True)))
            np.testing.assert_array_equal(np.stack([seen[agent] for agent in agents]), observations[game])
            assert [gains[agent] for agent in agents] == rewards[game].tolist()
            assert {*ended.values()} == {bool(terminations[game])}
            assert {*cut.values()} == {bool(truncations[game])}
            assert infos[agents[0]]["score"] == tuple(batch.scores[:, game])
            assert infos[agents[0]]["event"] == rules.EVENT_NAMES[batch.events[game]]
            if not single.agents or (tick, game) in resets:
                reset_one(single, batch, game, seed + 100 * tick + game)


def test_the_physics_is_still_that_of_the_recorded_replays():
    """Change REFERENCE only together with the game's version: old replays no longer play the same after it."""
    story = hashlib.sha256()
    for team_size in (1, 2):
        batch = VolleyBatch(3, team_size=team_size, seeds=[1, 2, 3])
        pattern = np.arange(3 * 2 * team_size).reshape(3, -1)
        for tick in range(900):
            observations, rewards, _, _ = batch.step((pattern * 7 + tick // 11) % 6)
            story.update((observations + np.float32(0)).tobytes() + rewards.tobytes())  # -0.0 becomes 0.0
    assert story.hexdigest()[:16] == REFERENCE


def test_a_game_that_is_over_stands_still_beside_others_that_go_on():
    batch = VolleyBatch(3, points=1, seeds=[1, 2, 3])
    rewards = np.zeros((3, 2))
    final, ended = {}, np.zeros(3, bool)
    for _ in range(900):
        observations, gains, terminations, _ = batch.step(np.zeros((3, 2), np.int64))
        rewards += gains
        assert (terminations | ~ended).all(), "once over, over"
        for game in np.flatnonzero(terminations & ~ended):
            final[game] = observations[game].copy()
        ended = terminations
    assert ended.all()
    assert (np.abs(rewards) == 1).all()
    for game, last in final.items():
        np.testing.assert_array_equal(observations[game], last)
    batch.reset_games(np.array([False, True, False]), [9])
    _, _, terminations, _ = batch.step(np.zeros((3, 2), np.int64))
    assert terminations.tolist() == [True, False, True]


@pytest.mark.parametrize("team_size", [1, 2])
def test_a_mirrored_game_looks_the_same_to_the_other_side(team_size):
    """Game 1 is game 0 seen in a mirror: right sees there what left sees here, tick for tick."""
    dice = np.random.default_rng(0)
    swap = [*range(team_size, 2 * team_size), *range(team_size)]
    for seed in range(30):
        batch = VolleyBatch(2, team_size=team_size, seeds=[seed, seed])
        for now in sticky_actions(dice, rules.SERVE_TICKS + 2, 2 * team_size):
            batch.step(np.stack([now, now]))
        batch.bodies[:, :, 1] = batch.bodies[:, [*swap, -1], 1] * [[-1.0], [1.0], [-1.0], [1.0]]
        batch.step(np.zeros((2, 2 * team_size), np.int64))
        batch.clock[1] = batch.clock[0]
        for now in sticky_actions(dice, 400, 2 * team_size):
            observations, rewards, _, _ = batch.step(np.stack([now, now[swap]]))
            np.testing.assert_array_equal(rewards[0], rewards[1][swap])
            if rewards.any():
                break
            np.testing.assert_array_equal(observations[0, 0], observations[1, team_size])
            np.testing.assert_array_equal(observations[0, team_size], observations[1, 0])
        assert rewards.any(), "a rally ends"


def run_games(left, right, *, games, team_size=1, ticks=3000, watch=None):
    """The batch after `ticks` ticks of two ways to play, each (observations (M, size)) -> actions (M,)."""
    batch = VolleyBatch(games, team_size=team_size)
    seen = batch.observe()
    for _ in range(ticks):
        halves = [
            choose(half.reshape(games * team_size, -1)).reshape(games, team_size)
            for choose, half in ((left, seen[:, :team_size]), (right, seen[:, team_size:]))
        ]
        before = batch.bodies.copy()
        seen, *_ = batch.step(np.concatenate(halves, axis=1))
        if watch is not None:
            watch(before, batch, seen)
    return batch


def scripted(seed):
    dice = np.random.default_rng(seed)
    return lambda seen: play_batch(seen, dice)


def at_random(seed):
    dice = np.random.default_rng(seed)
    return lambda seen: dice.integers(0, 6, len(seen))


def test_the_ball_never_passes_through_the_net_the_walls_or_the_bounds_of_what_is_seen():
    crossings = []

    def watch(before, batch, seen):
        assert (np.abs(seen) <= batch.observation_space.high).all()
        x, y = batch.bodies[:2, -1]
        assert (np.abs(x) <= rules.HALF_COURT - rules.BALL_RADIUS + 0.35).all()
        crossed = (x * before[0, -1] < 0) & (batch.events != rules.POINT)
        assert (np.maximum(y, before[1, -1])[crossed] > rules.NET_TOP).all()
        crossings.append(crossed.sum())

    run_games(scripted(1), at_random(2), games=24, ticks=1500, watch=watch)
    run_games(scripted(1), scripted(2), games=24, ticks=1500, team_size=2, watch=watch)
    assert sum(crossings) > 50


def test_whoever_only_juggles_loses_the_rally():
    batch = VolleyBatch(1, seeds=[0])
    on_left = batch.bodies[0, -1, 0] < 0
    for _ in range(rules.SERVE_TICKS + rules.HOLD_TICKS):
        batch.bodies[:, -1, 0] = [-5.0 if on_left else 5.0, 7.0, 0.0, 0.0]
        _, rewards, _, _ = batch.step(np.zeros((1, 2), np.int64))
    assert rewards[0].tolist() == ([-1, 1] if on_left else [1, -1])


@pytest.mark.parametrize("team_size", [1, 2])
def test_the_scripted_player_beats_a_random_one_on_either_side(team_size):
    for left, right, sign in ((scripted(3), at_random(4), 1), (at_random(5), scripted(6), -1)):
        batch = run_games(left, right, games=24, team_size=team_size)
        assert (sign * (batch.scores[0] - batch.scores[1]) > 0).mean() >= 0.95


def test_neither_side_has_the_better_half():
    for choose in (scripted, at_random):
        batch = run_games(choose(7), choose(8), games=100)
        points = batch.scores.sum(axis=1)
        assert points.min() > 100, "rallies end, on both sides"
        assert abs(points[0] - points[1]) < 4 * np.sqrt(points.sum())
        assert batch.scores.max() == 5


def test_the_scripted_player_decides_from_one_observation_too():
    seen = VolleyBatch(1, team_size=2, seeds=[3]).observe()[0]
    one = play(seen[0], None, np.random.default_rng(1))
    assert isinstance(one, int)
    assert one == play_batch(seen[:1], np.random.default_rng(1))[0]


@pytest.mark.parametrize(
    ("actions", "word"),
    [
        (np.zeros((2, 3), int), r"\(games, agents\) = \(2, 2\), got: int64 \(2, 3\)"),
        (np.zeros((2, 2)), "expected whole numbers .* got: float64"),
        (np.array([[0, 1], [6, 0]]), "expected 0 <= action < 6, got: 6"),
        (np.array([[0, 1], [-1, 0]], np.int8), "expected 0 <= action < 6, got: -1"),
    ],
)
def test_wrong_actions_are_named(actions, word):
    with pytest.raises(ValueError, match=word):
        VolleyBatch(2).step(actions)


@pytest.mark.parametrize(
    ("games", "seeds", "word"),
    [
        ([0, 1], [1], "expected 2 seeds, one a game"),
        ([0], [-1], "expected seeds as whole numbers of at least 0"),
        ([0], [0.5], "expected seeds as whole numbers of at least 0"),
        ([2], [1], "expected games of 0 to 1, got: 2"),
        ([-1], [1], "expected games of 0 to 1, got: -1"),
    ],
)
def test_wrong_resets_are_named(games, seeds, word):
    with pytest.raises(ValueError, match=word):
        VolleyBatch(2).reset_games(games, seeds)
