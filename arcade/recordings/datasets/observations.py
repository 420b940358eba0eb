"""What the seats of a recording observed: as the file has it, or by playing the recording again."""

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
"""A tick's index, and what each seat observed at it; some games fill the same arrays again at the next."""

_log = logging.getLogger(__name__)


def observations(replay: Replay, agents: Collection[AgentID]) -> Iterator[Seen]:
    """Tick by tick what `agents` observed, as the env gives it, without masks.

    Where the recording comes out otherwise than it was recorded, it ends before that tick, with a warning.
    """
    if set(agents) <= set(replay.observed):
        for index, seen in read_observations(replay.path):
            yield index, {agent: seen[agent] for agent in agents if agent in seen}
        return
    for tick in simulated(replay):
        yield tick.index, {agent: tick.observations[agent] for agent in agents if agent in tick.observations}


def simulated(replay: Replay) -> Iterator[Tick]:
    """The ticks of a recording as they come when it is played again in this process, up to one that differs."""
    # Some games let their seats see the screen itself, whose colours are others where the env is made to be drawn.
    for drawable in (False, True):
        with LocalStage(replay.spec(), drawable=drawable, checked=False) as stage:  # the digests check it all
            for tick, digest in _played_again(replay, stage):
                if tick_digest(tick) == digest:
                    yield tick
                    continue
                if drawable or tick.index:
                    name = replay.path.stem
                    _log.warning("%s: comes out otherwise from tick %d on, and counts up to there", name, tick.index)
                    return
                break
            else:
                return


def _played_again(replay: Replay, stage: LocalStage) -> Iterator[tuple[Tick, int]]:
    stage.reset(replay.seed)
    for actions, digest in zip([None, *replay.actions], replay.digests, strict=True):
        if actions is not None:
            stage.step(actions)
        yield stage.wait(), digest


def seat_spaces(replay: Replay) -> Mapping[AgentID, tuple[Any, Any]]:
    """Each agent's (observation space without its mask, action space); makes the game once.

    Raises ReplayError or StageError where it cannot be had here.
    """
    with LocalStage(replay.spec()) as stage:
        return dict(stage.spaces)
