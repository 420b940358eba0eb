"""Training that starts from moments of recorded matches."""

from __future__ import annotations

import re

import numpy as np
import pytest

import trainer
from agents.policies.random import RandomController
from arcade.games import find_game
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.vector_env import Start, VectorEnv
from arcade.match.play.match import Match
from arcade.match.playback.reader import read_replay
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.match.stage.local import LocalStage
from trainer.algorithms.make import make_algorithm_config
from trainer.config.reading import make_config
from trainer.sampling.runner import SelfPlayRunner

SMALL = {
    "steps": 256, "training": {"batch": 128, "minibatch": 64, "epochs": 1}, "resources": {"games": 8},
    "network": {"hidden": (8,)}, "evaluation": {"steps": 0}, "freeze": {"placement_games": 0},
}  # fmt: skip
GAMES = (
    "house/volley", "classic/connect_four_v3", "classic/tictactoe_v3", "mpe/simple_spread_v3", "mpe/simple_tag_v3",
    "atari/pong_v3",
)  # fmt: skip


def record(folder, game: str, *, ticks: int = 200):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{game.replace('/', '-')}-1.replay"
    with LocalStage(find_game(game).for_matches()) as stage:
        writer = ReplayWriter(path)
        seats = {agent: RandomController() for agent in stage.agents}
        Match(stage, seats, seed=11, max_ticks=ticks, recorders=[writer]).run()
        writer.close()
    return path


def actions_of(env: VectorEnv, envs: list[int], moves):
    """The recorded actions of these envs, as `step` takes them."""
    actions = [group.no_actions() for group in env.groups]
    for env_index, move in zip(envs, moves, strict=True):
        for number, group in enumerate(env.groups):
            for place, agent in enumerate(group.agents):
                if agent in move:
                    actions[number][env_index, place] = move[agent]
    return actions


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("max_ticks", [0, 10_000])  # with a limit it is a RuledVectorEnv
def test_an_env_begins_at_a_moment_and_goes_on_as_recorded(tmp_path, game: str, max_ticks: int) -> None:
    spec, replay = find_game(game).for_matches(), read_replay(record(tmp_path, game, ticks=60))
    ticks = len(replay.actions)
    places = [0, ticks // 3, max(0, ticks - 3)]
    with make_vector_env(spec, 4, max_ticks=max_ticks) as env:
        env.hold([Start(replay.seed, replay.actions[:place]) for place in places])
        env.reset(np.arange(4), np.arange(4))
        for again in range(2):  # the second time from what was kept of the first
            env.reset_at(np.array([3, 1, 2]), np.array([0, 1, 2]))
            here = dict(zip((3, 1, 2), places, strict=True))
            for _ in range(2):
                for index, tick in here.items():
                    acting = {agent for agent, acts in zip(env.agents, env.acting[index], strict=True) if acts}
                    assert acting == set(replay.acting[tick]), (again, tick)
                envs = [index for index, tick in here.items() if tick < ticks]
                running = np.isin(np.arange(4), envs)
                env.acting[~running] = False
                env.step(actions_of(env, envs, [replay.actions[here[index]] for index in envs]))
                for index in envs:
                    here[index] += 1
                    earned = dict(zip(env.agents, env.rewards[index].tolist(), strict=True))
                    recorded = replay.rewards[here[index]]
                    assert {a: r for a, r in earned.items() if r} == pytest.approx(recorded), (again, here[index])


def make_runner(game: str, **starts) -> SelfPlayRunner:
    run = make_config({"game": game, **SMALL, "start_from_recordings": starts})
    spec = find_game(game).for_matches()
    with make_vector_env(spec, 1) as env:
        config = make_algorithm_config(run, spec, env)
    return SelfPlayRunner(config=config, worker_index=0)


def test_a_share_of_the_episodes_sees_what_the_recording_shows_at_its_moment(arcade_home) -> None:
    path = record(arcade_home / "replays", "house/volley")
    runner = make_runner("house/volley", recordings=[f"{path}@150"], ratio=0.5)
    with LocalStage(find_game("house/volley").for_matches()) as stage:
        replay = read_replay(path)
        stage.reset(replay.seed)
        stage.replay(replay.actions[:150])
        seen = stage.wait().observations
    runner.batch.reset(np.arange(8), np.zeros(8, np.int64))
    counts = 0
    for _ in range(40):
        runner._begin(np.arange(8))
        there = [np.array_equal(own[0], seen["left_0"]) for own in runner.batch.groups[0].observations]
        counts += sum(there)
    assert 110 < counts < 210  # of 320
    runner.stop()


def test_a_run_starts_from_recordings_that_it_has_played_again_once(arcade_home, monkeypatch) -> None:
    record(arcade_home / "replays", "house/volley")
    starts = {"recordings": ("latest",), "ratio": 1.0, "earliest": 0.5}
    resets, reset = [], LocalStage.reset
    monkeypatch.setattr(LocalStage, "reset", lambda stage, seed: (resets.append(seed), reset(stage, seed)))
    run = trainer.train(trainer.RunConfig(game="house/volley", start_from_recordings=starts, **SMALL))
    assert run.step == 256
    assert resets == [11]
    assert run.config.start_from_recordings.recordings == ("latest",)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["nosuch"], "no recording named 'nosuch'"),
        (["{path}@9999"], "expected a tick from 0 to 200 of"),
        (["{other}"], "expected recordings of house/volley, got:"),
    ],
)
def test_what_cannot_be_started_from_is_said_before_anything_begins(arcade_home, words, reason: str) -> None:
    path = record(arcade_home / "replays", "house/volley")
    other = record(arcade_home / "replays", "classic/tictactoe_v3")
    named = tuple(word.format(path=path, other=other) for word in words)
    run = trainer.RunConfig(game="house/volley", start_from_recordings={"recordings": named}, **SMALL)
    with pytest.raises(trainer.ConfigError, match=rf"start_from_recordings\.recordings: .*{re.escape(reason)}"):
        trainer.train(run)


def test_moments_between_shares_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(trainer.ConfigError, match=r"earliest: expected at most latest, 0\.2, got: 0\.8"):
        make_config({"game": "house/volley", "start_from_recordings": {"earliest": 0.8, "latest": 0.2}})


def test_a_recording_of_another_play_is_refused(arcade_home) -> None:
    path = record(arcade_home / "replays", "house/volley")
    kwargs = {"points": 1}
    run = trainer.RunConfig(
        game="house/volley", game_kwargs=kwargs, start_from_recordings={"recordings": (str(path),)}, **SMALL
    )
    replay = read_replay(path)
    if not any(replay.rewards):
        pytest.fail("expected a recording with a point")
    with pytest.raises(trainer.ConfigError, match=r"differs at tick|cannot be played"):
        trainer.train(run)
