"""The observations of a recording, from its file or by simulation."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from typing import Any

from agents.seats.controller import AgentID
from arcade.match.playback.reader import read_observations
from arcade.match.playback.replay import Replay
from arcade.match.playback.verify import simulated
from arcade.match.stage.digest import tick_digest
from arcade.match.stage.tick import Tick

Seen = tuple[int, dict[AgentID, Any]]
"""A tick's index and its observations; some games reuse the same arrays at the next tick."""

_log = logging.getLogger(__name__)


def observations(replay: Replay, agents: Collection[AgentID]) -> Iterator[Seen]:
    """Yield the observations of `agents` tick by tick, as the env returns them, without masks.

    A simulation ends with a warning before the first tick that differs from the recording.
    """
    if set(agents) <= set(replay.observed):
        for index, seen in read_observations(replay.path):
            yield index, {agent: seen[agent] for agent in agents if agent in seen}
        return
    for tick in _simulated(replay):
        yield tick.index, {agent: tick.observations[agent] for agent in agents if agent in tick.observations}


def _simulated(replay: Replay) -> Iterator[Tick]:
    """Simulate a recording in this process, up to the first tick that differs."""
    for drawable in (False, True):  # some games observe the screen, whose colours differ with the render mode
        for tick, digest in zip(simulated(replay, drawable=drawable, checked=False), replay.digests, strict=True):
            if tick_digest(tick) != digest:
                break
            yield tick
        else:
            return
        if drawable or tick.index:
            message = "%s: the simulation differs from tick %d on; only the ticks before count"
            _log.warning(message, replay.path.stem, tick.index)
            return
