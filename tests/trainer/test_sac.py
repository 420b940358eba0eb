"""SAC: how its actions are drawn and frozen, and that it learns, with boxes and with numbered actions."""

import numpy as np
import pytest
import torch
from gymnasium import spaces
from pettingzoo import ParallelEnv

from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.store import SnapshotStore
from agents.spaces import action_signature
from arcade.games.spec import GameSpec
from arcade.recordings.likeness.answers import _log_density
from tests.support.training_games import small_spec
from trainer.algorithms.make import make_algorithm
from trainer.algorithms.sac import target_entropy
from trainer.config.reading import make_config
from trainer.league.export import Freezer
from trainer.networks.actor_critic import SquashedGaussian
from trainer.networks.make import make_network
from trainer.networks.replay_modules import SoftModule
from trainer.networks.seat import decide
from trainer.networks.spaces import SpaceError, check_spaces
from trainer.runs.checkpoint import CheckpointFolder, restore_algorithm
from trainer.sampling.plan import Policy

BOX = spaces.Box(np.array([0, -3], np.float32), np.array([4, 1], np.float32))
MIDDLE, HALF = np.array([2, -1], np.float32), 2.0
RNG = np.random.default_rng(7)


class AimEnv(ParallelEnv):
    """One tick: the nearer the two numbers to the place that is shown, the better; 0 is best."""

    metadata = {"name": "aim", "render_fps": 10}  # noqa: RUF012
    possible_agents = ["only"]  # noqa: RUF012

    def observation_space(self, agent):
        return spaces.Box(-1, 1, (2,), np.float32)

    def action_space(self, agent):
        return BOX

    def reset(self, seed=None, options=None):
        self.agents = list(self.possible_agents)
        self.place = np.random.default_rng(seed).uniform(-1, 1, 2).astype(np.float32)
        return {"only": self.place}, {"only": {}}

    def step(self, actions):
        assert BOX.contains(actions["only"])
        self.agents = []
        pay = -float(np.sum((actions["only"] - best(self.place)) ** 2))
        return {"only": self.place}, {"only": pay}, {"only": True}, {"only": False}, {"only": {}}

    def close(self):
        pass


def best(place):
    return MIDDLE + 0.7 * HALF * place


def aim_env(**_):
    return AimEnv()


AIM = GameSpec(
    id="test/aim", title="Aim", entry="tests.trainer.test_sac:aim_env", agents=("only",), teams=(("only",),),
    turn_based=False, fps=10,
)  # fmt: skip


def run_of(**settings):
    own = {"batch": 256, "minibatch": 128, "lr": 5e-3, "learning_starts": 256, "updates": 8, "capacity": 5000}
    return make_config(
        {"game": "test/aim", "algorithm": "SAC", "network": {"hidden": [32, 32]}, "resources": {"games": 64}}
        | settings
        | {"training": own | settings.get("training", {})}
    )


def inputs_of(rows, *, log_std):
    mean = RNG.normal(0, 0.8, (rows, 2))
    return np.concatenate([mean, np.full((rows, 2), log_std)], axis=1).astype(np.float32)


def test_log_probabilities_are_those_of_a_squashed_normal_variable():
    distribution, inputs = SquashedGaussian(BOX), inputs_of(200, log_std=-0.5)
    mean, log_std = (torch.as_tensor(part) for part in np.split(inputs, 2, axis=1))
    squashed = torch.distributions.TransformedDistribution(
        torch.distributions.Normal(mean, log_std.exp()), torch.distributions.TanhTransform()
    )
    for actions, logp in (distribution.sample(inputs, RNG), distribution.rsample(torch.as_tensor(inputs))):
        expected = squashed.log_prob(torch.as_tensor(actions).clamp(-0.9999, 0.9999)).sum(dim=1)
        inside = np.abs(np.asarray(actions)).max(axis=1) < 0.999
        assert inside.sum() > 150
        assert np.asarray(logp)[inside] == pytest.approx(expected.numpy()[inside], abs=1e-2)
        assert BOX.contains(distribution.to_env(np.asarray(actions))[0])
    assert distribution.to_env(np.array([[0, 0], [1, -1]], np.float32)).tolist() == [[2, -1], [4, -3]]


