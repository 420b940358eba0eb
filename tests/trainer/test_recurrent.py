"""Recurrent policies: what the learner gets, and that they remember what no other policy can."""

import numpy as np
import pytest

from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.store import SnapshotStore
from tests.support.runs import finish, make_run, play
from tests.support.training_games import score
from trainer.sampling.layouts import advantage_columns, recurrent_columns
from trainer.sampling.rollout import RolloutBuffer

LSTM = {"hidden": [16], "lstm": 16, "sequence": 4}
A2C = {"algorithm": "A2C", "training": {"batch": 512, "lr": 1e-2, "gamma": 1.0, "entropy": 0.0}}
TINY = {
    "training": {"batch": 64, "minibatch": 32},
    "resources": {"games": 4},
    "steps": 192,
    "evaluation": {"steps": 0},
    "freeze": {"save_steps": 128, "placement_games": 0},
}
NORMALISED = {"stack": 3, "normalise": True}
EARLY = TINY["training"] | {"learning_starts": 64, "capacity": 500}
DISCOUNTS = {"gamma": 0.9, "lambda_": 0.8}


def decide(buffer, seat, number):
    """Decision `number` of the seat, with a memory that tells the number before it."""
    rows = {"number": np.array([number]), "memory_h": np.array([[number - 1.0]], np.float32)}
    buffer.decide(np.array([seat]), np.array([0.5], np.float32), rows)
    buffer.reward(np.eye(len(buffer.count), dtype=np.float32)[seat] * number)


def fill(buffer):
    """Seat 0: five decisions, the second ends an episode; seat 2: three, the last one still open."""
    for number in (1, 2):
        decide(buffer, 0, number)
    buffer.end(np.array([0]), truncated=False)
    for number in (3, 4, 5):
        decide(buffer, 0, number)
        decide(buffer, 2, number + 100)


def test_sequences_end_with_their_episodes_and_with_their_length():
    buffer = RolloutBuffer(8, 3)
    fill(buffer)
    rows = recurrent_columns(buffer.close(), sequence=2, **DISCOUNTS)
    # Numbers 5 and 105 are open: they come with the next fragment.
    assert rows["number"].tolist() == [[1, 2], [3, 4], [103, 104]]
    assert rows["memory_h"].tolist() == [[0.0], [2.0], [102.0]]
    assert rows["loss_mask"].all()
    decide(buffer, 1, 7)
    buffer.end(np.array([1]), truncated=False)
    rows = recurrent_columns(buffer.close(), sequence=3, **DISCOUNTS)
    assert rows["number"].tolist() == [[1, 2, 0], [3, 4, 0], [7, 0, 0], [103, 104, 0]]
    assert (rows["loss_mask"] == (rows["number"] > 0)).all()


def test_advantages_in_sequences_are_those_of_rows():
    buffer = RolloutBuffer(8, 3)
    fill(buffer)
    fragment = buffer.close()
    flat = advantage_columns(fragment, **DISCOUNTS)
    rows = recurrent_columns(fragment, sequence=3, **DISCOUNTS)
    real = rows["loss_mask"]
    for name in ("advantages", "value_targets"):
        expected = dict(zip(flat["number"], flat[name], strict=True))
        assert dict(zip(rows["number"][real], rows[name][real], strict=True)) == expected
        assert not rows[name][~real].any()


@pytest.mark.usefixtures("ray_cluster")
def test_only_a_network_that_remembers_learns_what_must_be_remembered():
    def echo(network, **wrappers):
        network = {"hidden": [16], "sequence": 4, **network}
        return score("echo", iterations=16, network=network, wrappers=wrappers)

    assert echo({"lstm": 16}) > 0.9
    assert score("echo", iterations=60, network=LSTM, **A2C) > 0.9
    assert echo({}, stack=4) > 0.9
    assert abs(echo({}, stack=2)) < 0.3
    assert abs(echo({})) < 0.3


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("classic/tictactoe_v3", {"network": LSTM}),
        ("mpe/simple_tag_v3", {"network": LSTM, "policies": {"kind": "shared_value_function"}}),
        (
            "butterfly/pistonball_v6",
            {
                "game_kwargs": {"n_pistons": 2},
                "network": LSTM,
                "wrappers": {"stack": 2},
                "policies": {"kind": "independent", "shared_encoder": True},
            },
        ),
        ("house/volley", {"algorithm": "DQN", "training": EARLY, "wrappers": NORMALISED}),
        ("house/volley", {"algorithm": "SAC", "training": EARLY, "wrappers": NORMALISED}),
        ("house/volley", {"algorithm": "IMPALA", "wrappers": NORMALISED}),
        ("house/volley", {"wrappers": NORMALISED}),
    ],
)
def test_policies_with_a_memory_train_freeze_and_meet_what_they_froze(game, settings, tmp_path, ray_cluster):
    run = make_run(game, {**TINY, **settings}, tmp_path)
    finish(run)
    assert run.iteration >= 3
    for lineage in run.lineages:
        network = run.runner.network(lineage.policy.id)
        frozen = OnnxPolicy(SnapshotStore(tmp_path / "snapshots").get(lineage.parent))
        assert {name.removeprefix("state_in_") for name in frozen.initial_state()} == set(network.memory)
        counts = [part for name, part in network.named_buffers() if name.endswith("moments.count")]
        assert len(counts) == run.config.wrappers.normalise
        assert all(count >= 32 for count in counts)
    play(run.spec, SnapshotStore(tmp_path / "snapshots"), run)
