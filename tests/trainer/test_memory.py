"""Settings that no machine can hold are refused before anything is started."""

from __future__ import annotations

import pytest

from arcade.games import find_game
from arcade.match.batch.make import make_vector_env
from trainer.command import main
from trainer.config import ConfigError
from trainer.config.reading import make_config
from trainer.runs.memory import check_memory, estimate
from trainer.sampling.plan import make_plan

GIGABYTE = 2**30


def estimated(game, settings):
    run = make_config({"game": game} | settings)
    with make_vector_env(find_game(game), 1) as env:
        plan = make_plan(run.policies, env, league=False)
        parts = estimate(run, env, plan)
        check_memory(run, env, plan, there=2 * sum(parts.values()))
        with pytest.raises(ConfigError, match="settings that fit into the"):
            check_memory(run, env, plan, there=sum(parts.values()) // 2)
    return parts


def test_the_defaults_fit_into_a_small_laptop():
    assert sum(estimated("house/volley", {}).values()) < 2 * GIGABYTE


@pytest.mark.parametrize(
    ("settings", "largest"),
    [
        ({"network": {"hidden": [8192] * 4}}, "network"),
        ({"training": {"batch": 2**24, "minibatch": 4096}}, "training.batch"),
        ({"network": {"hidden": [512] * 4}, "training": {"batch": 2**22, "minibatch": 2**22}}, "training.minibatch"),
        ({"resources": {"games": 16, "runners": 1024}}, "processes"),
        ({"algorithm": "DQN", "training": {"capacity": 10**9}}, "training.capacity"),
    ],
)
def test_the_setting_that_needs_most_is_named(settings, largest):
    parts = estimated("house/volley", settings)
    assert max(parts, key=parts.get) == largest
    assert parts[largest] > 4 * GIGABYTE


@pytest.mark.parametrize("how", [["--dry-run"], []])
def test_a_run_that_cannot_fit_is_refused_before_it_starts(how, arcade_home, capsys):
    words = ["--set", "algorithm=DQN", "--set", "training.capacity=1000000000"]
    assert main(["house/volley", *words, *how]) == 2
    said = capsys.readouterr().err
    assert "of memory of this machine, got: about" in said
    assert "training.capacity" in said


@pytest.mark.parametrize(
    "setting",
    ["training.batch=1000000000000", "training.lr=inf", "steps=99999999999999999999", "network.hidden=[99999]",
     "wrappers.reward_scale=inf", "evaluation.games=1000000000", "checkpoints.keep_last=99999999"],
)  # fmt: skip
def test_numbers_that_nothing_can_hold_are_refused(setting, arcade_home, capsys):
    assert main(["house/volley", "--set", setting, "--dry-run"]) == 2
    assert setting.partition("=")[0] in capsys.readouterr().err


@pytest.mark.parametrize("run", ["..", ".", "con", "aux.1", "a."])
def test_a_run_is_named_so_that_every_system_takes_it(run, arcade_home, capsys):
    assert main(["house/volley", "--run", run, "--dry-run"]) == 2
    assert "expected a name that every system takes" in capsys.readouterr().err
