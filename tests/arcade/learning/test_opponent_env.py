"""One seat of a game as a Gymnasium env: every game, opponents, turns, rewards, masks and ends."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import arcade
from agents import RandomController
from agents.errors import UserError
from agents.seats.controller import SeatError
from agents.snapshots.store import SnapshotError, open_store
from arcade.arguments import ArgumentError
from arcade.learning.opponents import Outcome
from tests.support.small_snapshots import save_volley_snapshot

CONNECT_FOUR = "classic/connect_four_v3"
CHECKED = [spec.id for spec in arcade.games() if not spec.broken]


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))


def last_column(observation: Any, action_mask: Any) -> int:
    return 6


def play(env: Any, choose: Any) -> tuple[list[float], dict[str, Any]]:
    """The rewards of an episode, and the last info."""
    _, info = env.reset()
    rewards, over = [], False
    while not over:
        _, reward, terminated, truncated, info = env.step(choose(info))
        rewards.append(reward)
        over = terminated or truncated
    return rewards, info


@pytest.mark.parametrize("game", CHECKED)
def test_every_game_passes_gymnasiums_own_check(game: str) -> None:
    spec = next(spec for spec in arcade.games() if spec.id == game)
    with arcade.opponent_env(game, spec.agents[-1], "random", max_ticks=40) as env:
        check_env(env)


def test_a_step_lasts_until_the_next_turn_and_pays_what_came_in_between() -> None:
    with arcade.opponent_env(CONNECT_FOUR, "player_0", last_column) as env:
        observation, info = env.reset(seed=1)
        assert info["opponents"] == {"player_1": "last_column"}
        assert observation.sum() == 0
        observation, reward, *_ = env.step(0)
        assert (observation[:, 0, 0].sum(), observation[:, 6, 1].sum(), reward) == (1, 1, 0)
        rewards, info = play(env, lambda info: 0)
        assert (rewards, info["outcome"]) == ([0, 0, 0, 1], 1.0)


def test_the_second_seat_begins_after_the_first_move_and_can_lose() -> None:
    with arcade.opponent_env(CONNECT_FOUR, "player_1", last_column) as env:
        observation, _ = env.reset(seed=1)
        assert observation[:, 6, 1].sum() == 1
        columns = iter([0, 1, 0])
        rewards, info = play(env, lambda info: next(columns))
        assert (rewards, info["outcome"]) == ([0, 0, -1], 0.0)


def test_masks_are_those_of_the_turn_and_an_illegal_action_loses() -> None:
    with arcade.opponent_env(CONNECT_FOUR, "player_0", lambda observation, action_mask: 0) as env:
        env.reset(seed=1)
        assert env.action_masks().all()
        for _ in range(3):
            env.step(0)
        assert env.action_masks().tolist() == [False] + [True] * 6
        _, reward, terminated, _, info = env.step(0)
        assert (reward, terminated, info["outcome"], info["illegal"]) == (-1.0, True, 0.0, True)
        with pytest.raises(ResetNeeded):
            env.step(1)
        env.reset()
        with pytest.raises(ValueError, match="0 <= action < 7"):
            env.step(7)


def test_the_tick_limit_truncates() -> None:
    with arcade.opponent_env("house/volley", "left_0", "random", max_ticks=10) as env:
        env.reset(seed=1)
        ends = [env.step(0)[2:4] for _ in range(10)]
        assert ends == [(False, False)] * 9 + [(False, True)]


def test_the_seed_repeats_everything() -> None:
    def trace() -> list[Any]:
        with arcade.opponent_env("house/volley", opponents=["random", "scripted"], seed=5, max_ticks=60) as env:
            found: list[Any] = []
            for _ in range(4):
                observation, info = env.reset()
                found += [info["seat"], info["opponents"], observation.tolist()]
                found += [env.step(2)[0].tolist() for _ in range(20)]
            return found

    first = trace()
    assert first == trace()
    assert {"left_0", "right_0"} <= {part for part in first if isinstance(part, str)}


def test_the_pool_has_all_that_fits_and_what_is_saved_later() -> None:
    with arcade.opponent_env("house/volley", "left_0", seed=1, weighting="uniform", max_ticks=2) as env:
        assert {"snapshot:volley-7", "scripted", "random"} <= set(env.opponents.names)
        assert "snapshot:volley_2v2-1" not in env.opponents.names
        save_volley_snapshot(open_store(), "mine")
        save_volley_snapshot(open_store(), "not-here", agents=("left_0",))
        drawn = {env.reset()[1]["opponents"]["right_0"] for _ in range(100)}
        assert {"snapshot:mine", "random"} <= drawn
        assert "snapshot:not-here" not in drawn


def test_opponents_are_drawn_by_the_win_rates_against_them() -> None:
    with arcade.opponent_env("house/volley", "left_0", ["scripted", "random"], seed=1, max_ticks=1) as env:
        env.opponents.report([Outcome("scripted", 0.0)] * 100)
        env.opponents.report([Outcome("random", 1.0), Outcome("random", 0.0)] * 50)
        counts = Counter(env.reset()[1]["opponents"]["right_0"] for _ in range(100))
        assert counts["random"] > 85


def test_results_are_reported_to_the_matchmaker() -> None:
    with arcade.opponent_env(CONNECT_FOUR, "player_0", [last_column, "random"], seed=3) as env:
        outcomes = [play(env, lambda info: int(np.flatnonzero(info["action_mask"])[0]))[1]["outcome"] for _ in range(8)]
        rows = {row["name"]: row for row in env.opponents.pool.rows()}
        assert sum(row["games"] for row in rows.values()) == 8
        won = sum(row["win_rate"] * row["games"] for row in rows.values())
        assert won == pytest.approx(sum(outcomes), abs=0.2)


def test_other_seats_by_agent_and_team_mates() -> None:
    opponents = {"adversary_1": "idle", "*": "random"}
    with arcade.opponent_env("mpe/simple_tag_v3", "adversary_0", opponents, max_ticks=5) as env:
        _, info = env.reset(seed=1)
        assert info["opponents"] == {"adversary_1": "idle", "adversary_2": "random", "agent_0": "random"}


def test_a_broken_snapshot_of_the_pool_is_drawn_no_more_and_a_named_one_is_an_error() -> None:
    store = open_store()
    save_volley_snapshot(store, "broken")
    (store.root / "broken" / "policy.onnx").write_bytes(
        bytes(len((store.root / "broken" / "policy.onnx").read_bytes()))
    )
    with arcade.opponent_env("house/volley", "left_0", seed=1, weighting="uniform", max_ticks=1) as env:
        drawn = {env.reset()[1]["opponents"]["right_0"] for _ in range(100)}
        assert "snapshot:broken" not in drawn
        assert "sha256" in env.opponents.pool.dropped["snapshot:broken"]
    with (
        arcade.opponent_env("house/volley", "left_0", "snapshot:broken") as env,
        pytest.raises(SnapshotError, match="sha256"),
    ):
        env.reset()


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"seat": "middle"}, ArgumentError, "expected a seat of house/volley among left_0, right_0 or any"),
        ({"opponents": "robot"}, SeatError, "expected a seat like"),
        ({"opponents": "keyboard"}, ArgumentError, "need no person"),
        ({"opponents": []}, ArgumentError, "at least one opponent"),
        ({"opponents": {"right": "random"}}, ArgumentError, "among left_0, right_0 or"),
        ({"opponents": 7}, ArgumentError, "a seat word, a function or a Controller"),
        ({"weighting": "even"}, ArgumentError, "uniform, variance or hard"),
        ({"render_mode": "human"}, ArgumentError, "rgb_array"),
        ({"max_ticks": 0}, ArgumentError, "max_ticks >= 1"),
    ],
)
def test_wrong_arguments_say_what_is_right(arguments: dict[str, Any], error: type[UserError], text: str) -> None:
    with pytest.raises(error, match=text):
        arcade.opponent_env("house/volley", **arguments)


def test_seats_of_different_kinds_need_a_name_and_one_controller_sits_once() -> None:
    with pytest.raises(ArgumentError, match="name one seat"):
        arcade.opponent_env("mpe/simple_tag_v3")
    with (
        arcade.opponent_env("mpe/simple_tag_v3", "agent_0", RandomController()) as env,
        pytest.raises(ArgumentError, match="one for several"),
    ):
        env.reset()


def test_pictures_are_drawn_where_asked_for() -> None:
    with arcade.opponent_env("house/volley", "left_0", "random", render_mode="rgb_array") as env:
        env.reset(seed=1)
        assert env.render().shape[2] == 3
