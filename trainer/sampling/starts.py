"""Recorded starts: moments of recorded matches that training episodes start from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.errors import UserError
from agents.files import folder
from arcade.games.spec import GameSpec
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.vector_env import Start, VectorEnv
from arcade.match.playback.reader import read_replay
from arcade.match.playback.replay import Replay
from arcade.match.stage.local import LocalStage
from arcade.recordings.library import RecordingLibrary
from trainer.config import ConfigError
from trainer.config.sections import RecordedStartSettings

FIELD = "start_from_recordings.recordings"


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """A recorded match, from whose ticks `first` to `last` moments are drawn."""

    start: Start  # of its last moment
    first: int

    @property
    def last(self) -> int:
        return len(self.start.moves)


def read_starts(settings: RecordedStartSettings, spec: GameSpec) -> tuple[RecordedMatch, ...]:
    """The recordings of the settings, which `check_starts` has played; raises ConfigError where one is not there."""
    return tuple(_read(word, settings, spec)[0] for word in _words(settings))


def check_starts(settings: RecordedStartSettings, spec: GameSpec) -> None:
    """Raise ConfigError where a recording of the settings is missing or does not fit the game.

    Each is played again as training plays it, and must come out as it was recorded.
    """
    if not (words := _words(settings)):
        return
    with make_vector_env(spec, 1) as env:
        try:
            env.hold(())
        except NotImplementedError as error:
            raise ConfigError(f"{FIELD}: {error}") from error
    with LocalStage(spec, checked=False) as stage:
        for word in words:
            match, replay = _read(word, settings, spec)
            _check(replay, match.last, stage, split(word)[0])


def _words(settings: RecordedStartSettings) -> Sequence[str]:
    """The recordings that episodes start from."""
    return settings.recordings if settings.ratio else ()


def _read(word: str, settings: RecordedStartSettings, spec: GameSpec) -> tuple[RecordedMatch, Replay]:
    name, tick = split(word)
    try:
        replay = read_replay(_file(name))
    except UserError as error:
        raise ConfigError(f"{FIELD}: {error}", code=error.code) from error
    if replay.head.get("game") != spec.id:
        raise ConfigError(f"{FIELD}: expected recordings of {spec.id}, got: {name}, of {replay.head.get('game')}")
    last = len(replay.actions) - (not replay.acting[-1])  # no seat acts at the end
    if tick is not None and not 0 <= tick <= last:
        raise ConfigError(f"{FIELD}: expected a tick from 0 to {last} of {name}, got: {tick}")
    first, last = (tick, tick) if tick is not None else (int(settings.earliest * last), int(settings.latest * last))
    return RecordedMatch(Start(replay.seed, replay.actions[:last], replay.start), first), replay


def split(word: str) -> tuple[str, int | None]:
    """A recording, and the tick behind its last @.

    >>> split("first rally@120"), split("ann@home"), split("latest")
    (('first rally', 120), ('ann@home', None), ('latest', None))
    """
    name, _sign, tick = word.rpartition("@")
    return (name, int(tick)) if name and tick.isdecimal() else (word, None)


def _file(name: str) -> Path:
    path = Path(name)
    return path if path.is_file() else RecordingLibrary(folder("replays")).get(name).path


def _check(replay: Replay, last: int, stage: LocalStage, name: str) -> None:
    """Raise ConfigError where the match does not come out the same; what seats see may be another format here."""
    stage.start = replay.start
    stage.reset(replay.seed)
    for index in range(last + 1):
        try:
            if index:
                stage.step(replay.actions[index - 1])
            tick = stage.wait()
        except UserError as error:
            raise ConfigError(f"{FIELD}: {name} cannot be played to tick {index}: {error}") from error
        if not replay.is_same(tick, by_rewards=True) or tick.acting != replay.acting[index]:
            raise ConfigError(
                f"{FIELD}: expected a recording that the game of this training repeats, got: {name}, which differs at "
                f"tick {index}; leave it out, or set game_kwargs as it was recorded"
            )


class RecordedStarts:
    """Draws the starts of episodes of one runner."""

    def __init__(
        self, matches: Iterable[RecordedMatch], settings: RecordedStartSettings, env: VectorEnv,
        rng: np.random.Generator,
    ) -> None:  # fmt: skip
        self._matches, self._settings, self._env = tuple(matches), settings, env
        self.held = self._draw(rng) if self._matches else ()
        if self.held:
            env.hold(self.held)

    def begin(self, envs: NDArray[np.intp], seeds: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.bool_]:
        """Begin episodes in `envs`, at a moment or from the seed; True where it is a moment, (M,)."""
        recorded = rng.random(len(envs)) < self._settings.ratio if self.held else np.zeros(len(envs), np.bool_)
        plain = ~recorded
        if plain.any():
            self._env.reset(envs[plain], seeds[plain])
        if recorded.any():
            self._env.reset_at(envs[recorded], rng.integers(len(self.held), size=int(recorded.sum())))
        return recorded

    def _draw(self, rng: np.random.Generator) -> Sequence[Start]:
        """Moments, each once where there are few."""
        drawn: dict[tuple[int, int], Start] = {}
        for _ in range(self._settings.moments):
            number = int(rng.integers(len(self._matches)))
            match = self._matches[number]
            tick = int(rng.integers(match.first, match.last + 1))
            drawn[number, tick] = match.start._replace(moves=match.start.moves[:tick])
        return tuple(drawn.values())
