"""Many games at once are the same games as one by one; ends, opponents and errors of the vectorised env."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import arcade
from agents.snapshots.store import SnapshotError, open_store
from arcade.arguments import ArgumentError
from arcade.games import find_game
from tests.support.small_snapshots import save_volley_snapshot

CONNECT_FOUR = "classic/connect_four_v3"
FIXED = "python:tests.support.fixed_players:last_legal"


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))


def choose(mask: Any, rng: np.random.Generator) -> int:
    """A legal action, now and then an illegal one."""
    return int(rng.integers(len(mask))) if rng.random() < 0.02 else int(rng.choice(np.flatnonzero(mask)))


def single_steps(game: str, seat: str, seed: int, count: int) -> list[Any]:
    """Observation, mask, reward, ends and outcome of each step, with a row for each reset."""
    rng, found = np.random.default_rng(seed), []
    with arcade.opponent_env(game, seat, FIXED) as env:
        over, action = True, 0
        while len(found) < count:
            if over:
                observation, info = env.reset()
                reward, terminated, truncated = 0.0, False, False
            else:
                observation, reward, terminated, truncated, info = env.step(action)
            over = terminated or truncated
            mask = np.zeros(1) if over else info["action_mask"]
            found.append((observation.tolist(), mask.tolist(), reward, terminated, truncated, info.get("outcome", -1)))
            action = 0 if over else choose(mask, rng)
    return found


def vector_steps(game: str, seat: str, seeds: range, count: int) -> list[list[Any]]:
    rngs, found = [np.random.default_rng(seed) for seed in seeds], [[] for _ in seeds]
    with arcade.opponent_vector_env(game, len(seeds), seat, FIXED) as env:
        observations, info = env.reset()
        rewards, terminated, truncated = np.zeros((3, len(seeds)))
        for _ in range(count):
            over = (terminated + truncated) > 0
            ended = info.get("_outcome", np.zeros(len(seeds)))
            for i, rows in enumerate(found):
                mask = [0.0] if over[i] else info["action_mask"][i].tolist()
                outcome = info["outcome"][i] if ended[i] else -1
                ends = bool(terminated[i]), bool(truncated[i])
                rows.append((observations[i].tolist(), mask, rewards[i], *ends, outcome))
            masks = info["action_mask"]
            actions = [0 if over[i] else choose(masks[i], rngs[i]) for i in range(len(seeds))]
            observations, rewards, terminated, truncated, info = env.step(np.array(actions))
    return found


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("game", [CONNECT_FOUR, "classic/tictactoe_v3"])
def test_the_games_are_those_of_single_envs(game: str, place: int) -> None:
    seat = find_game(game).agents[place]
    seeds = range(5)
    expected = [single_steps(game, seat, seed, 60) for seed in seeds]
    assert vector_steps(game, seat, seeds, 60) == expected
    assert any(row[2] == 1 for rows in expected for row in rows)


@pytest.mark.parametrize(
    ("game", "seat"),
    [("house/volley", "any"), ("mpe/simple_tag_v3", "agent_0"), ("classic/leduc_holdem_v4", "any"),
     ("butterfly/knights_archers_zombies_v11", "archer_0"), ("sisl/multiwalker_v9", "any")],
)  # fmt: skip
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_games_of_all_kinds_play_on_after_their_ends(game: str, seat: str, mode: AutoresetMode) -> None:
    with arcade.opponent_vector_env(game, 3, seat, "random", max_ticks=15, seed=1, autoreset_mode=mode) as env:
        observations, info = env.reset(seed=2)
        ends = np.zeros(3, int)
        for _ in range(40):
            masks = info.get("action_mask")
            actions = env.action_space.sample() if masks is None else masks.argmax(axis=1)
            observations, rewards, terminated, truncated, info = env.step(actions)
            assert env.observation_space.contains(observations)
            assert rewards.shape == (3,)
            ended = terminated | truncated
            ends += ended
            assert ended.tolist() == info.get("_outcome", np.zeros(3, bool)).tolist()
            if mode is AutoresetMode.SAME_STEP and ended.any():
                assert [one is not None for one in info["final_obs"]] == ended.tolist()
        assert (ends >= 2).all()


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_episodes_of_different_lengths_begin_at_their_own_time(mode: AutoresetMode) -> None:
    """In volley no game can wait for others; a game that begins shows its first moment, whatever is played then."""
    with arcade.opponent_vector_env("house/volley", 4, "left_0", "random", seed=1, autoreset_mode=mode) as env:
        first = env.reset(seed=1)[0][0]
        env.action_space.seed(1)
        ends, over, alone = np.zeros(4, int), np.zeros(4, bool), 0
        for _ in range(3000):
            observations, rewards, terminated, truncated, _ = env.step(env.action_space.sample())
            if mode is AutoresetMode.SAME_STEP:
                over = terminated | truncated
            assert np.allclose(observations[over][:, :4], first[:4])
            assert mode is AutoresetMode.SAME_STEP or not rewards[over].any()
            over = terminated | truncated
            ends += over
            alone += over.sum() == 1
        assert alone, "an episode ended while the others went on"
        assert (ends > 0).all()


def test_the_seed_repeats_everything_and_the_learner_changes_seats() -> None:
    def trace(seed: int) -> Any:
        with arcade.opponent_vector_env("house/volley", 4, "any", ["random", "scripted"], max_ticks=5) as env:
            found = [env.reset(seed=seed)[0]]
            found += [env.step(np.full(4, 2))[0] for _ in range(30)]
            return np.array(found).tolist()

    assert trace(3) == trace(3) != trace(4)


def test_the_pool_grows_and_counts_results() -> None:
    with arcade.opponent_vector_env("house/volley", 8, "left_0", max_ticks=4, seed=1) as env:
        save_volley_snapshot(open_store(), "mine")
        env.reset()
        for _ in range(40):
            env.step(np.zeros(8, int))
        assert "snapshot:mine" in env.opponents.names
        rows = env.opponents.pool.rows()
        assert sum(row["games"] for row in rows) == 64
        assert 1 < sum(row["games"] > 0 for row in rows) <= 8


def test_a_broken_snapshot_of_the_pool_is_left_out() -> None:
    store = open_store()
    save_volley_snapshot(store, "broken")
    graph = store.root / "broken" / "policy.onnx"
    graph.write_bytes(bytes(len(graph.read_bytes())))
    with arcade.opponent_vector_env("house/volley", 64, "left_0", max_ticks=2, seed=1) as env:
        env.reset()
        for _ in range(60):
            env.step(np.zeros(64, int))
        assert "sha256" in env.opponents.pool.dropped["snapshot:broken"]
        assert {row["games"] for row in env.opponents.pool.rows() if row["name"] == "snapshot:broken"} == {0}
    with (
        arcade.opponent_vector_env("house/volley", 2, "left_0", "snapshot:broken") as env,
        pytest.raises(SnapshotError, match="sha256"),
    ):
        env.reset()


def test_wrong_arguments_and_actions_say_what_is_right() -> None:
    with pytest.raises(ArgumentError, match="num_envs >= 1"):
        arcade.opponent_vector_env("house/volley", 0)
    with pytest.raises(ArgumentError, match="NEXT_STEP or SAME_STEP"):
        arcade.opponent_vector_env("house/volley", 2, autoreset_mode=AutoresetMode.DISABLED)
    with pytest.raises(ArgumentError, match="seat words for opponents of many envs"):
        arcade.opponent_vector_env("house/volley", 2, opponents=lambda observation: 0)
    with arcade.opponent_vector_env("house/volley", 2, opponents="random") as env:
        env.reset()
        with pytest.raises(ValueError, match="expected actions of MultiDiscrete"):
            env.step([7, 0])