@pytest.mark.parametrize("log_std", [-3.0, 0.5])
def test_a_frozen_policy_draws_what_the_policy_draws(log_std, tmp_path):
    """Also while it explores, when most actions lie near the bounds."""
    torch.manual_seed(0)
    network = make_network(run_of(), spaces.Box(-1, 1, (2,), np.float32), BOX)
    with torch.no_grad():
        network.pi.layers[-1].weight[:2] *= 100
        network.pi.layers[-1].bias[2:] = log_std
    policy = Policy("main", ("only",), 0, spaces.Box(-1, 1, (2,), np.float32), BOX, masked=False)
    freezer = Freezer(SnapshotStore(tmp_path), policy, game="test/aim", run="test", algorithm="SAC")
    seen = np.random.default_rng(1).uniform(-1, 1, (3, 2)).astype(np.float32)
    snapshot = freezer.freeze(network, name="aim", step=0, parent="", note="", observations=seen, masks=None)
    frozen, inputs = OnnxPolicy(snapshot), decide(network, seen, None, {}).inputs
    drawn = network.distribution.to_env(network.distribution.sample(inputs, np.random.default_rng(2))[0])
    np.testing.assert_allclose(frozen.decide(seen, None, np.random.default_rng(2)).actions, drawn, atol=1e-4)
    likeliest = MIDDLE + HALF * np.tanh(inputs[:, :2])
    np.testing.assert_allclose(frozen.decide(seen, None, RNG, greedy=True).actions, likeliest, atol=1e-4)


def test_a_recorded_action_is_as_likely_by_the_snapshot_as_by_its_distribution():
    inputs = inputs_of(50, log_std=0.0)
    actions, logp = SquashedGaussian(BOX).sample(inputs, RNG)
    ports = {"action_raw_mean": inputs[:, :2], "action_raw_log_std": inputs[:, 2:]}
    density = _log_density(ports, MIDDLE + HALF * actions, action_signature(BOX))
    inside = np.abs(actions).max(axis=1) < 0.999
    np.testing.assert_allclose(density[inside], logp[inside] - 2 * np.log(HALF), atol=1e-2)


def test_the_entropy_aimed_at_is_a_share_of_what_the_legal_actions_allow():
    assert float(target_entropy(None, 5, 0.5)) == pytest.approx(0.5 * np.log(5))
    masks = torch.tensor([[1, 1, 1, 1], [1, 0, 0, 1], [0, 1, 0, 0]], dtype=torch.int8)
    assert float(target_entropy(masks, 4, 0.9)) == pytest.approx(0.9 * (np.log(4) + np.log(2)) / 3)


def test_illegal_actions_have_no_part_in_what_follows():
    module = SoftModule(
        observation_space=spaces.Box(0, 1, (3,), np.float32),
        action_space=spaces.Discrete(4),
        model_config={"run": run_of().model_dump(mode="json")},
    )
    module.make_target_networks()
    masks = np.array([[1, 0, 1, 0], [0, 0, 0, 1]], np.int8)
    seen = RNG.random((2, 3)).astype(np.float32)
    decision = decide(module.network, np.repeat(seen, 200, axis=0), np.repeat(masks, 200, axis=0), {})
    actions, _ = module.network.distribution.sample(decision.inputs, RNG)
    assert np.repeat(masks, 200, axis=0)[np.arange(400), actions].all()
    columns = {"obs": seen, "action_mask": masks, "new_obs": seen, "new_action_mask": masks[::-1].copy()}
    batch = {name: torch.as_tensor(column) for name, column in columns.items()} | {"actions": torch.tensor([0, 3])}
    out = {name: tensor.detach().numpy() for name, tensor in module.forward_train(batch).items()}
    assert ((out["action_probs"] > 0) == masks).all()
    assert ((out["action_probs_next"] > 0) == masks[::-1]).all()
    assert (out["action_log_probs"][masks == 0] == 0).all()
    assert out["qf_preds"].shape == out["q_target_next"].shape == (2, 4)


