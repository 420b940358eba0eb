"""The reference policy's logits beside each decision of a policy with a KL penalty.

The runner asks it, not the learner: it sees every decision of an episode in order, so that a snapshot with a memory
remembers what it saw itself, and answers once for all the passes of the learner.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.networks.acting import begin, evaluate
from trainer.networks.seat import SeatNetwork

INPUTS, HAS_REFERENCE = "reference_inputs", "has_reference"
"""Columns: float32 (…, k), as the network's own inputs of its draws; bool (…), False where no network was asked."""

Networks = Mapping[str, SeatNetwork]
"""Policy id to its reference network."""


class ReferencePolicy:
    """Of one policy, on the lanes of a LearningSeats."""

    def __init__(self, lanes: int) -> None:
        self._lanes = lanes
        self._network: SeatNetwork | None = None
        self._memory: dict[str, NDArray[Any]] = {}

    @property
    def active(self) -> bool:
        return self._network is not None

    def use(self, network: SeatNetwork | None) -> None:
        """Use another network from now on, or none.  Its memory begins anew, also in the middle of episodes."""
        self._network = network
        self._memory = {} if network is None else begin(network, self._lanes)

    def forget(self, lanes: NDArray[np.intp]) -> None:
        """New episodes begin on these lanes."""
        for rows in self._memory.values():
            rows[lanes] = 0

    def columns(
        self, lanes: NDArray[np.intp], seen: NDArray[Any], masks: NDArray[np.int8] | None, *, width: int
    ) -> dict[str, NDArray[Any]]:
        """The rows of both columns for decisions on `lanes` about raw observations (B, *shape)."""
        if self._network is None:
            return {INPUTS: np.zeros((len(lanes), width), np.float32), HAS_REFERENCE: np.zeros(len(lanes), np.bool_)}
        memory = {name: rows[lanes] for name, rows in self._memory.items()}
        inputs, after = evaluate(self._network, seen, masks, memory)
        for name, rows in after.items():
            self._memory[name][lanes] = rows
        return {INPUTS: inputs, HAS_REFERENCE: np.ones(len(lanes), np.bool_)}
