"""Measures whether a game is repeatable, so that its recordings need no observations.

Random legal actions are played once, headless, then again in fresh processes, the episodes in reverse order, headless
and drawn.  Where seats observe the screen, a drawn game may look different; it is then drawn twice and must repeat.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import packages_distributions, version

from agents.platform.forks import POSSIBLE
from agents.policies.random import RandomController
from agents.seats.controller import Action, AgentID, Turn
from arcade.games.exact import Exactness
from arcade.games.spec import GameSpec
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.saved_play import prove
from arcade.match.stage.stage import Stage, StageError
from arcade.match.stage.tick import Tick, TickParts, first_unlike, tick_parts

_distributions = cache(packages_distributions)
TICKS = 600
"""Ticks of each game, in at least two episodes."""


@dataclass
class MeasuredEpisode:
    """The actions of one episode, and a digest of each part of its ticks."""

    seed: int
    actions: list[dict[AgentID, Action]] = field(default_factory=list)  # of tick 1, 2, …
    parts: list[TickParts] = field(default_factory=list)  # `tick_parts` of tick 0, 1, …


def measure(spec: GameSpec, *, ticks: int = TICKS) -> Exactness:
    """Play `ticks` ticks of `spec` several times; raises StageError where the first play fails."""
    with HostedStage(spec, render=False) as stage:
        stage.wait_ready()
        played = _play(stage, ticks)
    compared = sum(len(episode.actions) for episode in played)
    differs, alike = _again(spec, played, render=False), True
    if not differs and (drawn := _again(spec, played, render=True)):
        alike, differs = False, _drawn_twice(spec, played, first=drawn)
    saves = not differs and _saves(spec, ticks, forks=False)
    forks = not differs and not saves and POSSIBLE and _saves(spec, ticks, forks=True)
    made_with = _made_with(spec)
    return Exactness(ticks=compared, differs=differs, alike=alike, saves=saves, forks=forks, versions=made_with)


def _saves(spec: GameSpec, ticks: int, *, forks: bool) -> bool:
    """Whether play from saved moments repeats exactly; with `forks` from copies of the whole process."""
    with HostedStage(spec, render=False) as stage:
        stage.wait_ready()
        stage.forks = forks
        return prove(stage, ticks=ticks).exact


def _play(stage: Stage, ticks: int) -> list[MeasuredEpisode]:
    """Random legal play: episodes of at most half the ticks, until there are as many."""
    episodes: list[MeasuredEpisode] = []
    while (left := ticks - sum(len(episode.actions) for episode in episodes)) > 0:
        episodes.append(_play_episode(stage, seed=len(episodes) + 1, most=min(left, max(1, ticks // 2))))
    return episodes


def _play_episode(stage: Stage, *, seed: int, most: int) -> MeasuredEpisode:
    seats = {agent: RandomController() for agent in stage.agents}
    for agent, controller in seats.items():
        controller.reset(stage.seat(agent), seed=zlib.crc32(f"{seed} {agent}".encode()))
    episode = MeasuredEpisode(seed)
    stage.reset(seed)
    while True:
        tick = stage.wait()
        episode.parts.append(tick_parts(tick))
        if tick.over or len(episode.actions) == most:
            return episode
        episode.actions.append({agent: _choose(seats[agent], tick, agent) for agent in tick.acting})
        stage.step(episode.actions[-1])


def _choose(controller: RandomController, tick: Tick, agent: AgentID) -> Action:
    controller.observe(Turn(agent, tick.index, tick.observations.get(agent), tick.action_masks.get(agent)))
    return controller.act()


def _again(spec: GameSpec, played: list[MeasuredEpisode], *, render: bool) -> str:
    """Repeat the episodes in a fresh process, the last one first; returns the first difference, or ""."""
    with HostedStage(spec, render=render) as stage:
        try:
            stage.wait_ready()
            return next(filter(None, (_compare(stage, episode) for episode in reversed(played))), "")
        except StageError as error:
            return f"when it is {'drawn' if render else 'played again'}: {error.message}"


def _compare(stage: Stage, episode: MeasuredEpisode) -> str:
    for index, (was, now) in enumerate(zip(episode.parts, _replayed(stage, episode), strict=True)):
        if unlike := first_unlike(was, now):
            return f"at tick {index} of seed {episode.seed}: {unlike}"
    return ""


def _drawn_twice(spec: GameSpec, played: list[MeasuredEpisode], *, first: str) -> str:
    """`first` is how it differed from undrawn play; returns where two drawn plays differ."""
    drawn = [MeasuredEpisode(episode.seed, episode.actions) for episode in played]
    try:
        with HostedStage(spec, render=True) as stage:
            stage.wait_ready()
            for episode in drawn:
                episode.parts = list(_replayed(stage, episode))
    except StageError:
        return f"when it is drawn, {first}"
    differs = _again(spec, drawn, render=True)
    return f"when it is drawn, {differs}" if differs else ""


def _replayed(stage: Stage, episode: MeasuredEpisode) -> Iterator[TickParts]:
    """The `tick_parts` of each tick, played again."""
    stage.reset(episode.seed)
    yield tick_parts(stage.wait())
    for actions in episode.actions:
        stage.step(actions)
        yield tick_parts(stage.wait())


def _made_with(spec: GameSpec) -> Mapping[str, str]:
    """The packages of the modules that the game names, and their versions."""
    modules = (spec.entry.partition(":")[0], *spec.requires)
    names = {name for module in modules for name in _distributions().get(module.partition(".")[0], ())}
    own = ["pettingzoo-arcade"] if spec.entry.startswith("arcade.") else []  # in no list where it runs from its folder
    return {name: version(name) for name in (*own, *sorted(names))}