def test_boxes_without_bounds_are_refused_by_name():
    free = spaces.Box(-np.inf, 3, (2,), np.float32)
    with pytest.raises(SpaceError, match=r"with bounds for SAC.*PPO, A2C, APPO or IMPALA can"):
        check_spaces("SAC", BOX, free)
    with pytest.raises(SpaceError, match=r"Discrete actions for DQN.*SAC can"):
        check_spaces("DQN", BOX, BOX)


@pytest.mark.usefixtures("ray_cluster")
def test_it_finds_the_best_numbers_and_its_snapshot_knows_them(tmp_path):
    run = run_of(training={"updates": 32, "lr": 1e-2, "initial_alpha": 0.2, "grad_clip": 40.0})
    algorithm = make_algorithm(run, AIM)
    try:
        for _ in range(22):
            algorithm.train()
        runner = algorithm.env_runner
        scores = [episode.score for episode in runner.pop_report().results]
        assert np.mean(scores[:256]) < -1.5
        assert np.mean(scores[-256:]) > -0.5
        freezer = Freezer(SnapshotStore(tmp_path), runner.plan["main"], game="test/aim", run="test", algorithm="SAC")
        seen, masks = runner.recent_observations("main", 64)
        network = runner.network("main")
        snapshot = freezer.freeze(network, name="one", step=0, parent="", note="", observations=seen, masks=masks)
        resume(run, algorithm, tmp_path / "checkpoints")
    finally:
        algorithm.stop()
    places = RNG.uniform(-0.9, 0.9, (50, 2)).astype(np.float32)
    outputs, values = OnnxPolicy(snapshot).evaluate(places)
    assert values is None
    assert np.abs(MIDDLE + HALF * np.tanh(outputs["action_raw_mean"]) - best(places)).mean() < 0.25
    assert np.exp(outputs["action_raw_log_std"]).mean() < 1


def resume(run, algorithm, folder):
    """A fresh algorithm with the state of `algorithm` has its temperature and its targets too."""
    path = CheckpointFolder(folder).save(algorithm, {}, step=0)
    fresh = make_algorithm(run, AIM)
    try:
        restore_algorithm(path, fresh)
        learners = [made.learner_group._learner for made in (algorithm, fresh)]
        alphas = [float(learner.curr_log_alpha["main"].exp()) for learner in learners]
        assert alphas[0] == alphas[1] < 0.15
        kept, lost = (learner.module["main"].get_state() for learner in learners)
        assert {name.partition(".")[0] for name in kept} == {"network", "qf", "qf_twin", "target_qf", "target_qf_twin"}
        assert all(np.array_equal(weight, lost[name]) for name, weight in kept.items())
        before = alphas[1]
        fresh.train()
        assert float(learners[1].curr_log_alpha["main"].exp()) != before  # the optimizer still has hold of it
    finally:
        fresh.stop()


@pytest.mark.usefixtures("ray_cluster")
def test_it_learns_with_numbered_actions_what_must_be_remembered():
    training = {"entropy_share": 0.1, "initial_alpha": 0.1, "gamma": 0.9, "tau": 0.02, "n_step": 2}
    algorithm = make_algorithm(run_of(training=training, wrappers={"stack": 4}), small_spec("echo"))
    try:
        for _ in range(30):
            algorithm.train()
        scores = [episode.score for episode in algorithm.env_runner.pop_report().results]
    finally:
        algorithm.stop()
    assert abs(np.mean(scores[:64])) < 0.5
    assert np.mean(scores[-200:]) > 0.8
