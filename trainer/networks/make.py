"""make_network: the network of a run, by its algorithm (NETWORKS)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from trainer.config import RunConfig
from trainer.config.algorithms import ALGORITHMS
from trainer.config.reading import recipe_of
from trainer.networks.actor_critic import ActorCritic, SoftPolicy
from trainer.networks.encoders import FeatureExtractor
from trainer.networks.q_network import QNetwork
from trainer.networks.seat import SeatNetwork
from trainer.networks.spaces import check_spaces

NETWORKS: dict[str, type[Any]] = {"DQN": QNetwork, "SAC": SoftPolicy}
"""By algorithm; all others have an ActorCritic."""


def reference_run(run: RunConfig, recipe: Mapping[str, Any]) -> RunConfig:
    """The settings by which `make_network` makes a reference policy of that recipe.

    Beside DQN's own networks, it can be the policy of another algorithm.
    """
    algorithm = recipe.get("algorithm", run.algorithm)
    if NETWORKS.get(run.algorithm) is not QNetwork or algorithm not in ALGORITHMS:
        return run
    return run.model_copy(update={"algorithm": algorithm})


def as_values(network: SeatNetwork, temperature: float) -> None:
    """Turn the logits of an actor into values of its actions, of which softmax(Q / temperature) is its policy.

    They are temperature x log probability but for a constant (Haarnoja et al. 2017, arXiv 1702.08165, eq. 6).  A
    QNetwork has values already.
    """
    if isinstance(network, ActorCritic):
        with torch.no_grad():
            for weight in network.pi.layers[-1].parameters():
                weight.mul_(temperature)


def make_network(
    run: RunConfig, observation_space: Any, action_space: Any, *,
    eyes: FeatureExtractor | None = None, critic: bool = True,
) -> SeatNetwork:  # fmt: skip
    """Make an untrained network for seats with these spaces; raises SpaceError where the algorithm cannot use them.

    An ActorCritic can use the feature extractor `eyes` of another network, and do without a `critic` of its own.
    """
    check_spaces(run.algorithm, observation_space, action_space)
    shared = {} if run.algorithm in NETWORKS else {"eyes": eyes, "critic": critic}
    network: SeatNetwork = NETWORKS.get(run.algorithm, ActorCritic)(run, observation_space, action_space, **shared)
    network.recipe = recipe_of(run)
    return network
