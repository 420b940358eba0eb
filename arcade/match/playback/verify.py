"""Verifies that a replay comes out the same when it is played again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.seats.controller import AgentID
from arcade.match.play.versions import versions
from arcade.match.playback.reader import read_observations
from arcade.match.playback.replay import Replay
from arcade.match.recording.tick_encoder import ends_of
from arcade.match.stage.digest import same_value, tick_digest
from arcade.match.stage.local import LocalStage
from arcade.match.stage.stage import StageError
from arcade.match.stage.tick import Tick


@dataclass(frozen=True)
class Verdict:
    """The outcome of verifying a replay."""

    ticks: int  # compared, the reset not counted
    differs_at: int | None  # the first tick that is not as it was recorded, None where all agree
    problem: str = ""  # why it could not be re-simulated to its end
    what: str = ""  # what differs there, in words, as far as the recording tells

    @property
    def ok(self) -> bool:
        return self.differs_at is None and not self.problem


def verify(replay: Replay) -> Verdict:
    """Simulate again, headless, and compare the digest and all recorded parts of every tick.

    Some games let their seats see the screen itself, whose colours are others where the env is made to be drawn: what
    differs from the start on is tried as a window plays it too.
    """
    verdict = _compare(replay, drawable=False)
    if verdict.differs_at != 0:
        return verdict
    drawn = _compare(replay, drawable=True)
    return verdict if drawn.differs_at == 0 else drawn


def made_otherwise(replay: Replay) -> str:
    """The packages whose versions differ from those at the recording, in words; "" without any."""
    was, here = replay.head.get("versions"), versions()
    if not isinstance(was, dict):
        return ""
    others = [name for name, version in here.items() if was.get(name, version) != version]
    return ", ".join(f"{name} {was[name] or 'missing'} (here {here[name] or 'missing'})" for name in others)


def _compare(replay: Replay, *, drawable: bool) -> Verdict:
    with LocalStage(replay.spec(), drawable=drawable) as stage:
        stage.reset(replay.seed)
        for index, (digest, seen) in enumerate(zip(replay.digests, _recorded_observations(replay), strict=True)):
            try:
                if index:
                    stage.step(replay.actions[index - 1])
            except StageError as error:
                return Verdict(index, index, error.message)
            tick = stage.wait()
            what = next(_unlike(replay, tick, seen), "")
            if what or tick_digest(tick) != digest:
                return Verdict(index, index, what=what or _observation_of(tick.observations.keys() - seen.keys(), tick))
            if tick.over and index + 1 < len(replay.digests):
                return Verdict(index, index + 1, "the game ended earlier than in the recording")
    return Verdict(len(replay.digests) - 1, None, replay.damage)


def _recorded_observations(replay: Replay) -> Iterator[dict[AgentID, Any]]:
    """Each tick's observations in the file."""
    found = read_observations(replay.path) if replay.observed else iter(())
    newest = next(found, None)
    for index in range(len(replay.digests)):
        if newest is None or newest[0] != index:
            yield {}
        else:
            yield newest[1]
            newest = next(found, None)


def _unlike(replay: Replay, tick: Tick, seen: Mapping[AgentID, Any]) -> Iterator[str]:
    """The differences from the file, rewards first; the digest covers observations that the file lacks."""
    index = tick.index
    paid = replay.rewards[index]
    for agent in {**paid, **tick.rewards}:
        was, now = paid.get(agent, 0.0), float(tick.rewards.get(agent, 0.0))
        if was != now and (was == was or now == now):  # two that are no numbers are alike
            yield f"the reward of {agent}: {now:g}, recorded {was:g}"
    if tuple(tick.acting) != replay.acting[index]:
        yield f"who is to act: {_names(tick.acting)}, recorded {_names(replay.acting[index])}"
    ended, ends = ends_of(tick), replay.ends.get(index, {})
    for agent in {**ends, **ended}:
        if ended.get(agent) != ends.get(agent):
            yield f"the end of {agent}: {ended.get(agent, 'none')}, recorded {ends.get(agent, 'none')}"
    legal = {agent: mask for agent, mask in tick.action_masks.items() if mask is not None}
    for agent in {**replay.masks[index], **legal}:
        if not np.array_equal(replay.masks[index].get(agent, ()), legal.get(agent, ())):
            yield f"the legal actions of {agent}"
    for agent, observation in seen.items():
        if not same_value(observation, tick.observations.get(agent)):
            yield f"the observation of {agent}"


def _observation_of(agents: Collection[AgentID], tick: Tick) -> str:
    """In words: an observation of one of `agents`."""
    names = [agent for agent in tick.observations if agent in agents]
    return f"{'the' if len(names) == 1 else 'an'} observation of {_names(names)}" if names else ""


def _names(agents: Any) -> str:
    return ", ".join(map(str, agents)) or "nobody"
