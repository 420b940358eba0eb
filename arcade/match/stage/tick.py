"""One advance of a Stage, the same for AEC and Parallel games, in process or in a child."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import Action, ActionMask, AgentID

Frame = NDArray[np.uint8]
"""uint8, (rows, columns, 3): a picture of the game, red green blue."""

View = Mapping[str, Any]
"""The knowledge of one seat of a game that we draw: numbers, texts and lists of them; see GameSpec.table."""


@dataclass(slots=True)
class Tick:
    """The outcome of a reset (index 0) or of one step.

    The mappings hold every agent that the step concerned, also those whose episode it ended; `acting` holds the
    agents whose action the next step needs: one in an AEC game, all that live in a Parallel one, none when the
    episode is over.  Observations come without their masks.
    """

    index: int
    acting: tuple[AgentID, ...]
    observations: Mapping[AgentID, Any] = field(default_factory=dict)
    action_masks: Mapping[AgentID, ActionMask | None] = field(default_factory=dict)
    rewards: Mapping[AgentID, float] = field(default_factory=dict)
    terminations: Mapping[AgentID, bool] = field(default_factory=dict)
    truncations: Mapping[AgentID, bool] = field(default_factory=dict)
    infos: Mapping[AgentID, Mapping[str, Any]] = field(default_factory=dict)
    ended: tuple[AgentID, ...] = ()  # the live agents whose episode this step ended
    frame: Frame | None = None
    views: Mapping[AgentID | None, View] = field(default_factory=dict)  # by seat; None: the public view
    text: str = ""  # of a game that renders words only
    executed: Mapping[AgentID, Action] = field(default_factory=dict)  # the executed actions that differ from those sent

    @property
    def over(self) -> bool:
        return not self.acting

    @property
    def ends(self) -> dict[AgentID, str]:
        """ "terminated" or "truncated" for each agent whose episode this step ended."""
        return {agent: "terminated" if self.terminations.get(agent) else "truncated" for agent in self.ended}
