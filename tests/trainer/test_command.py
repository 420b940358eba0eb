"""The command line before anything is started: what cannot be is said by its field's name, what will be is shown."""

import json

import pytest

from arcade.games import find_game
from trainer.command import main
from trainer.config import ConfigError
from trainer.config.reading import make_config, write_config
from trainer.runs.checks import apply_kwargs, check_resources

TAG = "mpe/simple_tag_v3"


def refused(words, capsys, *, status=2):
    assert main(words) == status
    return capsys.readouterr().err


def test_a_dry_run_shows_what_would_be_and_leaves_nothing_behind(arcade_home, capsys):
    words = ["house/volley", "--run", "dry", "--set", "training.lr=1e-4", "--set", "policies.kind=teams", "--dry-run"]
    assert main(words) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["config"]["training"]["lr"] == shown["rllib"]["lr"] == 1e-4
    assert shown["rllib"]["_train_batch_size_per_learner"] == shown["config"]["training"]["batch"] == 16384
    assert shown["rllib"]["env_runner_cls"] == "trainer.sampling.runner.SelfPlayRunner"
    assert shown["policies"]["left"]["agents"] == ["left_0"]
    assert shown["policies"]["left"]["action_space"] == "Discrete(6)"
    assert not (arcade_home / "runs/dry").exists()
    assert make_config(shown["config"]).training.lr == 1e-4


