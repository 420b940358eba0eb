"""Matches without a window: as fast as they can, or at a given speed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.seats.controller import AgentID, Controller, SeatChoice
from agents.snapshots.store import SnapshotStore
from arcade.games.spec import GameSpec
from arcade.match.play.lineup import close_mapping, make_mapping
from arcade.match.play.match import Match
from arcade.match.play.result import MatchResult
from arcade.match.play.seats import PolicyMapping
from arcade.match.recording.options import PATIENT, RecordingOptions
from arcade.match.recording.recording import ReplayWriter, new_replay_path
from arcade.match.stage.local import LocalStage
from arcade.match.stage.rules import PLAIN, StageRules
from arcade.match.stage.stage import Stage


@dataclass(frozen=True, kw_only=True)
class Series:
    """How many matches to play, and how."""

    episodes: int = 1
    seed: int = 0  # of the first match; each later one counts up by one
    max_ticks: int | None = None  # a match; None: until the game ends
    speed: float | None = None  # times the game's own rate; None: as fast as it can
    record: Path | None = None  # the folder for replays; None: no recording
    recording: RecordingOptions = PATIENT
    rules: StageRules = PLAIN

    def __post_init__(self) -> None:
        if self.episodes < 1:
            raise ValueError(f"expected episodes >= 1, got: {self.episodes}")
        if self.speed is not None and not self.speed > 0:
            raise ValueError(f"expected speed > 0, got: {self.speed}")
        if self.max_ticks is not None and self.max_ticks < 1:
            raise ValueError(f"expected max_ticks >= 1, got: {self.max_ticks}")


@dataclass(frozen=True, kw_only=True)
class SeriesResult:
    """The results of a series, in order."""

    matches: list[MatchResult]
    replays: list[Path]
    warnings: list[str]  # what is not in which replay, and why
    seconds: float  # of playing, without making the game

    def as_json(self) -> dict[str, Any]:
        ticks = sum(result.ticks for result in self.matches)
        late: dict[str, int] = {}
        for result in self.matches:
            for agent, count in result.late.items():
                late[agent] = late.get(agent, 0) + count
        return {
            "game": self.matches[0].game,
            "matches": [result.as_json() for result in self.matches],
            "ticks": ticks,
            "seconds": self.seconds,
            "ticks_per_second": ticks / self.seconds if self.seconds else 0.0,
            "late": late,
            "replays": [str(path) for path in self.replays],
        }


NO_CONTROLLERS: Mapping[AgentID, Controller] = {}

Watcher = Callable[[Match], None]
"""Is handed each match that begins, to follow it (its `tick`, `scores`) from another thread."""


def play_series(
    spec: GameSpec,
    lineup: Mapping[AgentID, SeatChoice],
    series: Series,
    *,
    store: SnapshotStore,
    controllers: Mapping[AgentID, Controller] = NO_CONTROLLERS,
    on_result: Callable[[MatchResult], None] = lambda result: None,
    on_match: Watcher = lambda match: None,
    on_end: Callable[[LocalStage], None] = lambda stage: None,
    drawable: bool = False,
) -> SeriesResult:
    """Play a series in this process; a match that fails ends it, with the error in its result.

    `controllers` decide for the seats that `lineup` leaves out, and are closed with the others.  `on_end` gets the
    stage before it closes (it can be looked at where `drawable`).
    """
    with LocalStage(spec, drawable=drawable, rules=series.rules) as stage:
        made = {**make_mapping(stage, lineup, store=store), **controllers}
        mapping = {agent: made[agent] for agent in spec.agents}
        try:
            played = _play(stage, mapping, series, on_result, on_match)
            on_end(stage)
        finally:
            close_mapping(mapping)
    return played


def _play(
    stage: Stage,
    mapping: PolicyMapping,
    series: Series,
    on_result: Callable[[MatchResult], None],
    on_match: Watcher,
) -> SeriesResult:
    results: list[MatchResult] = []
    replays: list[Path] = []
    warnings: list[str] = []
    began = time.perf_counter()
    for episode in range(series.episodes):
        with ExitStack() as stack:
            writer = _writer(stage, series)
            if writer:
                stack.callback(writer.close)  # a series may be long, and each holds memory
                replays.append(writer.path)
            match = Match(
                stage,
                mapping,
                seed=(series.seed + episode) % 2**32,
                rate=stage.spec.fps * series.speed if series.speed else None,
                max_ticks=series.max_ticks,
                recorder=writer,
                settings={"speed": series.speed},
            )
            on_match(match)
            results.append(match.run())
            on_result(results[-1])
        if writer and writer.warning:
            warnings.append(writer.warning)
        if results[-1].error:
            break
    seconds = time.perf_counter() - began
    return SeriesResult(matches=results, replays=replays, warnings=warnings, seconds=seconds)


def _writer(stage: Stage, series: Series) -> ReplayWriter | None:
    return ReplayWriter(new_replay_path(series.record, stage.spec.id), series.recording) if series.record else None
