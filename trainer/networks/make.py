"""The network of a run's algorithm."""

from __future__ import annotations

from typing import Any

from trainer.config import RunConfig
from trainer.config.recipe import recipe_of
from trainer.networks.actor_critic import ActorCritic
from trainer.networks.feature_extractor import Eyes
from trainer.networks.q_network import QNetwork
from trainer.networks.seat import SeatNetwork
from trainer.networks.soft_network import SoftPolicy
from trainer.networks.spaces import check_spaces


def make_network(
    run: RunConfig, observation_space: Any, action_space: Any, *, eyes: Eyes | None = None, critic: bool = True
) -> SeatNetwork:  # fmt: skip
    """A fresh one for the seats with these spaces; raises SpaceError where the algorithm cannot do them.

    With `eyes` it uses those, and does not own them; without `critic` it has no value of its own.  Both are for actor
    and critic in one: PPO, A2C, APPO and IMPALA.
    """
    check_spaces(run.algorithm, observation_space, action_space)
    network = _build(run, observation_space, action_space, eyes=eyes, critic=critic)
    network.recipe = recipe_of(run)
    return network


def _build(
    run: RunConfig, observation_space: Any, action_space: Any, *, eyes: Eyes | None, critic: bool
) -> SeatNetwork:  # fmt: skip
    if run.algorithm == "DQN":
        return QNetwork(run, observation_space, action_space)
    if run.algorithm == "SAC":
        return SoftPolicy(run, observation_space, action_space)
    return ActorCritic(run, observation_space, action_space, eyes=eyes, critic=critic)
