"""The observations of a recording, from its file or by simulation, and the spaces of its seats."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from agents.seats.controller import AgentID
from arcade.match.playback.reader import read_observations
from arcade.match.playback.replay import Replay
from arcade.match.stage.digest import tick_digest
from arcade.match.stage.local import LocalStage
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
    for tick in simulated(replay):
        yield tick.index, {agent: tick.observations[agent] for agent in agents if agent in tick.observations}


def simulated(replay: Replay) -> Iterator[Tick]:
    """Simulate a recording in this process, up to the first tick that differs."""
    # Some games observe the screen, whose colours differ with the render mode.
    for drawable in (False, True):
        with LocalStage(replay.spec(), drawable=drawable, checked=False) as stage:
            for tick, digest in _simulated_ticks(replay, stage):
                if tick_digest(tick) == digest:
                    yield tick
                    continue
                if drawable or tick.index:
                    name = replay.path.stem
                    _log.warning(
                        "%s: the simulation differs from tick %d on; only the ticks before count", name, tick.index
                    )
                    return
                break
            else:
                return


def _simulated_ticks(replay: Replay, stage: LocalStage) -> Iterator[tuple[Tick, int]]:
    stage.reset(replay.seed)
    for actions, digest in zip([None, *replay.actions], replay.digests, strict=True):
        if actions is not None:
            stage.step(actions)
        yield stage.wait(), digest


def seat_spaces(replay: Replay) -> Mapping[AgentID, tuple[Any, Any]]:
    """Each agent's (observation space without its mask, action space); raises ReplayError or StageError."""
    with LocalStage(replay.spec()) as stage:
        return dict(stage.spaces)
