"""Every algorithm with every policy configuration that it can do, on a small game of each kind: trained for two
iterations, frozen, read back and played."""

import numpy as np
import pytest

from agents.snapshots.store import SnapshotStore
from tests.support.runs import finish, make_run, play
from trainer.config.algorithms import ALGORITHMS
from trainer.config.sections import PolicyKind

GAMES = {
    "parallel": ("mpe/simple_tag_v3", {"num_good": 1, "num_adversaries": 2, "num_obstacles": 0}),
    "turns with masks": ("classic/tictactoe_v3", {}),
    "continuous": ("mpe/simple_spread_v3", {"N": 2, "continuous_actions": True}),
    "pictures": ("butterfly/pistonball_v6", {"n_pistons": 2, "continuous": False}),
    "agents that die": ("butterfly/knights_archers_zombies_v11", {"max_cycles": 60}),
}
KIND_NAMES = PolicyKind.__args__
GAMES_A_RUN = 2


def can(algorithm, kind, game):
    if ALGORITHMS[algorithm].searches and (
        game != "turns with masks" or kind not in ("self_play", "parameter_sharing")
    ):
        return False
    discrete = game != "continuous"
    able = ("Discrete" if discrete else "Box") in ALGORITHMS[algorithm].actions
    return able and (kind != "shared_value_function" or ALGORITHMS[algorithm].central_critic)


ALL = [(a, k, g) for a in ALGORITHMS for k in KIND_NAMES for g in GAMES if can(a, k, g)]


@pytest.mark.parametrize(("algorithm", "kind", "game"), ALL, ids=[" ".join(one) for one in ALL])
def test_it_trains_freezes_and_plays(algorithm, kind, game, tmp_path, ray_cluster):
    id, kwargs = GAMES[game]
    run = make_run(id, settings_of(algorithm, kind, kwargs), tmp_path)
    before = {id: module.get_state() for id, module in run.runner.module.items()}
    before = {id: {name: np.copy(weight) for name, weight in state.items()} for id, state in before.items()}
    finish(run)
    assert run.iteration >= 2
    for policy in run.runner.plan.policies:
        after = run.runner.module[policy.id].get_state()
        assert any(np.abs(after[name] - weight).max() > 0 for name, weight in before[policy.id].items()), policy.id
    play(run.spec, SnapshotStore(tmp_path / "snapshots"), run)


def settings_of(algorithm, kind, kwargs):
    training = {"batch": 64, "minibatch": 32, "lr": 1e-3}
    if algorithm == "PPO":
        training["epochs"] = 1
    if algorithm == "A2C":
        del training["minibatch"]
    if algorithm == "AlphaZero":
        training |= {"simulations": 4, "updates": 2}
    if algorithm in ("DQN", "SAC"):
        training |= {"learning_starts": 32, "capacity": 500, "updates": 1}
    return {
        "algorithm": algorithm, "training": training, "policies": {"kind": kind}, "game_kwargs": kwargs,
        "resources": {"games": GAMES_A_RUN}, "network": {"hidden": [16]}, "wrappers": {"resize": 16},
        "steps": 128, "evaluation": {"steps": 0},
        "freeze": {"save_steps": 128, "at_start": False, "placement_games": 0},
    }  # fmt: skip
