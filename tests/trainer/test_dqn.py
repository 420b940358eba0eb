"""DQN: what it tries out, what it values, and that it learns."""

import numpy as np
import pytest
import torch
from gymnasium import spaces
from ray.rllib.algorithms.dqn.dqn_learner import QF_NEXT_PREDS, QF_PREDS, QF_TARGET_NEXT_PREDS

from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.store import SnapshotStore
from tests.support.training_games import echo_env, small_spec
from trainer.algorithms.make import make_algorithm
from trainer.config.reading import make_config
from trainer.league.export import Freezer
from trainer.networks.replay_modules import QModule
from trainer.networks.seat import ILLEGAL, decide
from trainer.runs.checkpoint import CheckpointFolder, restore_algorithm

BOARD = spaces.Box(0, 1, (3, 2), np.int8)
RNG = np.random.default_rng(4)


def run_of(**settings):
    return make_config({"game": "test/echo", "algorithm": "DQN", "network": {"hidden": [16, 8]}, **settings})


def make_module(actions=5, **settings):
    torch.manual_seed(1)
    module = QModule(
        observation_space=BOARD,
        action_space=spaces.Discrete(actions, start=2),
        model_config={"run": run_of(**settings).model_dump(mode="json")},
    )
    with torch.no_grad():
        for weight in module.network.parameters():
            weight.add_(0.3 * torch.randn(weight.shape))
    module.make_target_networks()
    return module


def seen_and_masks(rows, actions=5):
    masks = (RNG.random((rows, actions)) < 0.5).astype(np.int8)
    masks[np.arange(rows), RNG.integers(actions, size=rows)] = 1
    return RNG.integers(2, size=(rows, 3, 2)).astype(np.int8), masks


def test_it_tries_out_as_often_as_its_schedule_says_and_never_what_is_illegal():
    module = make_module(training={"epsilon": [0.8, 0.2], "epsilon_steps": 1000})
    seen, masks = seen_and_masks(20_000)
    distribution, decision = module.network.distribution, decide(module.network, seen, masks, {})
    best = distribution.play(decision.inputs, RNG)
    assert masks[np.arange(len(best)), best].all()
    for steps, share in ((0, 0.8), (500, 0.5), (1000, 0.2), (9999, 0.2)):
        module.anneal(steps)
        actions, logp = distribution.sample(decision.inputs, RNG)
        assert masks[np.arange(len(best)), actions].all()
        chance = share / masks.sum(axis=1) + (1 - share) * (actions == best)
        assert np.exp(logp) == pytest.approx(chance, rel=1e-5)
        expected = float(np.mean(share / masks.sum(axis=1) + 1 - share))
        assert np.mean(actions == best) == pytest.approx(expected, abs=0.02)
    assert set(np.unique(distribution.to_env(actions))) == {2, 3, 4, 5, 6}


def test_heads_duel_over_the_legal_actions():
    module = make_module()
    seen, masks = seen_and_masks(30)
    seen, masks = torch.as_tensor(seen), torch.as_tensor(masks)
    network = module.network
    with torch.no_grad():
        heads = network(seen, masks)
        state_value = network.vf(network.body(network.eyes(seen, {})[0])).squeeze(1)
    legal = masks > 0
    mean = torch.where(legal, heads.inputs, torch.zeros(())).sum(dim=1) / legal.sum(dim=1)
    assert torch.allclose(mean, state_value, atol=1e-5)
    assert torch.equal(heads.value, heads.inputs.max(dim=1).values)
    assert (heads.inputs[~legal] == ILLEGAL).all()


def test_what_follows_is_valued_by_its_own_legal_actions_and_by_both_networks():
    module = make_module()
    with torch.no_grad():
        for weight in module.network.parameters():
            weight.mul_(1.5)
    (seen, masks), (later, later_masks) = seen_and_masks(40), seen_and_masks(40)
    names = ("obs", "action_mask", "new_obs", "new_action_mask")
    columns = (seen, masks, later, later_masks)
    batch = {name: torch.as_tensor(column) for name, column in zip(names, columns, strict=True)}
    out = module.forward_train(batch)
    with torch.no_grad():
        assert torch.equal(out[QF_PREDS], module.network(batch["obs"], batch["action_mask"]).inputs)
        assert torch.equal(out[QF_NEXT_PREDS], module.network(batch["new_obs"], batch["new_action_mask"]).inputs)
        assert torch.equal(out[QF_TARGET_NEXT_PREDS], module.target(batch["new_obs"], batch["new_action_mask"]).inputs)
    assert not torch.allclose(out[QF_NEXT_PREDS], out[QF_TARGET_NEXT_PREDS])
    assert later_masks[np.arange(40), out[QF_NEXT_PREDS].argmax(dim=1).numpy()].all()
    assert out[QF_PREDS].requires_grad
    assert not out[QF_NEXT_PREDS].requires_grad


