"""What happened when in a recorded match."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from pathlib import Path

from arcade.games import find_game
from arcade.games.scores import RETURNS
from arcade.match.playback.replay import Replay
from arcade.match.playback.timeline import Timeline


def replay_of(*rewards: dict[str, float]) -> Replay:
    return Replay(Path("a.replay"), {}, actions=[{}] * (len(rewards) - 1), rewards=list(rewards))


def test_scores_stand_at_every_tick_and_points_where_they_begin() -> None:
    nothing: dict[str, float] = {}
    rewards = [nothing] * 20
    rewards[5] = rewards[6] = {"left_0": 1.0, "right_0": -1.0}
    rewards[19] = {"right_0": 2.5, "stranger": 9.0}
    timeline = Timeline(replay_of(*rewards), find_game("house/volley"))
    told = [tuple(timeline.scores(tick).values()) for tick in (0, 4, 5, 6, 18, 19, 99)]
    assert told == [(0, 0), (0, 0), (1, -1), (2, -2), (2, -2), (2, 0.5), (2, 0.5)]
    assert [(mark.tick, mark.text) for mark in timeline.marks] == [(5, ""), (19, "")], "the score at that tick says it"


def test_a_penalty_is_no_point_and_a_game_without_a_score_tells_who_wins() -> None:
    nothing: dict[str, float] = {}
    late = Timeline(replay_of(*[nothing] * 9, {"first_0": -1.0}), find_game("pong"))
    assert not late.marks
    mate = {"player_0": -1.0, "player_1": 1.0}
    assert [mark.text for mark in Timeline(replay_of(*[nothing] * 9, mate), find_game("chess")).marks] == ["Black wins"]


def test_a_game_that_declares_no_score_tells_what_was_paid() -> None:
    spec = replace(find_game("house/volley"), score=RETURNS)
    rewards: list[dict[str, float]] = [{}] * 9 + [{"left_0": 1.0, "right_0": -2.5}]
    assert [mark.text for mark in Timeline(replay_of(*rewards), spec).marks] == ["Left +1, Right -2.5"]


def test_a_game_that_pays_all_the_time_has_no_points() -> None:
    assert not Timeline(replay_of(*[{"left_0": 0.1}] * 20), find_game("house/volley")).marks


def test_a_long_match_of_many_seats_takes_room_for_what_was_paid_alone() -> None:
    spec = find_game("butterfly/pistonball_v6")
    replay = replay_of(*[{}] * 100_000)
    tracemalloc.start()
    try:
        assert Timeline(replay, spec).scores(99_999) == dict.fromkeys(spec.agents, 0.0)
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()
