"""A reset exploiter has nothing left of what it learnt: critics, targets, temperature, replayed rows."""

import numpy as np
import pytest

from tests.support.runs import close, make_run
from trainer.algorithms.alphazero import NewestRows
from trainer.runs.first_weights import load_first_weights, reset_policy

SIZES = {"batch": 64, "minibatch": 32, "learning_starts": 64, "updates": 4, "lr": 1e-2, "target_every": 64}


def weights(run, policy):
    state = run.algorithm.learner_group._learner.module[policy].get_state()
    return {name: np.array(array) for name, array in state.items()}


def differences(one, other):
    return {name for name, array in one.items() if np.abs(array - other[name]).max() > 1e-6}


@pytest.mark.parametrize(("algorithm", "part"), [("DQN", "target."), ("SAC", "target_qf_twin.")])
def test_nothing_of_an_exploiter_is_left(algorithm, part, tmp_path, ray_cluster):
    settings = {
        "algorithm": algorithm, "training": SIZES, "resources": {"games": 8}, "network": {"hidden": [16]},
        "opponents": {"league": True}, "evaluation": {"steps": 0}, "freeze": {"at_start": False, "save_steps": 0},
    }  # fmt: skip
    run = make_run("house/volley", settings, tmp_path)
    try:
        first, main_first = weights(run, "main_exploiter"), weights(run, "main")
        for _ in range(40):
            run._iterate()
        learnt, main = weights(run, "main_exploiter"), weights(run, "main")
        assert any(name.startswith(part) for name in differences(first, learnt))
        reset_policy(run.algorithm, "main_exploiter", load_first_weights(run.folder.path, "main_exploiter"))
        assert differences(first, weights(run, "main_exploiter")) == set()
        assert differences(main, weights(run, "main")) == set()
        assert differences(main_first, main)
        rows = run.algorithm.local_replay_buffer.sample(num_items=8)[0].columns
        assert "main" in rows
        assert "main_exploiter" not in rows
        if algorithm == "SAC":
            alphas = run.algorithm.learner_group._learner.curr_log_alpha
            assert float(alphas["main_exploiter"].exp()) == pytest.approx(run.config.training.initial_alpha)
        run._iterate()
    finally:
        close(run)


def test_no_earlier_decision_of_an_exploiter_is_learnt_from_again(tmp_path, ray_cluster, monkeypatch):
    settings = {
        "algorithm": "AlphaZero", "training": {"batch": 32, "minibatch": 8, "simulations": 2, "updates": 1},
        "resources": {"games": 4}, "network": {"hidden": [8]}, "opponents": {"league": True},
        "evaluation": {"steps": 0}, "freeze": {"at_start": False, "placement_games": 0},
    }  # fmt: skip
    added = {}

    def drawn(connector, policy, rows):
        found = draw(connector, policy, rows)
        added.setdefault(policy, []).append((len(rows["obs"]), len(connector._rings[policy])))
        return found

    draw = NewestRows.draw
    monkeypatch.setattr(NewestRows, "draw", drawn)
    run = make_run("classic/tictactoe_v3", settings, tmp_path)
    try:
        for _ in range(6):
            run._iterate()
        reset_policy(run.algorithm, "main_exploiter", load_first_weights(run.folder.path, "main_exploiter"))
        before = {policy: len(own) for policy, own in added.items()}
        while len(added["main_exploiter"]) == before["main_exploiter"] or len(added["main"]) == before["main"]:
            run._iterate()
        new, kept = added["main_exploiter"][before["main_exploiter"]]
        assert new == kept
        new, kept = added["main"][before["main"]]
        assert new < kept
    finally:
        close(run)
