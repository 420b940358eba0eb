"""ReplayWriter: records a match while it is played, on a thread of its own; TickEncoder encodes the ticks.

`format` describes the file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np

from agents.records import MAX_RECORD_BYTES, pack_record
from agents.seats.controller import Action, AgentID
from arcade.games.spec import GameSpec
from arcade.match.play.result import MatchResult, Recorder, RecordingSource, SeatChange, versions
from arcade.match.recording.compressed_file import CompressedFile
from arcade.match.recording.format import MAGIC, MAX_TICKS, SUFFIX, TIME_UNIT, RecordingOptions
from arcade.match.recording.observations import Part, Shape, pack_part
from arcade.match.stage.tick import Tick, once_each, tick_digest

Gap = Literal["", "unwritten", "too long", "slow disk", "too large"]
"""Why a recording has a gap; "" without one."""


class RecordsFile(Protocol):
    """Takes the records of a match in order."""

    failure: str  # why none is taken any more, "" while they are

    @property
    def has_room(self) -> bool: ...

    def wait_for_room(self) -> None: ...

    def write(self, data: bytes) -> None: ...

    def finish(self) -> None: ...

    def close(self) -> None: ...


class ReplayWriter(Recorder):
    """A match's recorder; the file is flushed every half second.

    People who did not agree to be named (`Controller.person`) are "person 1", "person 2" … throughout the file.
    """

    def __init__(self, path: Path, options: RecordingOptions | None = None, *, file: RecordsFile | None = None) -> None:
        """`file`: where the records go; None: to the one at `path`."""
        self.path = path
        self.options = options or RecordingOptions()
        self._encoder = TickEncoder()
        self._file = file or CompressedFile(path, magic=MAGIC)
        self._seats = SeatSources()
        self._observed: frozenset[AgentID] = frozenset()  # seats whose observations are recorded
        self._is_late = False  # the disk was too slow for observations
        self._is_full = False

    @property
    def gap(self) -> Gap:
        """Why a part of the match is missing; "" while none is."""
        if self._file.failure:
            return "unwritten"
        if self._is_full:
            return "too long"
        if self._is_late:
            return "slow disk"
        return "too large" if self._encoder.too_large else ""

    @property
    def trouble(self) -> str:
        """The gaps of the recording and their reason, to follow "the recording"; "" without any."""
        words: dict[Gap, str] = {
            "": "",
            "unwritten": f"could not be written: {self._file.failure}",
            "too long": f"ends at tick {MAX_TICKS - 1}, the longest length",
            "slow disk": "lacks what seats saw at some ticks: the disk is too slow",
            "too large": "lacks what seats saw at some ticks: it is too large",
        }
        return words[self.gap]

    @property
    def warning(self) -> str:
        """What is missing from which file, and why; "" while nothing is."""
        return f"{self.path.name} {self.trouble}" if self.trouble else ""

    def start(
        self, spec: GameSpec, seed: int, settings: Mapping[str, Any], sources: Sequence[RecordingSource]
    ) -> None:  # fmt: skip
        self._observes = self.options.observes(spec)
        self._agents = {str(agent): agent for agent in spec.agents}
        sources = [self._seats.seat(source) for source in sources]
        head = {
            "game": spec.id,
            "kwargs": dict(spec.kwargs),
            "agents": list(spec.agents),
            "seed": seed,
            "lineup": {source.agent: source.label for source in sources},
            "settings": dict(settings),
            "versions": dict(versions()),
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        self._record(["head", head])
        for source in sources:
            self._seated(source)

    def tick(self, tick: Tick, actions: dict[AgentID, Action], seconds: float) -> None:
        self._is_full = self._is_full or tick.index >= MAX_TICKS
        if self._is_full or self._file.failure:
            return
        observed: frozenset[AgentID] = self._observed
        if self.options.patient:
            self._file.wait_for_room()
        elif observed and not self._file.has_room:
            self._is_late, observed = True, frozenset()
        self._write(lambda: self._encoder.encode(tick, actions, seconds, observed))

    def changed(self, change: SeatChange, source: RecordingSource) -> None:
        source = self._seats.seat(source, change.why)
        self._record(["seat", self._seats.change(asdict(change))])
        self._seated(source)

    def answered(self, source: RecordingSource) -> None:
        before = self._seats.sources[source.agent]
        source = self._seats.seat(replace(source, tick=before.tick))
        if source != before:
            self._seated(source)

    def rewound(self, tick: Tick, seconds: float) -> None:
        self._encoder.rewound(seconds)
        self._record(["rewind", tick.index])

    @property
    def people(self) -> dict[str, str]:
        """The names of people that the file does not tell: "person 1" → "Ann"."""
        return self._seats.people

    def know(self, people: Mapping[str, str]) -> None:
        """Note unnamed people of the recording that is continued: "person 1" → the name; before its first tick."""
        self._seats.know(people)

    def finish(self, result: MatchResult) -> None:
        self._record(["end", self._seats.result(result)])
        self._file.finish()

    def close(self) -> None:
        """Wait until all is on disk; not for a window."""
        self._file.close()

    def _seated(self, source: RecordingSource) -> None:
        self._record(["source", asdict(source)])
        if self._observes and (self.options.seats == "all" or source.human):
            self._observed |= {self._agents[source.agent]}

    def _record(self, record: list[Any]) -> None:
        self._write(lambda: pack_record(record))

    def _write(self, encode: Callable[[], bytes]) -> None:
        try:
            self._file.write(encode())
        except Exception as error:  # noqa: BLE001  (a game may return anything; the player sees `failure`)
            self._file.failure = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"


class SeatSources:
    """Every seat's newest RecordingSource; people who did not agree to be named are "person 1", "person 2" …"""

    def __init__(self) -> None:
        self.sources: dict[str, RecordingSource] = {}
        self._numbers: dict[str, int] = {}  # label of an unnamed person → number
        self._shown: dict[tuple[str, str], str] = {}  # (seat, label) → label in the file
        self._known: dict[str, str] = {}  # label in the file → name, of a recording that is continued

    def know(self, people: Mapping[str, str]) -> None:
        """Give people their number in the recording that is continued, so that each has one name throughout."""
        self._known = dict(people)
        numbers = {shown: shown.rpartition(" ")[2] for shown in people}
        self._numbers = {people[shown]: int(number) for shown, number in numbers.items() if number.isdecimal()}

    def seat(self, source: RecordingSource, why: str = "policy") -> RecordingSource:
        """Note the seat's new source and return it as it is written; `why` as in a SeatChange."""
        before = self.sources.get(source.agent)
        sat_in = before is not None and before.takeover and why == "policy"
        takeover = source.human and (why == "takeover" or sat_in)
        self.sources[source.agent] = shown = replace(source, label=self._label(source), takeover=takeover)
        return shown

    def _label(self, source: RecordingSource) -> str:
        if not source.human or source.person:
            return source.label
        number = self._numbers.setdefault(source.label, max(self._numbers.values(), default=0) + 1)
        return self._shown.setdefault((source.agent, source.label), f"person {number}")

    @property
    def people(self) -> dict[str, str]:
        """The names of unnamed people, by their labels in the file."""
        return self._known | {shown: label for (_agent, label), shown in self._shown.items()}

    def shown(self, agent: str, label: str) -> str:
        """The label in the file of a controller that has or had that seat."""
        return self._shown.get((agent, label), label)

    def report(self, agent: str, report: Mapping[str, Any]) -> dict[str, Any]:
        """A controller's report, without the name of an unnamed person."""
        return {**report, "name": self.shown(agent, str(report["name"]))} if "name" in report else dict(report)

    def result(self, result: MatchResult) -> dict[str, Any]:
        """The result as JSON, without the names of unnamed people."""
        data = result.as_json()
        data["lineup"] = {agent: self.shown(agent, label) for agent, label in data["lineup"].items()}
        data["seats"] = {agent: self.report(agent, report) for agent, report in data["seats"].items()}
        data["changes"] = [self.change(change) for change in data["changes"]]
        for (_, label), shown in self._shown.items():
            data["error"] = data["error"].replace(label, shown)
        return data

    def change(self, change: Mapping[str, Any]) -> dict[str, Any]:
        """A SeatChange as JSON, without the names of unnamed people."""
        agent = change["agent"]
        return {**change, "label": self.shown(agent, change["label"]), "left": self.report(agent, change["left"])}