def echo_run(**training):
    own = {"batch": 256, "minibatch": 128, "lr": 5e-3, "gamma": 0.9, "learning_starts": 256, "updates": 8}
    own |= {"target_every": 512, "epsilon_steps": 5000, "capacity": 5000}
    return run_of(training=own | training, wrappers={"stack": 4}, resources={"games": 64}, network={"hidden": [32]})


@pytest.mark.usefixtures("ray_cluster")
def test_it_learns_what_must_be_remembered_and_its_snapshot_knows_it(tmp_path):
    algorithm = make_algorithm(echo_run(n_step=3), small_spec("echo"))
    try:
        for _ in range(30):
            algorithm.train()
        runner = algorithm.env_runner
        assert float(runner.module["main"].epsilon) == pytest.approx(0.05)
        assert np.mean([episode.score for episode in runner.pop_report().results[-200:]]) > 0.8
        freezer = Freezer(SnapshotStore(tmp_path), runner.plan["main"], game="test/echo", run="test", algorithm="DQN")
        seen, masks = runner.recent_observations("main", 64)
        network = runner.network("main")
        snapshot = freezer.freeze(network, name="one", step=0, parent="", note="", observations=seen, masks=masks)
    finally:
        algorithm.stop()
    got, thought = paid(OnnxPolicy(snapshot))
    assert got == [1.0] * 20
    assert thought == pytest.approx(got, abs=0.3)


def paid(policy, games=20):
    """What it gets in each of so many games, and thinks that it will get at the last tick."""
    got, thought = [], []
    for seed in range(games):
        env, state = echo_env(), None
        seen, _ = env.reset(seed=seed)
        while env.agents:
            decision = policy.decide(seen["only"][None], None, RNG, state=state)
            assert sorted(decision.probabilities[0]) == [0, 1]
            state = decision.state
            seen, rewards, *_ = env.step({"only": int(decision.actions[0])})
        got.append(rewards["only"])
        thought.append(float(decision.values[0]))
    return got, thought


def newest(algorithm):
    """The figures of one more iteration."""
    return algorithm.train().get("learners", {}).get("main", {})


@pytest.mark.usefixtures("ray_cluster")
def test_updates_targets_and_exploring_go_by_the_settings_and_on_after_a_resume(tmp_path):
    run = echo_run(updates=3, learning_starts=512, target_every=1000)
    algorithm = make_algorithm(run, small_spec("echo"))
    try:
        assert "qf_loss" not in newest(algorithm)  # 256 steps: too early
        weights = algorithm.env_runner.module["main"].get_state()
        assert newest(algorithm)["num_module_steps_trained"] == 3 * 128
        assert any(
            np.abs(weights[name] - now).max() > 0
            for name, now in algorithm.env_runner.module["main"].get_state().items()
        )
        updates = [newest(algorithm).get("num_target_updates", 0) for _ in range(6)]
        assert updates == [0, 1, 1, 1, 1, 2]  # at 1,024 and 2,048 steps
        restored = resumed(run, algorithm, tmp_path)
    finally:
        algorithm.stop()
    try:
        assert float(restored.env_runner.module["main"].epsilon) == pytest.approx(1 - 0.95 * 2048 / 5000)
        assert newest(restored)["num_target_updates"] == 2
        assert float(restored.env_runner.module["main"].epsilon) == pytest.approx(1 - 0.95 * 2304 / 5000)
    finally:
        restored.stop()


def resumed(run, algorithm, folder):
    """A fresh algorithm with the state of `algorithm`, which it is compared with."""
    path = CheckpointFolder(folder).save(algorithm, {}, step=0)
    fresh = make_algorithm(run, small_spec("echo"))
    restore_algorithm(path, fresh)
    kept, lost = (made.learner_group._learner.module["main"].get_state() for made in (algorithm, fresh))
    assert any(name.startswith("target.") for name in kept)
    assert kept.keys() == lost.keys()
    assert all(np.array_equal(weight, lost[name]) for name, weight in kept.items())
    rows = [made.local_replay_buffer.sample(num_items=50)[0].columns["main"] for made in (algorithm, fresh)]
    assert all(np.array_equal(column, rows[1][name]) for name, column in rows[0].items())
    return fresh


@pytest.mark.usefixtures("ray_cluster")
def test_learning_begins_with_the_first_row():
    run = run_of(training={"batch": 8, "learning_starts": 0}, resources={"games": 8})
    algorithm = make_algorithm(run, small_spec("echo"))
    try:
        figures = newest(algorithm)  # of one tick, and as many more as the first decision takes to come to its end
        assert figures["num_module_steps_trained"] > 0
        assert 0 < len(algorithm.local_replay_buffer.sample(num_items=4)[0].columns["main"]["obs"]) <= 8
    finally:
        algorithm.stop()
