"""The players of the Atari games: they decide from the console's memory, while recordings have the screen alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import arcade
from agents.policies.random import RandomController
from agents.seats.controller import Controller, SeatChoice
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.games.players.atari.flag_capture import FlagCapturePlay
from arcade.games.players.atari.games import PLAYS
from arcade.games.players.atari.ice_hockey import IceHockeyPlay
from arcade.games.players.atari.joust import JoustPlay
from arcade.games.players.atari.paddles import reflected
from arcade.games.players.atari.play import RAM, SCENE, Memory, Play, decide_by, read_memory, read_scene, screen_of
from arcade.games.players.atari.skill import SKILLS, Skill
from arcade.games.players.atari.tanks import Walls, muzzle
from arcade.games.players.atari.volleyball import Ball, volleyball
from arcade.match.play.lineup import make_controller
from arcade.match.play.match import Match
from arcade.match.play.result import MatchResult, Recorder
from arcade.match.playback.reader import read_observations, read_replay
from arcade.match.playback.verify import verify
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.local import LocalStage
from arcade.match.stage.stage import Stage
from arcade.match.stage.tick import Tick

PONG = "atari/pong_v3"


def seat(stage: Stage, agent: object, level: str) -> Controller:
    store = SnapshotStore("unused")
    return make_controller(SeatChoice("level", level), stage.seat(agent), spec=stage.spec, store=store)


def play(
    stage: Stage, level: str, *, team: int = 0, ticks: int, seed: int = 1, recorders: tuple[Recorder, ...] = ()
) -> MatchResult:  # fmt: skip
    """A match of a team of that level against random moves."""
    spec = stage.spec
    mapping = {
        agent: seat(stage, agent, level) if agent in spec.teams[team] else RandomController() for agent in spec.agents
    }
    return Match(stage, mapping, seed=seed, max_ticks=ticks, recorders=list(recorders)).run()


class Ticks(Recorder):
    def __init__(self) -> None:
        self.seen: list[Tick] = []

    def tick(self, tick: Tick, actions: object, seconds: float) -> None:
        self.seen.append(tick)


def test_every_atari_game_has_levels() -> None:
    for spec in arcade.games():
        if spec.family == "atari":
            assert spec.has_levels
            assert spec.scripted
            assert spec.id in PLAYS


@pytest.mark.parametrize("team", [0, 1])
def test_the_expert_of_pong_beats_random_moves_on_either_side(team: int) -> None:
    with LocalStage(find_game(PONG)) as stage:
        result = play(stage, "expert", team=team, ticks=1500)
    assert result.score[team] >= 4
    assert result.score[1 - team] <= 1


def test_the_expert_of_boxing_hits_the_other() -> None:
    with LocalStage(find_game("atari/boxing_v2")) as stage:
        result = play(stage, "expert", ticks=700)
    assert result.score[0] > result.score[1] + 5


@pytest.mark.parametrize(
    "game",
    [
        "combat_plane_v2",
        "combat_tank_v2",
        "entombed_competitive_v3",
        "ice_hockey_v2",
        "space_war_v2",
        "volleyball_pong_v3",
    ],
)
def test_an_expert_beats_random_moves(game: str) -> None:
    with LocalStage(find_game(f"atari/{game}")) as stage:
        result = play(stage, "expert", ticks=1300)
    assert result.placements["first_0"] < result.placements["second_0"]


def test_experts_of_entombed_lose_no_life_in_2400_ticks() -> None:
    spec = find_game("atari/entombed_competitive_v3")
    with LocalStage(spec) as stage:
        result = Match(
            stage, {agent: seat(stage, agent, "expert") for agent in spec.agents}, seed=1, max_ticks=2400
        ).run()
    assert result.score == [3, 3]  # lives left


@pytest.mark.parametrize("level", SKILLS)
def test_a_rider_of_joust_leaves_the_ground_at_any_pace_of_keys(level: str) -> None:
    spec = find_game("atari/joust_v3")
    env, (rider, other) = spec.make(), spec.agents
    decide = decide_by(JoustPlay(0, np.random.default_rng(1), SKILLS[level]), spec.names_of(rider), 60)
    env.reset(seed=1)
    lines = []
    for _ in range(240):
        memory = read_memory(env)[rider]
        lines.append(memory[0x3C])
        env.step({rider: decide(memory, None), other: 0})
    env.close()
    assert lines[0] == 141  # on the ground
    assert min(lines) < 100  # above both foes


def test_a_player_of_flag_capture_whose_way_is_blocked_goes_elsewhere() -> None:
    play = FlagCapturePlay(0, np.random.default_rng(1), Skill())
    memory = [3] * 128  # it stands on the same square for good
    walks = {play.decide(memory, memory) for _ in range(400)} - {"fire", "nothing"}
    assert len(walks) > 2


class CountingPlay(Play):
    """Decides on the number of the tick."""

    ticks = -1

    def decide(self, now: Memory, seen: Memory) -> str:
        self.ticks += 1
        return str(self.ticks)


@pytest.mark.parametrize("absent", [0.0, 0.3])
def test_keys_stay_as_they_are_while_attention_is_elsewhere(absent: float) -> None:
    ticks = 6000
    play = CountingPlay(0, np.random.default_rng(1), Skill(absent=absent))
    decide = decide_by(play, [str(tick) for tick in range(ticks)], 60)
    late = [tick - decide(np.zeros(128, np.uint8), None) for tick in range(ticks)]
    assert np.mean(np.array(late) > 0) == pytest.approx(absent, abs=0.06)


class SeeingPlay(Play):
    """Decides on what it has seen, which its own memory is compared with."""

    def decide(self, now: Memory, seen: Memory) -> str:
        return str(now[0] - seen[0])


def test_a_player_whose_eyes_are_elsewhere_plays_by_what_it_saw_last() -> None:
    play = SeeingPlay(0, np.random.default_rng(1), Skill(absent=0.3, keeps_on=True))
    decide = decide_by(play, [str(tick) for tick in range(100)], 60)
    late = [decide(np.array([tick]), None) for tick in range(6000)]
    assert max(late) == 24  # the ticks of a lapse
    assert np.mean(np.array(late) > 0) == pytest.approx(0.3, abs=0.06)


def test_a_player_that_sees_the_picture_gets_both() -> None:
    with LocalStage(find_game("atari/maze_craze_v3")) as stage:
        ticks = Ticks()
        play(stage, "easy", ticks=5, recorders=(ticks,))
    scene = ticks.seen[-1].seen("first_0", SCENE)
    assert scene.shape == (128 + 250 * 160,)
    assert ticks.seen[-1].seen("first_0").shape == (250, 160, 3)


@pytest.mark.parametrize("turns", [1, 3, 4, 6])
def test_a_shell_of_a_tank_flies_off_the_walls_as_expected(turns: int) -> None:
    spec = find_game("atari/combat_tank_v2")
    env, (tank, other) = spec.make(), spec.agents
    keys = spec.names_of(tank)
    env.reset(seed=1)
    for _ in range(15 * turns):  # ticks of a turn
        env.step({tank: keys.index("left"), other: 0})
    scene = read_scene(env)[tank]
    expected = Walls(screen_of(scene)).way(muzzle(scene, 0), int(scene[0x15]) % 16)
    lines = []
    for _ in range(100):
        env.step({tank: keys.index("fire"), other: 0})
        lines.append(read_memory(env)[tank][0x26])
    env.close()
    has_bounced = expected[:100, 0] > 0
    assert has_bounced.sum() > 60  # ticks
    assert (expected[:100, 1] == lines)[has_bounced].all()


def test_the_ball_of_volleyball_flies_as_expected() -> None:
    spec = find_game("atari/volleyball_pong_v3")
    env = spec.make()
    env.reset(seed=1)
    balls = []
    while not balls or balls[-1].y < 170:  # over the heads of the lower figures
        env.step(dict.fromkeys(spec.agents, 0))
        memory = read_memory(env)[spec.agents[0]].tolist()
        balls += [Ball.of(memory)] if memory[0x36] else []
    env.close()
    assert len(balls) > 15
    assert [ball.later() for ball in balls[:-1]] == balls[1:]
    assert Ball(60, 130, -2, 1.0).later().later().later() == Ball(59, 133.38671875, 2, 1.38671875), "off the left wall"


@pytest.mark.parametrize(("column", "across", "key"), [
    (125, 0, "right"), (187, 0, "left"),  # it comes down at 160
    (155, 1, "right"), (155, -1, "left"),
])  # fmt: skip
def test_a_figure_of_volleyball_goes_where_the_ball_comes_down(column: int, across: int, key: str) -> None:
    play = volleyball(0, np.random.default_rng(1), Skill())
    memory = [0] * 128
    memory[0x2E], memory[0x2D], memory[0x31], memory[0x36], memory[0x3A] = column, 80, 160, 130, -across % 256
    assert play.decide(memory, memory) == key


@pytest.mark.parametrize(("keeper", "shoots"), [(85, False), (60, True)])
def test_a_player_of_ice_hockey_shoots_past_the_keeper(keeper: int, shoots: bool) -> None:
    memory = [0] * 128
    memory[0x34], memory[0x33] = 89, 30  # the puck, straight before the goal
    memory[0x5A], memory[0x6E] = 2, 50  # on the middle of Blue's stick
    for index, (x, y) in enumerate([(80, 133), (100, 100), (75, 30), (keeper, 12)]):
        memory[0x39 + index], memory[0x35 + index] = x, y
    play = IceHockeyPlay(0, np.random.default_rng(1), Skill())
    assert ("fire" in play.decide(memory, memory)) is shoots


@pytest.mark.parametrize("hosted", [False, True])
def test_the_memory_travels_only_where_a_seat_decides_from_it(hosted: bool) -> None:
    spec = find_game(PONG)
    with HostedStage(spec, render=False) if hosted else LocalStage(spec) as stage:
        if isinstance(stage, HostedStage):
            stage.wait_ready()
        ticks = Ticks()
        play(stage, "hard", ticks=20, recorders=(ticks,))
        assert all(tick.seen("first_0", RAM).shape == (128,) for tick in ticks.seen)
        assert all(tick.seen("first_0").shape == (210, 160, 3) for tick in ticks.seen)
        plain = Ticks()
        mapping = {agent: RandomController() for agent in spec.agents}
        Match(stage, dict(mapping), seed=1, max_ticks=20, recorders=[plain]).run()
        assert not any(tick.other_observations for tick in plain.seen)
        assert plain.seen[0].seen("first_0", RAM) is None


def test_a_recording_has_the_screen_and_verifies(tmp_path: Path) -> None:
    with LocalStage(find_game(PONG)) as stage:
        writer = ReplayWriter(tmp_path / "a.replay")
        result = play(stage, "expert", ticks=90, recorders=(writer,))
        writer.close()
    replay = read_replay(writer.path)
    assert verify(replay).ok
    assert result.ticks == len(replay.actions) == 90
    for _, seen in read_observations(writer.path):
        assert {value.shape for value in seen.values()} == {(210, 160, 3)}


def test_the_same_seed_plays_the_same_match() -> None:
    with LocalStage(find_game("atari/boxing_v2")) as stage:
        one, two = (play(stage, "normal", ticks=400) for _ in range(2))
    assert one.returns == two.returns


def test_a_level_takes_a_seat_in_mid_match() -> None:
    with LocalStage(find_game(PONG)) as stage:
        match = Match(stage, {agent: RandomController() for agent in stage.agents}, seed=1, max_ticks=200)
        match.start()
        while match.tick is None or match.tick.index < 5:
            match.advance(0.0)
        match.replace("second_0", seat(stage, "second_0", "expert"))
        while not match.over:
            match.advance(0.0)
        assert match.result is not None
        assert not match.result.error
        assert match.result.late["second_0"] == 0
        assert match.tick.seen("second_0", RAM) is not None


def test_a_ball_is_expected_behind_the_walls() -> None:
    places = [reflected(place, 10, 20) for place in (10, 15, 20, 22, 30, 32, 5)]
    assert np.allclose(places, [10, 15, 20, 18, 10, 12, 15])
