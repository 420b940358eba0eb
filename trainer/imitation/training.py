"""Learning a clone: RLlib's BC or MARWIL, an iteration a pass over all decisions, until it is as good as it gets."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
from ray.rllib.algorithms.bc import BCConfig
from ray.rllib.algorithms.marwil import MARWILConfig
from ray.rllib.core import DEFAULT_MODULE_ID as MODULE
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from trainer.config import RunConfig
from trainer.imitation.agreement import Figures, compare, measure
from trainer.imitation.epochs import Epochs, network_of, offline_data
from trainer.imitation.ignored_inputs import ignore
from trainer.imitation.learner import ImitationLearner
from trainer.imitation.lessons import Lesson, returns
from trainer.imitation.recurrent_pass import RecurrentPass, walk
from trainer.imitation.settings import ImitationSettings
from trainer.networks.modules import SeatModule
from trainer.networks.seat import SeatNetwork
from trainer.sampling.plan import Policy

SMALLEST_GAIN = 1e-4
"""Of the mean log-likelihood, for a pass to count as better than the best one before."""

LAST_LR = 0.05
"""Part of the step size that is left in the last pass."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """How the network stands after so many passes."""

    number: int  # passes made; 0: as it began
    learnt: Figures  # on what it learns from
    held_out: Figures | None  # on what it does not; None where nothing is held out
    score: float  # by which the best pass is chosen; `number` where nothing is held out


@dataclass(frozen=True, slots=True, eq=False)
class Learnt:
    network: SeatNetwork  # with the weights of `best`
    best: Epoch
    epochs: list[Epoch]  # all of them, in order


class Learning:
    """One clone in the making; ray must be initialised.

    `start` holds the weights that it begins with.  Use it once, and `close` it.
    """

    def __init__(
        self, run: RunConfig, settings: ImitationSettings, policy: Policy, *,
        start: SeatNetwork, lessons: Sequence[Lesson], held_out: Sequence[Lesson],
    ) -> None:  # fmt: skip
        self._settings, self._held_out, self._sequence = settings, list(held_out), run.network.sequence
        self._data = Epochs(
            lessons, sequence=self._sequence, gamma=settings.gamma, noise=settings.noise, seed=settings.seed
        )
        config = make_algorithm_config(run, settings, policy, self._data, start)
        self._algorithm = cast(Any, config.build_algo())
        self._network = network_of(self._algorithm.learner_group._learner.module[MODULE])
        self._network.load_state_dict(start.state_dict())
        ignore(self._network, settings.ignore)

    def run(self, on_epoch: Callable[[Epoch], None] = lambda epoch: None) -> Learnt:
        """Pass after pass, until the settings say that it is enough."""
        epochs, best, weights = [self._measured(0)], 0, copy.deepcopy(self._network.state_dict())
        on_epoch(epochs[0])
        for number in range(1, self._settings.epochs + 1):
            self._algorithm.train()
            epochs.append(self._measured(number))
            on_epoch(epochs[-1])
            if _is_better(epochs[-1], epochs[best]):
                best, weights = number, copy.deepcopy(self._network.state_dict())
            elif self._held_out and number - best >= self._settings.patience:
                break
        self._network.load_state_dict(weights)
        return Learnt(copy.deepcopy(self._network).cpu(), epochs[best], epochs)

    def close(self) -> None:
        """Twice does no harm."""
        if self._algorithm is not None:
            self._algorithm.stop()
            self._algorithm = None

    def _measured(self, number: int) -> Epoch:
        learnt, _ = self._figures(self._data.lessons)
        if not self._held_out:
            return Epoch(number, learnt, None, number)
        held_out, walked = self._figures(self._held_out)
        score = held_out.log_likelihood
        if self._settings.algorithm == "marwil":
            score = self._weighted_likelihood(walked)
        return Epoch(number, learnt, held_out, score)

    def _figures(self, lessons: Sequence[Lesson]) -> tuple[Figures, RecurrentPass]:
        walked = walk(self._network, lessons, sequence=self._sequence)
        return measure(self._network.draws, lessons, walked), walked

    def _weighted_likelihood(self, walked: RecurrentPass) -> float:
        """Mean log-likelihood of what is held out, weighed as MARWIL weighs: it is not to be like the worse play."""
        usual = usual_advantage(self._data.lessons, self._settings.gamma)
        terms, weights = [], []
        for lesson, inputs, values in zip(self._held_out, walked.inputs, walked.values, strict=True):
            better = returns(lesson, float(values[-1]), gamma=self._settings.gamma) - values[:-1]
            terms.append(compare(self._network.draws, inputs, lesson.actions)[0])
            weights.append(np.exp(self._settings.beta * np.clip(better / usual, -5, 5)))
        return float(np.average(np.concatenate(terms), weights=np.concatenate(weights)))


def make_algorithm_config(
    run: RunConfig, settings: ImitationSettings, policy: Policy, data: Epochs, network: SeatNetwork
) -> AlgorithmConfig:
    """The settings in RLlib's words."""
    config = BCConfig() if settings.algorithm == "bc" else MARWILConfig()
    spec = RLModuleSpec(
        module_class=SeatModule, observation_space=policy.observation_space, action_space=policy.action_space,
        model_config={"run": run.model_dump(mode="json")},
    )  # fmt: skip
    return (
        config.environment(observation_space=policy.observation_space, action_space=policy.action_space)
        .framework("torch")
        .debugging(seed=settings.seed, log_level="ERROR")
        .env_runners(num_env_runners=0, create_local_env_runner=False)
        .learners(num_learners=0, learner_class=ImitationLearner)
        .offline_data(input_=["memory"], offline_data_class=offline_data(data), dataset_num_iters_per_learner=1)
        .rl_module(rl_module_spec=spec)
        .training(**_training(run, settings, data, network))
    )


def _training(run: RunConfig, settings: ImitationSettings, data: Epochs, network: SeatNetwork) -> dict[str, Any]:
    most = settings.minibatch // run.network.sequence if network.recurrent else settings.minibatch
    minibatch = max(1, min(most, data.rows(network)))
    usual = usual_advantage(data.lessons, settings.gamma)
    training = {
        "train_batch_size_per_learner": minibatch,
        # RLlib counts a minibatch an iteration, whatever it learns from in it: its clock of step sizes ticks so.
        "lr": [[0, settings.lr], [settings.epochs * minibatch, LAST_LR * settings.lr]],
        "gamma": settings.gamma,
        # Squares of what a game pays: many points would drown the policy in the layers that it shares with the critic.
        "vf_coeff": settings.value_loss / max(1.0, usual**2),
        "grad_clip": settings.grad_clip,
        "learner_config_dict": {"weight_decay": settings.weight_decay},
    }
    if settings.algorithm == "bc":
        return training
    return training | {
        "beta": settings.beta,
        "moving_average_sqd_adv_norm_start": usual**2,
        "moving_average_sqd_adv_norm_update_rate": 1e-2,
    }


def usual_advantage(lessons: Sequence[Lesson], gamma: float) -> float:
    """How far returns usually lie apart: the unit of advantages as MARWIL begins.  RLlib's own start, 10, would leave
    next to no difference in a game that pays 1."""
    paid = [returns(lesson, 0.0, gamma=gamma) for lesson in lessons]
    return max(1e-3, float(np.std(np.concatenate(paid))))


def _is_better(now: Epoch, before: Epoch) -> bool:
    return now.score > before.score + SMALLEST_GAIN
