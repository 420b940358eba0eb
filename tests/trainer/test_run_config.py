"""Settings: what is typed is checked, and an error names the field."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arcade.games import find_game, games
from trainer.config import ConfigError
from trainer.config.algorithms.replay import DQNSettings
from trainer.config.presets import FAMILIES, GAMES
from trainer.config.reading import make_config, read_config, with_sizes, write_config
from trainer.runs.choice import complete

WORDS = [
    "training.lr=1e-4", "network.hidden=32,16", "seed=5", "freeze.at_start=no", "policies.mapping.left_0=a",
    "policies.mapping.agent.1=b", "game_kwargs.team_size=2", "opponents.play_against_latest_model_ratio=0.25",
    "training.lambda=0.9", 'opponents.fixed=["scripted", "snapshot:first"]', "policies.train=a, b",
]  # fmt: skip


@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_overrides_reach_their_field_with_its_type_and_a_file_keeps_them(suffix, tmp_path):
    config = make_config({"game": "house/volley"}, WORDS)
    assert (config.training.lr, config.network.hidden, config.seed, config.freeze.at_start) == (
        1e-4,
        (32, 16),
        5,
        False,
    )
    assert config.policies.mapping == {"left_0": "a", "agent.1": "b"}
    assert config.policies.train == ("a", "b")
    assert config.game_kwargs == {"team_size": 2}
    assert (config.opponents.play_against_latest_model_ratio, config.training.lambda_) == (0.25, 0.9)
    assert config.opponents.fixed == ("scripted", "snapshot:first")
    path = tmp_path / f"config{suffix}"
    if suffix == ".toml":
        write_config(path, config)
    else:
        path.write_text(json.dumps(config.model_dump(mode="json")))
    assert make_config(read_config(path)) == config


def test_the_algorithm_types_the_section_training_wherever_it_stands():
    config = make_config({"game": "house/volley"}, ["training.epsilon=0.9,0.1", "algorithm=DQN"])
    assert config.training.epsilon == (0.9, 0.1)
    assert config.training.minibatch == 256


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["training.lr=fast"], r"training\.lr: expected a number, got: 'fast'"),
        (["training.lr=0"], r"training\.lr: expected a number > 0, got: '0'"),
        (["training.clipp=1"], r"training\.clipp: expected clip or another of lr, gamma.*got: 'clipp'"),
        (["training.epsilon=1,0"], r"training\.epsilon: expected a setting of PPO \(this one is of DQN\)"),
        (["traning.lr=1"], r"traning: expected training or another of format, game"),
        (["training.minibatch=99999"], r"training\.minibatch: .* training\.batch = 16384, got: 99999"),
        (["resources.games=20000"], r"resources\.games: expected games x runners <= training\.batch"),
        (["resources.overlap=yes"], r"resources\.overlap: needs resources\.runners >= 1"),
        (["resources.games=some"], r"resources\.games: expected a whole number, got: 'some'"),
        (["opponents.play_against_latest_model_ratio=0.9"], r"opponents\.fixed_ratio: .* <= 1, got: 0\.9 \+ 0"),
        (["opponents.fixed="], r"opponents\.fixed: .* needs some"),
        (["opponents.fixed=keyboard"], r"opponents\.fixed: expected an opponent such as scripted.*'keyboard'"),
        (["opponents.fixed=random?noise=0.5"], r"opponents\.fixed: expected an opponent such as scripted.*noise"),
        (["evaluation.against=strongest"], r"evaluation\.against: expected a seat like"),
        (["opponents.league=yes", "opponents.newest_ratio=0.9"], r"opponents\.newest_ratio: 0\.9 has no effect"),
        (["opponents.league=yes", "opponents.weighting=nash"], r"opponents\.weighting: nash has no effect in a league"),
        (["policies.kind=teams", "opponents.league=yes"], r"opponents\.league: needs policies\.kind = self_play"),
        (["policies.kind=none"], r"policies\.kind: expected self_play \| parameter_sharing"),
        (["algorithm=TD3"], r"algorithm: expected PPO \| A2C"),
        (["lr"], "KEY=VALUE"),
        (["seed.x=1"], "section"),
        (["network.hidden=[1"], r"network\.hidden: expected JSON"),
        (["freeze.at_start=perhaps"], r"freeze\.at_start: expected yes or no"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_named(words, message):
    given = {"game": "house/volley", "seed": 1, "opponents": {"fixed": ["scripted"], "fixed_ratio": 0.2}}
    with pytest.raises(ConfigError, match=message):
        make_config(given, words)


def test_all_that_is_wrong_is_told_at_once():
    with pytest.raises(ConfigError, match=r"(?s)seed.*training\.lr") as caught:
        make_config({"game": "house/volley"}, ["training.lr=-1", "seed=-1"])
    assert len(str(caught.value).splitlines()) == 2


@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "APPO", "IMPALA", "DQN", "SAC", "AlphaZero"])
@pytest.mark.parametrize("game", ["house/volley", "classic/connect_four_v3"])
@pytest.mark.parametrize("more", [[], ["training.batch=64"], ["resources.runners=4"]])
def test_sizes_that_nobody_names_suit_the_game_and_one_another(algorithm, game, more):
    from trainer.config.reading import override

    given = override({"game": game, "algorithm": algorithm}, more)
    config = make_config(with_sizes(given, find_game(game)))
    assert config.resources.games * max(1, config.resources.runners) <= config.training.batch
    if more == ["training.batch=64"]:
        assert config.training.batch == 64


def sized(game, **settings):
    return make_config(with_sizes(settings | {"game": game}, find_game(game)))


def test_dqn_explores_as_long_in_each_game_however_many_are_played_side_by_side():
    many = sized("house/volley", algorithm="DQN")
    few = sized("house/volley", algorithm="DQN", resources={"games": 8})
    single = sized("atari/pong_v3", algorithm="DQN")
    two = sized("house/volley", algorithm="DQN", resources={"games": 128, "runners": 2})
    assert [run.resources.games for run in (many, few, single, two)] == [256, 8, 32, 128]
    for run, side_by_side in ((many, 256), (few, 8), (single, 32), (two, 256)):
        training = run.training
        assert run.ticks >= 4
        assert training.epsilon_steps / side_by_side >= 1000
        assert training.capacity / side_by_side >= 1000
        assert training.learning_starts / side_by_side >= 32
        assert training.target_every / side_by_side >= 16
        assert training.updates * training.minibatch / training.batch == 2, "each decision is learnt from as often"
    assert few.training.model_dump() == DQNSettings().model_dump()
    short = sized("house/volley", algorithm="DQN", steps=100_000).training
    assert short.epsilon_steps == 50_000, "a short run explores in its first half"


def test_what_a_run_of_dqn_or_sac_sets_stays_and_the_rest_follows_it():
    own = sized("house/volley", algorithm="DQN", training={"batch": 512, "minibatch": 512, "epsilon_steps": 9})
    assert (own.resources.games, own.training.updates, own.training.epsilon_steps) == (128, 2, 9)
    soft = sized("house/volley", algorithm="SAC").training
    assert soft.updates * soft.minibatch / soft.batch == 8
    assert (soft.target_every, soft.capacity) == (0, 256_000)


def test_a_file_that_is_none_is_named(tmp_path):
    broken = tmp_path / "broken.toml"
    broken.write_text("seed = ")
    for path in (broken, tmp_path / "none.json"):
        with pytest.raises(ConfigError, match=rf"TOML or JSON file of settings at .*{path.name}"):
            read_config(path)
    with pytest.raises(ConfigError, match=r"^expected a TOML or JSON file of settings at /dev/zero, got: no"):
        read_config(Path("/dev/zero"))


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("lr=1e-3", "lr: expected training.lr, got"),
        ("games=8", "games: expected resources.games or evaluation.games, got"),
        ("network.hidden=[]", "network.hidden: expected 1 or more valid values, got"),
        ("network.hidden=[8,8,8,8,8]", "network.hidden: expected 4 values at most, got"),
    ],
)
def test_what_is_wrong_is_said_with_what_was_meant(word, message):
    with pytest.raises(ConfigError, match=re.escape(message)):
        make_config({"game": "house/volley", "run": "r"}, [word])


def test_a_reader_that_has_seen_enough_of_the_schema_is_no_error():
    trainer = subprocess.Popen(
        [sys.executable, "-m", "trainer", "--schema", "PPO"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    trainer.stdout.close()
    assert (trainer.stderr.read(), trainer.wait()) == ("", 0)
    trainer.stderr.close()


def completed(game, **settings):
    return make_config(complete(settings, find_game(game)))


def test_a_run_without_settings_has_the_preset_of_its_game():
    four, pong = completed("classic/connect_four_v3"), completed("atari/pong_v3")
    assert (four.training.batch, four.training.minibatch) == (4096, 512)
    assert (pong.wrappers.frame_skip, pong.wrappers.stack, pong.training.clip) == (4, 4, 0.1)
    assert completed("house/volley").wrappers.frame_skip == 1


def test_a_run_of_a_game_with_parameters_has_a_plain_name():
    assert re.fullmatch(r"kuhn_poker-players-3-\d{8}-\d{6}", completed("openspiel/kuhn_poker(players=3)").run)


def test_what_a_run_sets_goes_before_the_preset():
    pong = completed("atari/pong_v3", wrappers={"stack": 2}, training={"lr": 0.5, "batch": 640})
    assert (pong.wrappers.frame_skip, pong.wrappers.stack, pong.training.lr, pong.training.batch) == (4, 2, 0.5, 640)
    assert pong.training.minibatch <= 640
    assert completed("atari/pong_v3", algorithm="DQN").training.lr == DQNSettings().lr


def test_the_presets_are_of_games_that_there_are_and_take_them():
    for game in (*GAMES, *(spec.id for spec in games() if spec.family in FAMILIES)):
        completed(game)


@pytest.mark.parametrize(
    ("settings", "cores", "expected"),
    [
        ({}, 4, (1, True)), ({}, 2, (0, False)), ({"resources": {"games": 8}}, 3, (1, True)),
        ({"resources": {"runners": 0}}, 4, (0, False)), ({"resources": {"runners": 2}}, 4, (2, False)),
        ({"resources": {"ray_address": "auto"}}, 4, (0, False)), ({"algorithm": "DQN"}, 4, (0, False)),
        ({"algorithm": "IMPALA"}, 4, (0, False)), ({"algorithm": "A2C"}, 4, (1, True)),
    ],
)  # fmt: skip
def test_a_free_core_plays_while_the_learner_works(settings, cores, expected, monkeypatch):
    monkeypatch.setattr("trainer.runs.choice.cores", lambda: cores)
    resources = completed("house/volley", **settings).resources
    assert (resources.runners, resources.overlap) == expected
