"""The player of Double Dunk: it is quick to choose a play, keeps the rules of the court, and beats random moves."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from agents.policies.random import RandomController
from agents.seats.controller import SeatChoice
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.games.players.atari.double_dunk import DoubleDunkPlay
from arcade.games.players.atari.play import decide_by, read_memory
from arcade.games.players.atari.skill import SKILLS, Skill
from arcade.match.play.lineup import make_controller
from arcade.match.play.match import Match
from arcade.match.stage.local import LocalStage

GAME = "atari/double_dunk_v3"
TALL, OTHER_TALL = 0, 1  # figures of the first and of the second team
CLEAR_THE_BALL = 0x50


def memory(*, holder: int, at: Mapping[int, tuple[int, int]], **bytes_at: int) -> list[int]:
    """A moment with these figures at (column, line), and `bytes_at` places such as x0D; the tall ones guard."""
    made = [0] * 128
    made[0x01] = holder << 6
    for figure, (x, y) in at.items():
        made[0x25 + figure], made[0x21 + figure] = x, y
    for place, value in bytes_at.items():
        made[int(place[1:], 16)] = value
    return made


def action(moment: list[int], *, place: int = 0, ticks: int = 1) -> str:
    """What an expert does at the end of that many ticks of the same."""
    play = DoubleDunkPlay(place, np.random.default_rng(1), Skill())
    return [play.decide(moment, moment) for _ in range(ticks)][-1]


@pytest.mark.parametrize("place", [0, 1])
def test_an_expert_beats_random_moves_on_either_side(place: int) -> None:
    with LocalStage(find_game(GAME)) as stage:
        agents, store = stage.spec.agents, SnapshotStore("unused")
        level = make_controller(SeatChoice("level", "expert"), stage.seat(agents[place]), spec=stage.spec, store=store)
        seats = {agent: RandomController() for agent in agents} | {agents[place]: level}
        result = Match(stage, seats, seed=1, max_ticks=1200).run()
    assert result.score[place] >= result.score[1 - place] + 4


@pytest.mark.parametrize("level", SKILLS)
def test_both_sides_choose_a_play_before_it_costs_a_point(level: str) -> None:
    spec = find_game(GAME)
    env = spec.make()
    env.reset(seed=1)
    decide = {
        agent: decide_by(DoubleDunkPlay(place, np.random.default_rng(place), SKILLS[level]), spec.names_of(agent), 60)
        for place, agent in enumerate(spec.agents)
    }
    waits, longest = 0, 0
    for _ in range(900):
        seen = read_memory(env)
        waits = waits + 1 if seen[spec.agents[0]][0x07] & 0x80 else 0
        longest = max(longest, waits)
        env.step({agent: decide[agent](seen[agent], None) for agent in spec.agents})
    env.close()
    assert 0 < longest < 90  # a point is lost after 120


def test_near_the_basket_it_jumps_and_lets_go_at_the_top() -> None:
    free = {TALL: (66, 92), OTHER_TALL: (100, 40)}
    assert action(memory(holder=TALL, at=free)) == "down fire"
    in_air = memory(holder=TALL, at=free, x09=0x80)
    assert action(in_air, ticks=20) == "nothing"
    assert action(in_air, ticks=26) == "fire"


def test_a_ball_that_is_not_cleared_is_taken_out_and_not_shot() -> None:
    free = {TALL: (40, 92), OTHER_TALL: (100, 40)}
    assert action(memory(holder=TALL, at=free, x0D=CLEAR_THE_BALL)) == "left"
    assert action(memory(holder=TALL, at=free, x0D=CLEAR_THE_BALL, x09=0x80), ticks=40) == "nothing"


def test_it_goes_round_a_guard_and_stays_in_the_court() -> None:
    assert action(memory(holder=TALL, at={TALL: (60, 50), OTHER_TALL: (64, 58)})) == "up left"
    assert action(memory(holder=TALL, at={TALL: (60, 50), OTHER_TALL: (56, 58)})) == "up right"
    assert action(memory(holder=TALL, at={TALL: (40, 98), OTHER_TALL: (44, 104)})) == "left"


def test_a_guard_jumps_with_the_shooter_if_the_shot_counts() -> None:
    close = {TALL: (60, 84), OTHER_TALL: (60, 80)}
    assert action(memory(holder=OTHER_TALL, at=close, x0A=0x80)) == "fire"
    assert action(memory(holder=OTHER_TALL, at=close, x0A=0x80, x0D=CLEAR_THE_BALL)) != "fire"


def test_a_guard_gets_between_the_ball_and_the_basket() -> None:
    assert action(memory(holder=OTHER_TALL, at={TALL: (40, 90), OTHER_TALL: (60, 50)})) == "down right"
    in_front = memory(holder=OTHER_TALL, at={TALL: (60, 56), OTHER_TALL: (60, 50)})
    assert action(in_front) == "fire"  # a grab at the ball, now and then
    assert action(in_front, ticks=8) == "nothing"


def test_a_bounced_ball_is_jumped_at_when_it_comes_near() -> None:
    at = {TALL: (50, 90), OTHER_TALL: (90, 90)}
    bounces = {"x0B": 0x80, "x02": 0x10, "x2F": 50}
    assert action(memory(holder=OTHER_TALL, at=at, x2E=130, **bounces)) == "fire"
    assert "fire" not in action(memory(holder=OTHER_TALL, at=at, x2E=160, **bounces))
