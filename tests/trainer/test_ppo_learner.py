"""PPO's learner: it does less work than RLlib's own, with the same weights."""

import numpy as np
import pytest
import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.core.learner.training_data import TrainingData
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.policy.sample_batch import MultiAgentBatch, SampleBatch

from arcade.games import find_game
from arcade.match.batch.make import make_vector_env
from trainer.algorithms.make import make_algorithm_config
from trainer.algorithms.minibatches import Minibatches
from trainer.algorithms.perceptrons import PerceptronStep
from trainer.algorithms.ppo import PPOLearner
from trainer.algorithms.schedules import actor_critic_schedules, learner_settings
from trainer.config import ConfigError
from trainer.config.reading import make_config as make_run_config
from trainer.sampling.runner import SelfPlayRunner

ROWS = 64
SEEN = spaces.Box(-1, 1, (5,), np.float32)
ACTIONS = {"turner": spaces.Discrete(4), "steerer": spaces.Box(-1, 1, (2,), np.float32)}


def make_learner(learner_class, **more):
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
        .training(**settings | more.pop("training", {}))
        .learners(learner_config_dict=more)
    )
    torch.manual_seed(0)
    return config.build_learner(spaces={name: (SEEN, space) for name, space in ACTIONS.items()})


def make_batch(*, masked=False, steerers=ROWS):
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
    batches["steerer"] = {column: rows[:steerers] for column, rows in batches["steerer"].items()}
    return MultiAgentBatch({name: SampleBatch(batch) for name, batch in batches.items()}, ROWS)


def update(learner, batch):
    return learner.update(batch=batch, minibatch_size=16, num_epochs=3)


def weights(learner):
    return {f"{m}.{n}": w for m in ACTIONS for n, w in learner.module[m].state_dict().items()}


@pytest.mark.parametrize(("masked", "steerers"), [(False, ROWS), (True, ROWS), (False, 41), (False, 9)])
def test_the_weights_after_an_update_are_those_of_rllibs_learner(masked, steerers):
    """Also where a policy has fewer rows than the other, or than a minibatch, and begins its next pass within one."""
    ours, theirs = make_learner(PPOLearner), make_learner(PPOTorchLearner)
    before = {name: weight.clone() for name, weight in weights(ours).items()}
    results = [update(learner, make_batch(masked=masked, steerers=steerers)) for learner in (ours, theirs)]
    for name, weight in weights(theirs).items():
        assert torch.allclose(weights(ours)[name], weight, atol=1e-6, rtol=0), name
    for module in ACTIONS:
        moved = [
            n for n, weight in weights(ours).items() if n.startswith(module) and not torch.equal(before[n], weight)
        ]
        assert len(moved) >= 8  # weights and biases of policy and critic
        own, other = ({k: v.peek() for k, v in result[module].items()} for result in results)
        assert own.keys() == other.keys()
        alike = () if masked else ("vf_explained_var",)  # RLlib's is also of padding
        for figure in ("policy_loss", "vf_loss", "entropy", "total_loss", *alike):
            assert float(own[figure]) == pytest.approx(float(other[figure]), abs=1e-5), figure
        for count in ("num_module_steps_trained", "num_module_steps_trained_lifetime"):
            assert own[count] == other[count], count
    of_all = [{k: v.peek() for k, v in result["__all_modules__"].items()} for result in results]
    assert of_all[0] == of_all[1]
    assert of_all[0]["num_env_steps_trained"] == 12 * ROWS


@pytest.mark.parametrize("size", [16, 24])
def test_shuffled_minibatches_have_each_row_once_in_each_pass(size):
    rows = {"long": {"obs": torch.arange(48)}, "short": {"obs": torch.arange(20)}}
    minibatches = Minibatches(rows, size=size, epochs=3, shuffle=True)
    seen = [{id: list(own["obs"].tolist()) for id, own in one.items()} for one in minibatches]
    assert len(seen) == minibatches.count == 3 * 48 // size
    for id, count in (("long", 48), ("short", 20)):
        drawn = [row for one in seen for row in one[id]]
        passes = [drawn[start : start + count] for start in range(0, len(drawn) - count + 1, count)]
        assert all(sorted(one) == list(range(count)) for one in passes)
        assert len({tuple(one) for one in passes}) == len(passes) >= 3


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