def new_replay_path(folder: Path, game: str) -> Path:
    """A fresh name in `folder` from game, time and process, so that two arcades never write one file."""
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in game)
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    return folder / f"{name}-{stamp}-{os.getpid()}{SUFFIX}"


MAX_SEEN_BYTES = MAX_RECORD_BYTES // 2
"""Most bytes of observations in one tick; larger records could not be read."""


class TickEncoder:
    """Encodes the ticks of one file, in order."""

    def __init__(self) -> None:
        self.too_large = False  # whether there were observations that no record holds
        self._layouts: dict[tuple[tuple[AgentID, Shape], ...], int] = {}
        self._acting: tuple[AgentID, ...] | None = None  # as the record before has it
        self._time = 0

    def rewound(self, seconds: float) -> None:
        """The next tick does not follow the one before, but a moment that the match was back at `seconds`."""
        self._acting, self._time = None, round(seconds / TIME_UNIT)

    def encode(
        self, tick: Tick, actions: Mapping[AgentID, Action], seconds: float, observed: Collection[AgentID]
    ) -> bytes:  # fmt: skip
        """The record of a tick, behind that of its layout where that is new; it shares no array with env and seats.

        `actions` are those sent, `seconds` since the match's start, `observed` the seats whose observations are kept.
        Raises WireError for what no record holds.
        """
        parts = once_each(((agent, seen) for agent, seen in tick.observations.items() if agent in observed), pack_part)
        if parts and sum({id(part): len(part.data) for _, part in parts}.values()) > MAX_SEEN_BYTES:
            self.too_large, parts = True, []
        layout, seen = self._layout(parts) if parts else (b"", None)
        now, executed = max(self._time, round(seconds / TIME_UNIT)), tick.executed
        record = [
            "tick",
            tick.index,
            now - self._time,
            tick_digest(tick),
            None if tick.acting == self._acting else tick.acting,
            list({**actions, **executed}.items()),
            [(agent, reward) for agent, reward in tick.rewards.items() if reward],
            [(agent, np.asarray(mask, np.int8)) for agent, mask in tick.action_masks.items() if mask is not None],
            list(tick.ends.items()),
            [(agent, actions[agent]) for agent in executed],
            seen,
        ]
        self._acting, self._time = tick.acting, now
        return layout + pack_record(record)

    def _layout(self, parts: Sequence[tuple[AgentID, Part]]) -> tuple[bytes, list[object]]:
        """The record of a new layout, and the field of a tick with observations."""
        layout = tuple([(agent, part.shape) for agent, part in parts])
        is_new = layout not in self._layouts
        number = self._layouts.setdefault(layout, len(self._layouts))
        values = [value for _, part in parts for value in part.values]
        return pack_record(["layout", layout]) if is_new else b"", [number, _shared(parts), values]


def _shared(parts: Sequence[tuple[AgentID, Part]]) -> list[bytes | int]:
    """The bytes of each, or the place of those before where they are one object."""
    shared: list[bytes | int] = []
    last, at = None, 0
    for place, (_, part) in enumerate(parts):
        shared.append(at if part is last else part.data)
        if part is not last:
            last, at = part, place
    return shared
