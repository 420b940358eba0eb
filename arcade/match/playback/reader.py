"""Reads replay files, which may come from anywhere; `recording.format` describes them.

The reader's loop::

    replay = read_replay(path)
    for tick, actions in enumerate(replay.actions):        # what led from `tick` to `tick + 1`
        who = {agent: replay.source_at(agent, tick).label for agent in actions}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
import zstandard
from numpy.typing import NDArray

from agents.platform import system
from agents.records import RecordError, iter_records
from agents.seats.controller import AgentID
from arcade.match.play.result import RecordingSource
from arcade.match.playback.replay import Replay, ReplayError, ReplayVersionError
from arcade.match.recording.format import FAMILY, MAGIC, MAX_TICKS, TIME_UNIT, VERSION
from arcade.match.recording.observations import unpack_seen

_MAX_WINDOW = 2**23
"""Most bytes of a Zstandard window; our own files need a quarter of it."""

_EMPTY_LAST_BLOCK = b"\x01\x00\x00"
"""The empty last block of a Zstandard frame (RFC 8878, section 3.1.1.2)."""

MAX_KEPT_BYTES = 2**27
"""Most bytes of all records without observations: many times the longest match, but no decompression bomb."""

MAX_PARTS = 2**21
"""Most lists and maps nested in all records: each has one byte in the file, and many in memory."""

MAX_SOURCES = 2**14

_HEAD: Mapping[str, type | tuple[type, ...]] = {
    "game": str, "seed": int, "kwargs": dict, "agents": list, "lineup": dict, "settings": dict, "versions": dict,
    "created": str,
}  # fmt: skip
_RESULT: Mapping[str, type | tuple[type, ...]] = {
    "game": str, "seed": int, "ticks": int, "seconds": (int, float), "ended": str, "lineup": dict, "returns": dict,
    "teams": list, "placements": dict, "late": dict, "changes": list, "settings": dict, "seats": dict,
    "rewinds": list, "error": str, "rated": bool,
}  # fmt: skip
_ENDS = ("terminated", "truncated")


def read_replay(path: Path) -> Replay:
    """Read a replay, as far as it is whole; raises ReplayError for a file that is none."""
    return _read(path).replay


def read_observations(path: Path) -> Iterator[tuple[int, dict[AgentID, Any]]]:
    """Each tick that has observations in the file, in order, with them; as the game gave them, without the mask.

    One tick is in memory at a time.  Ticks that a rewind made void, or that follow the first damage, are left out.
    Arrays are read-only.  Raises ReplayError for a file that is no replay.
    """
    places = iter(_read(path).places)
    place = next(places, None)
    layouts: list[Any] = []
    for number, (record, _) in enumerate(_records(path)):
        if record[0] == "layout":
            layouts.append(record[1])
        elif number == place:
            seen, place = record[-1], next(places, None)
            if seen is not None:
                layout, parts, values = seen
                yield record[1], unpack_seen(layouts[layout], parts, values)
        if place is None:
            return


def _read(path: Path) -> _Reading:
    reading = _Reading(path)
    reading.take_all()
    replay = reading.replay
    if not replay.head or not replay.digests:
        raise ReplayError(f"expected a header and a first tick, got {replay.damage or 'the end of the file'}: {path}")
    if replay.result is None and not replay.damage:
        replay.damage = "expected the end of the match, got the end of the file"
    return reading


def _records(path: Path) -> Iterator[tuple[Any, int]]:
    """The records of the file, each with the number of bytes up to its end.

    Raises ReplayError where that is no replay of this version, RecordError where it is damaged.
    """
    with _open(path) as file:
        _check_version(_first_line(file, path), path)
        whole = _Ended(file)
        source = cast(IO[bytes], whole)  # only `read` of it is used
        stream = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW).stream_reader(source)
        try:
            for record in iter_records(stream):
                yield record, stream.tell()
                if isinstance(record, list) and record[:1] == ["end"]:
                    return  # what follows it does not count
        except zstandard.ZstdError as error:
            if not whole.is_over:  # else all of the file was read, and only the added end did not fit
                raise RecordError(f"bytes that cannot be decompressed ({error})") from error
        except OSError as error:
            raise RecordError(f"bytes that cannot be read ({error.strerror or error})") from error


def _first_line(file: IO[bytes], path: Path) -> bytes:
    try:
        return file.readline(len(MAGIC) + 8)
    except OSError as error:
        raise _unreadable(path, error) from error


class _Ended:
    """A file with an end added to its frame where a kill cut it off.

    At the end of a file the library drops decompressed data of a frame without an end.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._end = file, _EMPTY_LAST_BLOCK

    @property
    def is_over(self) -> bool:
        """Whether all of the file was read."""
        return not self._end

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        if not data:
            data, self._end = self._end, b""
        return data


