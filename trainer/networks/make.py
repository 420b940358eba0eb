"""make_network: the network of a run, by its algorithm (NETWORKS)."""

from __future__ import annotations

from typing import Any

from trainer.config import RunConfig
from trainer.config.reading import recipe_of
from trainer.networks.actor_critic import ActorCritic, SoftPolicy
from trainer.networks.encoders import FeatureExtractor
from trainer.networks.q_network import QNetwork
from trainer.networks.seat import SeatNetwork
from trainer.networks.spaces import check_spaces

NETWORKS: dict[str, type[Any]] = {"DQN": QNetwork, "SAC": SoftPolicy}
"""By algorithm; all others have an ActorCritic."""


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
