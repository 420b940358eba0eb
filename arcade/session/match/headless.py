"""Matches without a window: beside a trainer, whose newest snapshot they follow, or from a recorded moment."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from agents.seats.controller import AgentID, SeatChoice
from agents.seats.kinds import parse_lineup
from agents.snapshots.store import open_store
from arcade.games.spec import GameSpec
from arcade.match.batch.in_process import SeriesResult
from arcade.match.play.result import NOT_ASKED, MatchResult
from arcade.match.playback.branch import Branch
from arcade.session.match.session import MatchSession
from arcade.session.match.setup import WindowOptions
from arcade.session.recordings.moments import MomentWord, branch_at, given_seats
from arcade.session.recordings.takeover import lineup_with
from arcade.session.seating import Seating
from arcade.session.services import Services
from arcade.session.settings import Settings

FAST = 1000.0
"""A speed, in multiples of a game's own rate, that no game reaches."""


def play_sessions(
    spec: GameSpec,
    lineup: Mapping[AgentID, SeatChoice],
    options: WindowOptions,
    *,
    episodes: int = 1,
    branch: Branch | None = None,
    on_session: Callable[[MatchSession], None] = lambda session: None,
) -> Iterator[MatchResult]:
    """Play `episodes` matches one after another; the results count on the ladder, but for those from a `branch`.

    `on_session` is called with each session before its match begins, for changes of its seats.  Raises
    StageError where the game fails, and UserError where a player does.
    """
    options = replace(options, featured=spec.id)
    with Services(options, settings=lambda: Settings(record_matches=False)) as services:
        services.warm_up()
        while not services.ready:
            _wait(services)
        stage = series = None
        for episode in range(episodes):
            start = branch and replace(branch, attempt=episode)
            session = MatchSession(services, spec, lineup, stage=stage, series=series, branch=start)
            on_session(session)
            while session.outcome is None:
                session.update(time.monotonic())
                _wait(services, 0.0 if session.is_begun else 0.001)
            stage, series = session.release_stage(), session.outcome.series.next()
            session.close()
            yield session.outcome.result
        if stage is not None:
            services.stages.free(stage)


def play_followed(
    spec: GameSpec, words: Iterable[str], options: WindowOptions, *, episodes: int = 1,
    on_session: Callable[[MatchSession], None] = lambda session: None,
) -> SeriesResult:  # fmt: skip
    """Play a series beside a trainer: seats without a word play its snapshots and follow the newest."""
    names = [card.name for card in open_store().list(spec.id)]
    default = Seating(spec, devices=(), snapshots=names, training=True).default
    lineup = parse_lineup(words, spec.agents, default=default)
    results = play_sessions(spec, lineup, options, episodes=episodes, on_session=on_session)
    return _series(results if options.ladder else (result.judged(NOT_ASKED) for result in results))


def play_moment(
    file: Path, moment: MomentWord, words: Iterable[str], options: WindowOptions, *, episodes: int = 1,
    on_session: Callable[[MatchSession], None] = lambda session: None,
) -> SeriesResult:  # fmt: skip
    """Play from a moment of a recording, each match anew; seats without a word have the recorded AI players."""
    branch = branch_at(file, moment)
    spec = branch.replay.spec()
    names = [card.name for card in open_store().list(spec.id)[::-1]]
    lineup = lineup_with(branch.replay, spec, branch.tick, names, given_seats(words, spec))
    return _series(play_sessions(spec, lineup, options, episodes=episodes, branch=branch, on_session=on_session))


def _series(results: Iterable[MatchResult]) -> SeriesResult:
    """Play matches to their end, and time them."""
    began = time.perf_counter()
    matches = list(results)
    return SeriesResult(matches=matches, replays=[], warnings=[], seconds=time.perf_counter() - began)


def _wait(services: Services, seconds: float = 0.001) -> None:
    services.update(time.monotonic())
    time.sleep(seconds)