def _check_version(line: bytes, path: Path) -> None:
    if line == MAGIC:
        return
    number = line.removeprefix(FAMILY).strip()
    if not line.startswith(FAMILY) or not number.isdigit() or int(number) == VERSION:
        got = "another one" if line else "an empty one"
        raise ReplayError(f"expected a file that begins with {MAGIC!r}, got {got}: {path}")
    newer = int(number) > VERSION
    whose = "a newer PettingZoo Arcade; update this one" if newer else "an older PettingZoo Arcade, which can show it"
    error = ReplayVersionError(f"expected a replay of version {VERSION}, got version {int(number)}, of {whose}: {path}")
    error.is_newer = newer
    raise error


def _open(path: Path) -> IO[bytes]:
    try:
        return open(system.open_regular(path), "rb")
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> ReplayError:
    return ReplayError(f"expected a replay at {path}, got: {error.strerror or error}")


class _Reading:
    """Reads a file's records into a replay; `places` are the numbers of the records of valid ticks."""

    def __init__(self, path: Path) -> None:
        self.replay = Replay(path, {})
        self.places: list[int] = []
        self._layouts: list[Any] = []
        self._sources: dict[tuple[int, str], RecordingSource] = {}
        self._agents: frozenset[AgentID] | None = None  # of the header, where that names them
        self._seats: frozenset[str] = frozenset()  # the same as text
        self._time = self._seen_bytes = self._parts = 0

    def take_all(self) -> None:
        """Read all of the file; an error ends the reading and is the replay's damage."""
        replay = self.replay
        try:
            for number, (record, end) in enumerate(_records(replay.path)):
                if end - self._seen_bytes > MAX_KEPT_BYTES:
                    raise ValueError(f"expected at most {MAX_KEPT_BYTES} bytes beside the observations, got more")
                self._take(number, record)
        except RecordError as error:
            replay.damage = str(error)
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            is_ours = str(error).startswith("expected")
            replay.damage = str(error) if is_ours else f"an invalid record ({error})"
        replay.sources = list(self._sources.values())

    def _take(self, number: int, record: Any) -> None:
        replay = self.replay
        match record:
            case ["head", dict() as head] if not replay.head:
                _check(head, _HEAD)
                if "game" not in head or "seed" not in head or not 0 <= head["seed"] < 2**63:
                    raise ValueError(f"expected a header with a game and a seed of 0 … 2**63 - 1, got: {head!r:.80}")
                replay.head = head
                self._agents = frozenset(head["agents"]) if "agents" in head else None
                self._seats = frozenset(map(str, self._agents or ()))
            case ["tick", int() as index, *parts] if index == len(replay.digests) < MAX_TICKS and len(parts) == 9:
                self._tick(index, *parts)
                self.places.append(number)
            case ["source", dict() as fields]:
                source = RecordingSource(**fields)
                if self._agents is not None and source.agent not in self._seats:
                    raise ValueError(f"expected a source of an agent, got one of: {source.agent!r:.80}")
                if len(self._sources) == MAX_SOURCES:
                    raise ValueError(f"expected at most {MAX_SOURCES} sources, got more")
                self._sources[source.tick, source.agent] = source
            case ["layout", list() as layout]:
                self._spend([layout])
                self._layouts.append([(agent, shape) for agent, shape in layout])
            case ["seat", {"tick": int()} as change]:
                self._spend([change])
                replay.changes.append(change)
            case ["rewind", int() as index] if 0 <= index < len(replay.digests):
                self._rewind(index)
            case ["end", dict() as result]:
                _check(result, _RESULT)
                replay.result = result
            case _:
                raise ValueError(f"expected the record of tick {len(replay.digests)}, got another one")

    def _tick(
        self, index: int, time: int, digest: int, acting: Any, actions: Any, rewards: Any, masks: Any, ends: Any,
        sent: Any, seen: Any,
    ) -> None:  # fmt: skip
        """Add a tick; all fields are checked before the first is added."""
        replay = self.replay
        acts = (replay.acting[-1] if replay.acting else ()) if acting is None else tuple(acting)
        played, instead_of, ended = dict(actions), dict(sent), _endings(ends)
        earned, legal, now = _numbers(rewards), _arrays(masks), self._time + _count(time)
        self._spend(played, instead_of)
        if seen is not None:
            self._see(*seen)
        self._know(() if acting is None else acts, played, earned, legal, ended, instead_of)
        replay.digests.append(_count(digest))
        if index:
            replay.actions.append(played)
        if instead_of:
            replay.sent[index] = instead_of
        if ended:
            replay.ends[index] = ended
        replay.acting.append(acts)
        replay.rewards.append(earned)
        replay.masks.append(legal)
        replay.times.append(now * TIME_UNIT)
        self._time = now

    def _spend(self, *holders: Any) -> None:
        """Count the lists and maps inside of these; raises ValueError where the file has too many."""
        waiting = list(holders)
        while waiting:
            holder = waiting.pop()
            inner = holder.values() if isinstance(holder, dict) else holder
            found = [part for part in inner if isinstance(part, dict | list)]
            self._parts += len(found)
            waiting += found
        if self._parts > MAX_PARTS:
            raise ValueError(f"expected at most {MAX_PARTS} lists and maps inside of its records, got more")

    def _know(self, *groups: Iterable[AgentID]) -> None:
        """Raise ValueError for agents that the game does not have."""
        agents = self._agents
        if agents is not None and not all(map(agents.issuperset, groups)):
            strangers = {agent for group in groups for agent in group} - agents
            raise ValueError(f"expected agents among {sorted(map(str, agents))}, got: {sorted(map(str, strangers))}")

    def _see(self, layout: int, parts: list[Any], values: list[Any]) -> None:
        """Check the observations and note their seats."""
        if not 0 <= layout < len(self._layouts):
            raise ValueError(f"expected one of {len(self._layouts)} layouts, got: {layout}")
        known = self._layouts[layout]
        self._know([agent for agent, _ in known])
        unpack_seen(known, parts, values)
        self._seen_bytes += sum(len(part) for part in parts if isinstance(part, bytes))
        self.replay.observed += tuple(agent for agent, _ in known if agent not in self.replay.observed)

    def _rewind(self, index: int) -> None:
        replay = self.replay
        for tick in range(index + 1, len(replay.digests)):
            replay.sent.pop(tick, None)
            replay.ends.pop(tick, None)
        del replay.actions[index:]
        for values in (replay.digests, replay.acting, replay.rewards, replay.masks, replay.times, self.places):
            del values[index + 1 :]
        self._time = round(replay.times[-1] / TIME_UNIT)
        while replay.changes and replay.changes[-1]["tick"] > index:
            replay.changes.pop()
        while self._sources and next(reversed(self._sources))[0] > index:
            self._sources.popitem()