@pytest.mark.parametrize(
    ("game", "words", "message"),
    [
        ("mpe/simple_spread_v3", ["game_kwargs.continuous_actions=true", "algorithm=DQN"],
         "algorithm: expected Discrete actions for DQN"),
        ("house/volley", ["policies.mapping.middle_0=a"], "policies.mapping: expected agents among left_0, right_0"),
        (TAG, ["policies.mapping.agent_0=a", "policies.mapping.adversary_0=a"],
         "policies.mapping: expected agents with equal spaces in policy 'a'"),
        ("house/volley", ["policies.train=other"], "policies.train: expected policies among main, got: 'other'"),
        (TAG, ["opponents.league=yes"], "opponents.league: expected a game of two teams or more with one policy"),
        ("mpe/simple_push_v3", ["opponents.fixed=scripted"],
         "opponents.fixed: expected an opponent that mpe/simple_push_v3 has"),
        ("mpe/simple_spread_v3", ["opponents.partner_ratio=0.6", "opponents.fixed=random", "opponents.fixed_ratio=0.5",
                                "opponents.play_against_latest_model_ratio=0.1"],
         "opponents.partner_ratio: expected partner_ratio + fixed_ratio <= 1 in a game of one team"),
        ("house/volley", ["opponents.partner_ratio=0.1"], "opponents.partner_ratio: expected 0 in a game whose teams"),
        ("classic/connect_four_v3", ["wrappers.frame_skip=2"], "wrappers.frame_skip: expected 1 in a game of turns"),
        ("classic/connect_four_v3", ["wrappers.sticky_actions=0.1"], "wrappers.sticky_actions: expected 0 in a game"),
        ("butterfly/pistonball_v6", ["wrappers.normalise=yes"], "wrappers.normalise: expected no in a game"),
        ("house/volley", ["policies.kind=shared_value_function", "algorithm=DQN"], "policies.kind: expected one"),
        ("house/volley", ["network.lstm=8", "algorithm=SAC"], "network.lstm: expected 0 with SAC, got: 8; PPO"),
        ("house/volley", ["checkpoints.best_by=luck"], "checkpoints.best_by: expected one of score, win_rate"),
        ("house/volley", ["game_kwargs.players=3"], "game_kwargs: expected what arcade.games.house"),
        ("house/volley", ["resources.runners=64", "resources.cpus_per_runner=64"],
         "resources.cpus_per_runner: expected at most"),
        ("house/volley", ["resources.gpus_per_learner=64"], "resources.gpus_per_learner: expected at most"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("how", ["--dry-run", "--steps=1"])
def test_what_the_game_or_the_machine_cannot_do_is_said_before_anything_starts(
    how, game, words, message, arcade_home, capsys
):
    said = refused([game, how, *(part for word in words for part in ("--set", word))], capsys)
    assert message in said
    assert not list(arcade_home.glob("runs/*"))


def test_all_that_contradicts_the_game_is_said_at_once(arcade_home, capsys):
    said = refused(
        ["house/volley", "--set", "start_from=nobody", "--set", "opponents.fixed=snapshot:no"], capsys, status=3
    )
    assert [line.partition(":")[0] for line in said.splitlines()] == ["opponents.fixed", "start_from"]


def test_settings_of_the_game_change_its_agents():
    run = make_config({"game": "mpe/simple_spread_v3", "game_kwargs": {"N": 100}})
    spec = apply_kwargs(run, find_game(run.game))
    assert (len(spec.agents), [len(team) for team in spec.teams]) == (100, [100])


def test_a_cluster_may_have_what_this_machine_has_not():
    run = make_config({"game": "house/volley", "resources": {"learners": 2, "gpus_per_learner": 1, "runners": 8}})
    check_resources(run, {"CPU": 10, "GPU": 2})
    with pytest.raises(ConfigError, match=r"gpus_per_learner: expected at most 1 graphics cards of the cluster at x"):
        check_resources(run, {"CPU": 10, "GPU": 1}, where="the cluster at x")
    with pytest.raises(
        ConfigError, match=r"cpus_per_runner: expected at most 9 .* for 8 runners x 1 and 2 learners x 1"
    ):
        check_resources(run, {"CPU": 9, "GPU": 2})
    with pytest.raises(
        ConfigError, match=r"tune\.parallel: expected at most 10 runs at a time on this machine, got: 11"
    ):
        check_resources(run, {"CPU": 10, "GPU": 2}, trials=11)


@pytest.fixture
def old_run(arcade_home):
    folder = arcade_home / "runs/old"
    folder.mkdir(parents=True)
    settings = {"game": "house/volley", "run": "old", "policies": {"mapping": {"left_0": "a"}}}
    write_config(folder / "config.toml", make_config(settings))
    return folder


def test_a_run_that_goes_on_keeps_what_it_was_made_with(old_run, capsys):
    words = ["network.hidden=8", "policies.mapping.left_0=b", "seed=4", "opponents.league=no"]
    said = refused(["--resume", "old", *(part for word in words for part in ("--set", word))], capsys)
    assert "network.hidden: expected [64, 64] as in the run old, got: [8]" in said
    assert "policies.mapping.left_0: expected 'a'" in said
    assert sorted(line.partition(":")[0] for line in said.splitlines()) == [
        "network.hidden", "policies.mapping.left_0", "seed",
    ]  # fmt: skip


def test_a_run_that_goes_on_keeps_its_algorithm(old_run, capsys):
    said = refused(["--resume", "old", "--set", "algorithm=A2C"], capsys)
    assert said.startswith("algorithm: expected 'PPO' as in the run old, got: 'A2C'")


def test_a_run_that_goes_on_may_change_how_far_and_where(old_run, capsys):
    words = ["steps=7", "training.lr=1e-5", "opponents.window=3", "checkpoints.keep_last=9", "resources.games=16"]
    assert main(["--resume", "old", "--dry-run", *(part for word in words for part in ("--set", word))]) == 0
    config = json.loads(capsys.readouterr().out)["config"]
    assert (config["steps"], config["training"]["lr"], config["opponents"]["window"]) == (7, 1e-5, 3)


def test_a_run_of_the_first_version_is_told_from_others(arcade_home, capsys):
    folder = arcade_home / "runs/first"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('game = "house/volley"\nrun = "first"\n[ppo]\nlr = 1e-3\n')
    assert "expected a run of this version, got 'first' of 0.1.0" in refused(["--resume", "first"], capsys)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["house/volley", "--set", "training.lr=fast"], "training.lr: expected a number, got: 'fast'"),
        (["--resume", "old", "house/volley"], "with no game"),
        (["house/volley", "--run", "old"], "resume it with: --resume old"),
        (["house/volley", "--from-best"], "--from-best with --resume"),
        (["--schema", "TD3"], "expected an algorithm of PPO, A2C"),
        ([], "expected a game"),
    ],
)
def test_a_wrong_command_says_what_would_be_right(words, message, old_run, capsys):
    assert message in refused(words, capsys)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["house/voley"], "house/volley"),
        (["--resume", "nobody"], "nobody"),
        (["house/volley", "--config", "none.toml"], "none.toml"),
        (["house/volley", "--from", "nobody"], "start_from: expected the name of a snapshot, got: 'nobody'"),
        (["house/volley", "--dry-run", "--from", "nobody"], "start_from: expected the name of a snapshot"),
        (
            ["house/volley", "--set", "opponents.fixed=snapshot:nobody", "--set", "opponents.fixed_ratio=0.1"],
            "opponents.fixed: expected the name",
        ),
        (
            [
                "mpe/simple_spread_v3",
                "--set",
                "opponents.partners=snapshot:nobody",
                "--set",
                "opponents.partner_ratio=0.1",
            ],
            "opponents.partners: expected the name",
        ),
        (
            [
                "house/volley",
                "--set",
                "start_from_recordings.ratio=0.3",
                "--set",
                'start_from_recordings.recordings=["nobody"]',
            ],
            "no recording named 'nobody'",
        ),
    ],
)
def test_a_name_that_is_not_found_has_a_status_of_its_own(words, message, old_run, capsys):
    assert message in refused(words, capsys, status=3)


@pytest.mark.parametrize("how", ["--dry-run", "--steps=1"])
def test_a_module_that_is_not_installed_has_a_status_of_its_own(how, arcade_home, capsys):
    words = ["house/volley", how, "--set", "opponents.fixed=python:nothing:play"]
    assert "opponents.fixed: expected to import 'nothing'" in refused(words, capsys, status=4)


def test_a_name_that_is_not_found_beside_a_wrong_setting_is_a_wrong_command(arcade_home, capsys):
    said = refused(["house/volley", "--from", "nobody", "--set", "opponents.partner_ratio=0.1"], capsys)
    assert sorted(line.partition(":")[0] for line in said.splitlines()) == ["opponents.partner_ratio", "start_from"]
