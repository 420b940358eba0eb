"""Verifying: whether a replay comes out the same when it is played again, and what does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.controller import AgentID
from arcade.match.digest import same_value, tick_digest
from arcade.match.local import LocalStage
from arcade.match.replay import Replay, read_observations
from arcade.match.tick import Tick
from arcade.match.versions import versions


@dataclass(frozen=True)
class Verdict:
    """What re-simulating a replay showed."""

    ticks: int  # compared, the reset not counted
    differs_at: int | None  # the first tick whose rewards or observations differ, None where all agree
    problem: str = ""  # why it could not be re-simulated to its end
    what: str = ""  # what differs there, in words, as far as the recording tells

    @property
    def ok(self) -> bool:
        return self.differs_at is None and not self.problem


def verify(replay: Replay) -> Verdict:
    """Re-simulate headless and compare the digest of every tick.

    Some games let their seats see the screen itself, whose colours are others where the env is made to be drawn: what
    differs from the start on is tried as a window plays it too.
    """
    verdict = _compare(replay, drawable=False)
    if verdict.differs_at != 0:
        return verdict
    drawn = _compare(replay, drawable=True)
    return verdict if drawn.differs_at == 0 else drawn


def made_otherwise(replay: Replay) -> str:
    """Which packages have other versions here than where it was recorded, in words; "" where none has."""
    was, here = replay.head.get("versions"), versions()
    if not isinstance(was, dict):
        return ""
    others = [name for name, version in here.items() if was.get(name, version) != version]
    return ", ".join(f"{name} {was[name] or 'missing'} (here {here[name] or 'missing'})" for name in others)


def _compare(replay: Replay, *, drawable: bool) -> Verdict:
    with LocalStage(replay.spec(), drawable=drawable) as stage:
        stage.reset(replay.seed)
        for index, digest in enumerate(replay.digests):
            if index:
                stage.step(replay.actions[index - 1])
            tick = stage.wait()
            if tick_digest(tick) != digest:
                return Verdict(index, index, what=next(_unlike(replay, tick), ""))
            if tick.over and index + 1 < len(replay.digests):
                return Verdict(index, index + 1, "the game ended earlier than in the recording")
    return Verdict(len(replay.digests) - 1, None, replay.damage)


def _unlike(replay: Replay, tick: Tick) -> Iterator[str]:
    """What of the tick is not as it was recorded."""
    index = tick.index
    if index < len(replay.rewards):
        paid = replay.rewards[index]
        for agent in dict.fromkeys([*paid, *tick.rewards]):
            was, now = paid.get(agent, 0.0), float(tick.rewards.get(agent, 0.0))
            if was != now:
                yield f"the reward of {agent}: {now:g}, recorded {was:g}"
    if index < len(replay.acting) and tuple(tick.acting) != replay.acting[index]:
        yield f"who is to act: {_names(tick.acting)}, recorded {_names(replay.acting[index])}"
    for agent in tick.ended:
        if agent not in replay.ends.get(index, {}):
            yield f"the end of {agent}"
    masks = replay.masks[index] if index < len(replay.masks) else {}
    for agent, mask in masks.items():
        if not np.array_equal(mask, tick.action_masks.get(agent, ())):  # type: ignore[arg-type]
            yield f"the legal actions of {agent}"
    yield from _unlike_observations(tick, _observed(replay, index))


def _unlike_observations(tick: Tick, seen: dict[AgentID, Any]) -> Iterator[str]:
    for agent, observation in seen.items():
        if not same_value(observation, tick.observations.get(agent)):
            yield f"the observation of {agent}"
    others = [agent for agent in tick.observations if agent not in seen]
    if others:
        yield f"the observation of {others[0]}" if len(others) == 1 else f"an observation of {_names(others)}"


def _observed(replay: Replay, index: int) -> dict[AgentID, Any]:
    """The observations of that tick that are in the file."""
    if not replay.observed:
        return {}
    return next((seen for at, seen in read_observations(replay.path) if at == index), {})


def _names(agents: Any) -> str:
    return ", ".join(map(str, agents)) or "nobody"
