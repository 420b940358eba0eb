"""PPO's learner: it does less work than RLlib's own, with the same weights."""

import numpy as np
import pytest
import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.policy.sample_batch import MultiAgentBatch, SampleBatch

from trainer.algorithms.ppo import PPOLearner

ROWS = 64
SEEN = spaces.Box(-1, 1, (5,), np.float32)
ACTIONS = {"turner": spaces.Discrete(4), "steerer": spaces.Box(-1, 1, (2,), np.float32)}


def make_learner(learner_class):
    specs = {
        name: RLModuleSpec(DefaultPPOTorchRLModule, SEEN, space, model_config={"fcnet_hiddens": [16]})
        for name, space in ACTIONS.items()
    }
    settings = {"lr": 1e-3, "grad_clip": 0.05, "use_kl_loss": False, "vf_clip_param": 2.0, "entropy_coeff": 0.02}
    config = (
        PPOConfig()
        .learners(learner_class=learner_class)
        .multi_agent(policies=set(ACTIONS))
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=specs))
        .training(**settings)
    )
    torch.manual_seed(0)
    return config.build_learner(spaces={name: (SEEN, space) for name, space in ACTIONS.items()})


def make_batch(*, masked=False):
    generator = torch.Generator().manual_seed(1)

    def normal(*shape):
        return torch.randn(shape, generator=generator)

    batches = {}
    for name, actions in (("turner", torch.randint(4, (ROWS,), generator=generator)), ("steerer", normal(ROWS, 2))):
        batches[name] = {
            "obs": normal(ROWS, 5), "actions": actions, "action_logp": normal(ROWS) * 0.1 - 1.4,
            "action_dist_inputs": normal(ROWS, 4), "advantages": normal(ROWS), "value_targets": normal(ROWS),
        }  # fmt: skip
        if masked:
            batches[name]["loss_mask"] = torch.rand(ROWS, generator=generator) < 0.7
    return MultiAgentBatch({name: SampleBatch(batch) for name, batch in batches.items()}, ROWS)


def update(learner, batch):
    return learner.update(batch=batch, minibatch_size=16, num_epochs=3)


def weights(learner):
    return {f"{m}.{n}": w for m in ACTIONS for n, w in learner.module[m].state_dict().items()}


@pytest.mark.parametrize("masked", [False, True])
def test_the_weights_after_an_update_are_those_of_rllibs_learner(masked):
    ours, theirs = make_learner(PPOLearner), make_learner(PPOTorchLearner)
    before = {name: weight.clone() for name, weight in weights(ours).items()}
    results = [update(learner, make_batch(masked=masked)) for learner in (ours, theirs)]
    for name, weight in weights(theirs).items():
        assert torch.allclose(weights(ours)[name], weight, atol=1e-6, rtol=0), name
    for module in ACTIONS:
        moved = [
            n for n, weight in weights(ours).items() if n.startswith(module) and not torch.equal(before[n], weight)
        ]
        assert len(moved) >= 8  # weights and biases of policy and critic
        own, other = ({k: v.peek() for k, v in result[module].items()} for result in results)
        assert own.keys() == other.keys()
        for figure in ("policy_loss", "vf_loss", "vf_explained_var", "entropy", "total_loss"):
            assert float(own[figure]) == pytest.approx(float(other[figure]), abs=1e-5), figure


def test_a_gradient_that_is_no_number_does_what_it_does_in_rllib():
    ours, theirs = make_learner(PPOLearner), make_learner(PPOTorchLearner)
    for learner in (ours, theirs):
        batch = make_batch()
        batch["turner"]["advantages"][3] = float("nan")
        update(learner, batch)
    for name, weight in weights(theirs).items():
        assert torch.allclose(weights(ours)[name], weight, atol=1e-6, rtol=0), name
        assert torch.isfinite(weight).all()


def test_the_optimizers_state_is_kept_in_a_checkpoint(tmp_path):
    ours, again = make_learner(PPOLearner), make_learner(PPOLearner)
    update(ours, make_batch())
    again.set_state(ours.get_state())
    for learner in (ours, again):
        update(learner, make_batch())
    for name, weight in weights(ours).items():
        assert torch.equal(weights(again)[name], weight), name
