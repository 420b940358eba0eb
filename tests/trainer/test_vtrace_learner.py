"""The learners of IMPALA and APPO: less work than RLlib's own, with the same weights."""

import numpy as np
import pytest
import torch
from gymnasium import spaces
from ray.rllib.algorithms.appo import APPOConfig
from ray.rllib.algorithms.appo.torch.appo_torch_learner import APPOTorchLearner
from ray.rllib.algorithms.appo.torch.default_appo_torch_rl_module import DefaultAPPOTorchRLModule
from ray.rllib.algorithms.impala import IMPALAConfig
from ray.rllib.algorithms.impala.torch.impala_torch_learner import IMPALATorchLearner
from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.core.learner.learner import Learner
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.policy.sample_batch import MultiAgentBatch, SampleBatch

from trainer.algorithms.appo import APPOLearner
from trainer.algorithms.vtrace import VTraceLearner

PIECES, LENGTH = 12, 6
SEEN = spaces.Box(-1, 1, (5,), np.float32)
ACTIONS = {"turner": spaces.Discrete(4), "steerer": spaces.Box(-1, 1, (2,), np.float32)}
LEARNERS = {
    "IMPALA": (IMPALAConfig, VTraceLearner, IMPALATorchLearner, DefaultPPOTorchRLModule, {}),
    "APPO": (APPOConfig, APPOLearner, APPOTorchLearner, DefaultAPPOTorchRLModule, {"clip_param": 0.1}),
}
APPO_OF_RLLIB = {"use_kl_loss": False, "use_circular_buffer": False, "tau": 1.0, "target_network_update_freq": 0}
FIGURES = ("policy_loss", "entropy", "total_loss")


def make_learner(algorithm, *, ours):
    config_class, own, theirs, module, training = LEARNERS[algorithm]
    specs = {
        name: RLModuleSpec(
            DefaultPPOTorchRLModule if ours else module, SEEN, space,
            model_config={"fcnet_hiddens": [16], "vf_share_layers": False},
        )
        for name, space in ACTIONS.items()
    }  # fmt: skip
    if algorithm == "APPO" and not ours:
        training = training | APPO_OF_RLLIB
    config = (
        config_class()
        .learners(learner_class=own if ours else theirs)
        .multi_agent(policies=set(ACTIONS))
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=specs))
        .training(lr=3e-3, grad_clip=0.5, gamma=0.9, vf_loss_coeff=0.7, entropy_coeff=0.02, **training)
        .env_runners(rollout_fragment_length=LENGTH)
    )
    return config.build_learner(spaces={name: (SEEN, space) for name, space in ACTIONS.items()})


def make_batch(seed):
    """Pieces of at most five decisions, some of them cut or ended, all with at least one row behind the last."""
    generator = torch.Generator().manual_seed(seed)

    def normal(*shape):
        return torch.randn(shape, generator=generator)

    decisions = torch.randint(1, LENGTH, (PIECES, 1), generator=generator)
    mask = torch.arange(LENGTH) < decisions
    mask[::3, 1] = False  # a row behind a decision that was cut off
    drawn = {"turner": torch.randint(4, (PIECES, LENGTH), generator=generator), "steerer": normal(PIECES, LENGTH, 2)}
    batch = {}
    for name, actions in drawn.items():
        batch[name] = {
            "obs": normal(PIECES, LENGTH, 5), "actions": actions, "rewards": normal(PIECES, LENGTH) * mask,
            "action_logp": torch.where(mask, normal(PIECES, LENGTH) * 0.6 - 1.4, 1e4),
            "terminateds": (torch.rand((PIECES, LENGTH), generator=generator) < 0.2) & mask, "loss_mask": mask,
        }  # fmt: skip
    return batch


def multi_agent(batch, *, flat):
    columns = {
        name: {key: column.flatten(0, 1) if flat else column for key, column in rows.items()}
        for name, rows in batch.items()
    }
    return MultiAgentBatch({name: SampleBatch(rows) for name, rows in columns.items()}, PIECES * LENGTH)


@pytest.mark.parametrize("pieces", [0, 4])
@pytest.mark.parametrize("algorithm", LEARNERS)
def test_the_weights_after_some_updates_are_those_of_rllibs_learner(algorithm, pieces):
    ours, theirs = make_learner(algorithm, ours=True), make_learner(algorithm, ours=False)
    for module in ACTIONS:
        ours.module[module].set_state(theirs.module[module].get_state())
    before = {name: weight.clone() for name, weight in ours.module["turner"].state_dict().items()}
    for seed in range(3):
        batch, passes = make_batch(seed), {"num_epochs": 2 if pieces else 1, "timesteps": {}}
        found = ours.update(batch=multi_agent(batch, flat=False), minibatch_size=pieces or None, **passes)
        expected = Learner.update(
            theirs, batch=multi_agent(batch, flat=True), minibatch_size=pieces * LENGTH or None, **passes
        )  # fmt: skip
    theirs.shutdown()
    for module in ACTIONS:
        weights = theirs.module[module].state_dict()
        for name, weight in ours.module[module].state_dict().items():
            assert torch.allclose(weight, weights[name], atol=1e-6, rtol=0), name
        for figure in FIGURES:
            name = "mean_pi_loss" if (algorithm, figure) == ("IMPALA", "policy_loss") else figure
            assert float(found[module][figure].peek()) == pytest.approx(
                float(expected[module][name].peek()), abs=1e-5
            ), figure
    after = ours.module["turner"].state_dict()
    assert sum(not torch.equal(after[name], weight) for name, weight in before.items()) >= 8  # of policy and critic


def test_a_checkpoint_of_an_optimizer_that_had_a_target_network_too_is_read():
    old, new = make_learner("APPO", ours=True), make_learner("APPO", ours=True)
    old.update(batch=multi_agent(make_batch(0), flat=False), timesteps={})
    state = old.get_state()
    for one in state["optimizer"].values():
        (group,) = one["state"]["param_groups"]
        group["params"] = list(range(2 * len(group["params"])))
    new.set_state(state)
    for learner in (old, new):
        learner.update(batch=multi_agent(make_batch(1), flat=False), timesteps={})
    for name, weight in old.module["turner"].state_dict().items():
        assert torch.equal(new.module["turner"].state_dict()[name], weight), name
