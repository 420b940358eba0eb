"""Recording: a match written down as it is played, by a thread of its own; `replay_format` has the file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agents.records import pack_record
from agents.seats.controller import Action, AgentID
from arcade.match.play.recorder import MatchStart, Occupant
from arcade.match.play.result import MatchResult, SeatChange
from arcade.match.play.versions import versions
from arcade.match.recording.buffers import Buffers
from arcade.match.recording.cast import Cast
from arcade.match.recording.format import MAGIC, MAX_TICKS, SUFFIX
from arcade.match.recording.options import RecordingOptions
from arcade.match.recording.tick_encoder import TICK_BYTES, CopiedTick, TickEncoder, take_down
from arcade.match.recording.writer import BackgroundFile
from arcade.match.stage.tick import Tick


class ReplayWriter:
    """A match's recorder; the file is flushed every half second.

    People who did not agree to be named (`Controller.person`) are "person 1", "person 2" … in all of the file.
    """

    def __init__(self, path: Path, options: RecordingOptions | None = None) -> None:
        self.path = path
        self.options = options or RecordingOptions()
        self._buffers = Buffers()
        self._encoder = TickEncoder(self._buffers)
        self._file: BackgroundFile[list[Any] | CopiedTick] = BackgroundFile(path, self._encode, magic=MAGIC)
        self._cast = Cast()
        self._observed: frozenset[AgentID] = frozenset()  # whose observations are written down
        self._is_late = False  # the disk was too slow for observations
        self._is_full = False

    @property
    def trouble(self) -> str:
        if self._file.failure:
            return f"could not be written: {self._file.failure}"
        if self._is_full:
            return f"ends at tick {MAX_TICKS - 1}: none is longer"
        if self._is_late:
            return "lacks what seats saw at some ticks: the disk is too slow"
        return "lacks what seats saw at some ticks: it is too large" if self._encoder.too_large else ""

    @property
    def warning(self) -> str:
        """What of the match is not in which file, and why, "" while all is; the match goes on."""
        return f"{self.path.name} {self.trouble}" if self.trouble else ""

    def start(self, match: MatchStart) -> None:
        self._observes = self.options.observes(match.spec)
        sources = [self._cast.seat(occupant) for occupant in match.seats]
        head = {
            "game": match.spec.id,
            "kwargs": dict(match.spec.kwargs),
            "agents": list(match.spec.agents),
            "seed": match.seed,
            "lineup": {source.agent: source.label for source in sources},
            "settings": dict(match.settings),
            "versions": versions(),
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        self._record(["head", head])
        for occupant in match.seats:
            self._seated(occupant.agent)

    def tick(self, tick: Tick, actions: dict[AgentID, Action], seconds: float) -> None:
        self._is_full = self._is_full or tick.index >= MAX_TICKS
        if self._is_full or self._file.failure:
            return
        taken = take_down(tick, actions, seconds, self._observed, self._buffers)
        if not self._file.has_room(taken.size):
            taken = self._make_room(taken)
        self._file.write(taken, taken.size)

    def _make_room(self, taken: CopiedTick) -> CopiedTick:
        if self.options.patient:
            self._file.wait_for_room(taken.size)
            return taken
        self._is_late = self._is_late or bool(taken.observed)
        return taken.without_observations()

    def changed(self, change: SeatChange, occupant: Occupant) -> None:
        self._cast.seat(occupant, change.why)
        self._record(["seat", self._cast.change(asdict(change))])
        self._seated(occupant.agent)

    def answered(self, occupant: Occupant) -> None:
        before = self._cast.sources[occupant.agent]
        if self._cast.seat(replace(occupant, since=before.tick)) != before:
            self._seated(occupant.agent)

    def rewound(self, tick: Tick, seconds: float) -> None:
        self._record(["rewind", tick.index, seconds])

    def finish(self, result: MatchResult) -> None:
        self._record(["end", self._cast.result(result)])
        self._file.finish()

    def close(self) -> None:
        """Wait until all is on disk; not for a window."""
        self._file.close()

    def _seated(self, agent: AgentID) -> None:
        """Write down who sits there now."""
        source = self._cast.sources[agent]
        self._record(["source", asdict(source)])
        if self._observes and (self.options.seats == "all" or source.human):
            self._observed |= {agent}

    def _record(self, record: list[Any]) -> None:
        self._file.write(record, TICK_BYTES)

    def _encode(self, thing: list[Any] | CopiedTick) -> Iterable[bytes | bytearray]:
        """In the thread."""
        if isinstance(thing, CopiedTick):
            return self._encoder.encode(thing)
        if thing[0] == "rewind":
            self._encoder.rewound(thing.pop())
        return [pack_record(thing)]


def new_replay_path(folder: Path, game: str) -> Path:
    """A fresh name in `folder`: game, time and process, so that two arcades never write one file."""
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in game)
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    return folder / f"{name}-{stamp}-{os.getpid()}{SUFFIX}"