_NOTHING: dict[AgentID, float] = {}
"""The rewards of most ticks, shared."""


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"expected a count, got: {value!r:.40}")
    return value


def _numbers(pairs: Any) -> dict[AgentID, float]:
    return {agent: float(value) for agent, value in pairs} if pairs else _NOTHING


def _arrays(pairs: Any) -> dict[AgentID, NDArray[np.int8]]:
    masks = dict(pairs)
    if not all(isinstance(mask, np.ndarray) for mask in masks.values()):
        raise ValueError("expected the masks as arrays, got something else")
    return masks


def _endings(pairs: Any) -> dict[AgentID, str]:
    endings = dict(pairs)
    if not all(ending in _ENDS for ending in endings.values()):
        raise ValueError(f"expected ends among {_ENDS}, got: {endings!r:.80}")
    return endings


def _check(data: dict[str, Any], kinds: Mapping[str, type | tuple[type, ...]]) -> None:
    """Raise ValueError for wrong types in a header or a result: the file may come from anywhere."""
    for name, value in data.items():
        if not isinstance(name, str):
            raise ValueError(f"expected names of fields, got: {name!r:.40}")
        if not isinstance(value, kinds.get(name, object)):
            raise ValueError(f"expected {name} as {kinds[name]}, got: {value!r:.40}")
