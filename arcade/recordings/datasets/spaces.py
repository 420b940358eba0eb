"""What the seats of a recording see and do, as spaces: asked of the game itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.seats.controller import AgentID
from arcade.match.playback.replay import Replay
from arcade.match.stage.local import LocalStage


def seat_spaces(replay: Replay) -> Mapping[AgentID, tuple[Any, Any]]:
    """Each agent's (observation space without its mask, action space); makes the game once.

    Raises ReplayError or StageError where it cannot be had here.
    """
    with LocalStage(replay.spec()) as stage:
        return dict(stage.spaces)
