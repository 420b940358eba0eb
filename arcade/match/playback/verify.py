"""Verifies a replay by simulating it again and comparing digests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from agents.seats.controller import AgentID
from arcade.match.play.result import versions
from arcade.match.playback.reader import read_observations
from arcade.match.playback.replay import Replay
from arcade.match.stage.local import LocalStage
from arcade.match.stage.stage import StageError
from arcade.match.stage.tick import Tick, first_unlike, tick_parts


@dataclass(frozen=True)
class Verdict:
    """The outcome of verifying a replay."""

    ticks: int  # compared, the reset not counted
    differs_at: int | None  # the first tick that differs, None where all agree
    problem: str = ""  # why it could not be simulated to its end
    what: str = ""  # the part that differs there, in words, as far as it is recorded

    @property
    def ok(self) -> bool:
        return self.differs_at is None and not self.problem


Ticks = Iterator[dict[AgentID, Any]]
"""What each tick has in the file."""


def verify(replay: Replay, *, watch: Callable[[Ticks, int], Ticks] = lambda ticks, total: ticks) -> Verdict:
    """Simulate again, headless, and compare the digest and all recorded parts of every tick.

    `watch` wraps the iterator of the `total` ticks, for example in a progress bar.

    Where seats observe the screen its colours may depend on whether the env is made to be drawn, so a recording that
    differs from the start is also played as a window plays it.
    """
    verdict = _compare(replay, watch, drawable=False)
    if verdict.differs_at != 0:
        return verdict
    drawn = _compare(replay, watch, drawable=True)
    return verdict if drawn.differs_at == 0 else drawn


def made_otherwise(replay: Replay) -> str:
    """The packages whose versions differ from those at the recording, in words; "" without any."""
    was, here = replay.head.get("versions"), versions()
    if not isinstance(was, dict):
        return ""
    others = [name for name, version in here.items() if was.get(name, version) != version]
    return ", ".join(f"{name} {was[name] or 'missing'} (here {here[name] or 'missing'})" for name in others)


def simulated(replay: Replay, *, drawable: bool, checked: bool = True) -> Iterator[Tick]:
    """Each tick of the recorded actions, simulated in this process; `drawable` and `checked` as for a LocalStage."""
    with LocalStage(replay.spec(), drawable=drawable, checked=checked) as stage:
        stage.reset(replay.seed)
        yield stage.wait()
        for actions in replay.actions:
            stage.step(actions)
            yield stage.wait()


def _compare(replay: Replay, watch: Callable[[Ticks, int], Ticks], *, drawable: bool) -> Verdict:
    ticks = simulated(replay, drawable=drawable)
    for index, seen in enumerate(watch(_recorded_observations(replay), len(replay.digests))):
        try:
            tick = next(ticks)
        except StageError as error:
            if not index:
                raise
            return Verdict(index, index, error.message)
        what = _difference(replay, tick, seen)
        if what or not replay.is_same(tick):
            return Verdict(index, index, what=what or _observation_of(tick.observations.keys() - seen.keys(), tick))
        if tick.over and index + 1 < len(replay.digests):
            return Verdict(index, index + 1, "the game ended earlier than in the recording")
    return Verdict(len(replay.digests) - 1, None, replay.damage)


def _recorded_observations(replay: Replay) -> Ticks:
    """Each tick's observations in the file."""
    found = read_observations(replay.path) if replay.observed else iter(())
    newest = next(found, None)
    for index in range(len(replay.digests)):
        if newest is None or newest[0] != index:
            yield {}
        else:
            yield newest[1]
            newest = next(found, None)


def _difference(replay: Replay, tick: Tick, seen: Mapping[AgentID, Any]) -> str:
    """The first part that differs from the file, in words; the digest covers observations that the file lacks."""
    ends = replay.ends.get(tick.index, {})
    recorded = Tick(
        tick.index, replay.acting[tick.index], seen, replay.masks[tick.index],
        rewards={**dict.fromkeys(tick.rewards, 0.0), **replay.rewards[tick.index]},
        terminations={agent: end == "terminated" for agent, end in ends.items()}, ended=tuple(ends),
    )  # fmt: skip
    observed = {agent: tick.observations[agent] for agent in seen if agent in tick.observations}
    now, was = tick_parts(replace(tick, observations=observed)), tick_parts(recorded)
    part = first_unlike(now, was)
    if isinstance(now.get(part, was.get(part, 0)), int):
        return part
    return f"{part}: {now.get(part, 'none')}, recorded {was.get(part, 'none')}"


def _observation_of(agents: Collection[AgentID], tick: Tick) -> str:
    """In words: an observation of one of `agents`."""
    names = [str(agent) for agent in tick.observations if agent in agents]
    return f"{'the' if len(names) == 1 else 'an'} observation of {', '.join(names)}" if names else ""
