"""Ignoring: entries of an observation that a clone's policy does not look at.

What goes along with a player's decisions without leading to them (its own speed, which tells the last action; the
other side) makes a clone likelier on what was recorded and worse at play (de Haan et al. 2019, Causal confusion in
imitation learning, arXiv 1905.11979).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from trainer.config import ConfigError
from trainer.networks.actor_critic import ActorCritic
from trainer.networks.seat import SeatNetwork


def ignore(network: SeatNetwork, entries: Sequence[int]) -> None:
    """The weights of the policy's first layer for these entries are 0 from now on, whatever is learnt; whoever loads
    them elsewhere may learn to look.  A critic of its own layers sees all.

    Raises ConfigError where observations are not a few numbers side by side.
    """
    if not entries:
        return
    assert isinstance(network, ActorCritic)
    eyes = network.eyes
    count = eyes.preprocess.shape[0]
    if eyes.preprocess.picture or max(entries) >= count or min(entries) < 0:
        seen = "a picture" if eyes.preprocess.picture else f"{count} numbers"
        raise ConfigError(f"ignore: expected places among those of an observation, which is {seen}, got: {entries}")
    layer: Any = (network.pi if network.cell is None else network.body).layers[0]
    looked_at = torch.ones(count)
    looked_at[list(entries)] = 0
    looked_at = looked_at.repeat(eyes.width // count)  # once for each stacked observation
    with torch.no_grad():
        layer.weight.mul_(looked_at)
    layer.weight.register_hook(lambda gradient: gradient * looked_at)
