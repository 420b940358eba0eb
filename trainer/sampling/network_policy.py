"""A network that still learns, as a batch policy; a module of its own, since it imports torch."""

from __future__ import annotations

from agents.policies.batch import Array, BatchPolicy, Masks, SeatMemory, Seats, Seeds
from agents.policies.draws import SeatGenerators
from trainer.networks.acting import begin, play
from trainer.networks.seat import SeatNetwork


class NetworkBatch(BatchPolicy):
    """Plays as a snapshot of the network at this moment would."""

    def __init__(self, network: SeatNetwork) -> None:
        self._network = network
        self._draws = SeatGenerators()
        self._memory = SeatMemory(begin(network, 1))

    def begin(self, seats: Seats, seeds: Seeds) -> None:
        self._draws.begin(seats, seeds)
        self._memory.forget(seats)

    def act(self, seats: Seats, observations: Array, masks: Masks) -> Array:
        memory = self._memory.recall(seats)
        actions, memory = play(self._network, observations, masks, memory, self._draws.of(seats))
        self._memory.keep(seats, memory)
        return actions
