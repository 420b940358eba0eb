"""A policy that still learns, as a player: it brings torch, which players that do not learn have no need of."""

from __future__ import annotations

import numpy as np

from trainer.networks.acting import begin, play
from trainer.networks.seat import SeatNetwork
from trainer.sampling.players import Array, LaneMemory, Lanes, Masks, Player


class NetworkPlayer(Player):
    """A policy as it stands, as a snapshot of it would play."""

    def __init__(self, network: SeatNetwork) -> None:
        self._network = network
        self._memory = LaneMemory(begin(network, 1))

    def begin(self, group: int, lanes: Lanes) -> None:
        self._memory.forget(group, lanes)

    def act(self, group: int, lanes: Lanes, observations: Array, masks: Masks, rng: np.random.Generator) -> Array:
        actions, memory = play(self._network, observations, masks, self._memory.recall(group, lanes), rng)
        self._memory.keep(group, lanes, memory)
        return actions