def learners_of(run, columns, monkeypatch):
    """A learner as the trainer builds it, and one by torch's autograd, with the same weights, after three updates."""
    spec = find_game(run.game)
    with make_vector_env(spec, 1) as env:
        config = make_algorithm_config(run, spec, env)
    learners = []
    for direct in (True, False):
        if not direct:
            monkeypatch.setattr(PerceptronStep, "suits", staticmethod(lambda network: False))
        runner = SelfPlayRunner(config=config, worker_index=0)
        learner = config.build_learner(spaces=runner.get_spaces())
        learner.module["main"].set_state(columns.setdefault("weights", learner.module["main"].get_state()))
        torch.manual_seed(5)
        for number in range(3):
            episodes = columns.setdefault(number, None) or runner.sample()
            columns[number] = episodes
            result = learner.update(
                training_data=TrainingData(episodes=episodes),
                num_epochs=2,
                minibatch_size=48,
                shuffle_batch_per_epoch=True,
            )["main"]
        assert bool(learner.direct) is direct
        learners.append((learner, {name: float(stat.peek()) for name, stat in result.items() if name in FIGURES}))
        runner.stop()
    return learners


FIGURES = ("policy_loss", "vf_loss", "vf_explained_var", "entropy", "total_loss", "mean_kl_loss")


@pytest.mark.parametrize(
    ("game", "more"),
    [
        ("classic/connect_four_v3", {}),  # illegal actions
        ("classic/connect_four_v3", {"network": {"hidden": [32], "activation": "relu"}}),
        ("house/volley", {"wrappers": {"stack": 3, "normalise": True}, "network": {"hidden": [16, 24, 8]}}),
        ("house/volley", {"algorithm": "IMPALA", "wrappers": {"stack": 3, "normalise": True}}),
        ("classic/connect_four_v3", {"algorithm": "APPO"}),
    ],
)
def test_gradients_in_closed_form_are_those_of_autograd(game, more, monkeypatch):
    settings = {"game": game, "training": {"batch": 256, "minibatch": 64}, "resources": {"games": 16}, "seed": 3}
    pair = learners_of(make_run_config(settings | more), {}, monkeypatch)
    (direct, figures), (autograd, expected) = pair
    for name, weight in autograd.module["main"].get_state().items():
        assert np.allclose(direct.module["main"].get_state()[name], weight, atol=1e-6, rtol=0), name
    assert figures.keys() == expected.keys() == set(FIGURES)
    for name, figure in figures.items():
        assert figure == pytest.approx(expected[name], abs=1e-5), name


def steps_trained(result):
    return {module: int(result[module]["num_module_steps_trained"].peek()) for module in ACTIONS}


def test_a_policy_that_diverged_learns_no_more_from_a_batch_and_the_other_does():
    batch = make_batch()
    batch["turner"]["action_logp"] -= 3.0  # played by another policy, it seems
    learner = make_learner(PPOLearner, kl_stop=2.0)
    assert steps_trained(update(learner, batch)) == {"turner": 16, "steerer": 3 * ROWS}
    assert steps_trained(update(make_learner(PPOLearner), make_batch())) == {"turner": 3 * ROWS, "steerer": 3 * ROWS}
    assert steps_trained(update(make_learner(PPOLearner, kl_stop=1e-9), make_batch())) == {"turner": 16, "steerer": 16}


def test_step_size_and_entropy_fall_over_the_steps_of_the_run():
    run = make_run_config({
        "game": "house/volley", "steps": 1000,
        "training": {"lr": 1e-3, "lr_end": 0.2, "entropy": 0.1, "entropy_end": 0.0},
    })  # fmt: skip
    learner = make_learner(PPOLearner, training=actor_critic_schedules(run), **learner_settings(run))
    figures = {}
    for steps in (0, 500, 1000, 5000):
        result = learner.update(
            batch=make_batch(), minibatch_size=16, num_epochs=1, timesteps={"num_env_steps_sampled_lifetime": steps}
        )["turner"]
        figures[steps] = [float(result[name].peek()) for name in ("default_optimizer_learning_rate",
                                                                  "curr_entropy_coeff")]  # fmt: skip
    assert figures[0] == pytest.approx([1e-3, 0.1])
    assert figures[500] == pytest.approx([6e-4, 0.05])
    assert figures[1000] == figures[5000] == pytest.approx([2e-4, 0.0])
    assert learner.get_optimizer("turner").param_groups[0]["eps"] == 1e-5


def test_a_schedule_needs_an_end():
    with pytest.raises(ConfigError, match=r"lr_end: 0\.1 needs training\.schedule_steps or steps"):
        make_run_config({"game": "house/volley", "training": {"lr_end": 0.1}})
