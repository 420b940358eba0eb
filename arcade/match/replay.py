"""Replays: what happened in a match, enough to see it again exactly.

A replay is one append-only file.  It begins with the line ``PettingZoo Arcade replay 1``; then come records in the
layout of `agents.records`, each a list:

    ["head", {...}]              game, kwargs, agents, seed, lineup, settings, versions, created
    ["tick", index, actions, digest]   what was done since the tick before as [[agent, action], ...], () at the reset;
                                 digest: `tick_digest` of what came of it
    ["tick", index, actions, digest, sent]   the same where rules had some seats do otherwise: what these had sent
    ["seat", {...}]              a seat changed hands: the SeatChange as JSON
    ["rewind", index]            play went back to that tick and on from there: what was recorded after it is void
    ["end", {...}]               the MatchResult as JSON; missing where the arcade was killed

A file cut off anywhere reads up to its last whole record.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from agents.controller import Action, AgentID, Controller, Turn
from agents.errors import UserError
from agents.records import pack_record, take_records
from agents.wire import WireError, pack, unpack
from arcade.games import GameError, find_game
from arcade.games.spec import GameSpec
from arcade.match.digest import tick_digest
from arcade.match.local import LocalStage
from arcade.match.match import Match
from arcade.match.result import MatchResult, SeatChange
from arcade.match.tick import Tick
from arcade.match.versions import versions
from arcade.match.writing import BackgroundFile

SUFFIX = ".replay"
MAGIC = b"PettingZoo Arcade replay 1\n"


class ReplayError(UserError):
    """A file that is no replay, or whose game cannot be made here."""


@dataclass
class Replay:
    """A replay as read."""

    path: Path
    head: dict[str, Any]
    actions: list[dict[AgentID, Action]] = field(default_factory=list)  # of tick 1, 2, …
    digests: list[int] = field(default_factory=list)  # of tick 0, 1, …
    sent: dict[int, dict[AgentID, Action]] = field(default_factory=dict)  # tick → what seats sent that was not done
    changes: list[dict[str, Any]] = field(default_factory=list)  # seats that changed hands, each a SeatChange
    result: dict[str, Any] | None = None  # None where the recording was cut off
    damage: str = ""  # why reading stopped before the end, "" where it did not

    @property
    def seed(self) -> int:
        return int(self.head["seed"])

    def spec(self) -> GameSpec:
        """The game as it was made, raising ReplayError where it is not to be had here."""
        spec = self._find()
        return spec.for_people() if self.for_people else spec

    @property
    def for_people(self) -> bool:
        """Whether the game was made as people play it, and not as machines do."""
        spec = self._find()
        made, machines = self.head.get("kwargs"), unpack(pack(dict(spec.kwargs)))
        return bool(made != machines and made == unpack(pack(dict(spec.for_people().kwargs))))

    def _find(self) -> GameSpec:
        try:
            return find_game(self.head["game"])
        except GameError as error:
            raise ReplayError(f"{self.path.name}: {error}") from error


class ReplayWriter:
    """A match's recorder; the file is written by a thread of its own, flushed every half second."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = BackgroundFile(path)
        self._file.write(MAGIC)

    @property
    def warning(self) -> str:
        """Why the file could not be written (a full disk, say), "" while all is well; the match goes on."""
        return self._file.failure

    def start(self, match: Match) -> None:
        head = {
            "game": match.spec.id,
            "kwargs": dict(match.spec.kwargs),
            "agents": list(match.spec.agents),
            "seed": match.seed,
            "lineup": {str(agent): controller.label for agent, controller in match.mapping.items()},
            "settings": match.settings,
            "versions": versions(),
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        self._record(["head", head])

    def tick(self, tick: Tick, actions: dict[AgentID, Action]) -> None:
        done, sent = {**actions, **tick.executed}, [(agent, actions[agent]) for agent in tick.executed]
        self._record(["tick", tick.index, list(done.items()), tick_digest(tick), *([sent] if sent else [])])

    def changed(self, change: SeatChange) -> None:
        self._record(["seat", asdict(change)])

    def rewound(self, index: int) -> None:
        self._record(["rewind", index])

    def finish(self, result: MatchResult) -> None:
        self._record(["end", result.as_json()])
        self._file.finish()

    def close(self) -> None:
        """Wait until all is on disk; not for a window."""
        self._file.close()

    def _record(self, record: list[Any]) -> None:
        try:
            self._file.write(pack_record(record))
        except WireError as error:
            self._file.failure = f"{self.path.name} could not be written: {error}"


def read_replay(path: Path) -> Replay:
    """Read a replay, as far as it is whole; raises ReplayError for a file that is none."""
    with _open(path) as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise ReplayError(f"expected a file that begins with {MAGIC!r}, got another one: {path}")
        replay = Replay(path, {})
        try:
            for record in take_records(file):
                _take(replay, record)
        except (ValueError, TypeError) as error:  # among them RecordError
            replay.damage = str(error)
    if not replay.head or not replay.digests:
        raise ReplayError(f"expected a header and a first tick, got {replay.damage or 'the end of the file'}: {path}")
    return replay


def _open(path: Path) -> IO[bytes]:
    try:
        return open(path, "rb")
    except OSError as error:
        raise ReplayError(f"expected a replay at {path}, got: {error.strerror}") from error


def _take(replay: Replay, record: Any) -> None:
    match record:
        case ["head", dict() as head] if not replay.head:
            if not isinstance(head.get("game"), str) or not isinstance(head.get("seed"), int):
                raise ValueError("expected a header with game and seed, got one without")
            replay.head = head
        case ["tick", int() as index, list() as done, int() as digest, *sent] if index == len(replay.digests):
            played, instead_of = dict(done), dict(*sent)
            replay.digests.append(digest)
            if index:
                replay.actions.append(played)
            if instead_of:
                replay.sent[index] = instead_of
        case ["seat", dict() as change]:
            replay.changes.append(change)
        case ["rewind", int() as index] if 0 <= index < len(replay.digests):
            del replay.digests[index + 1 :], replay.actions[index:]
            replay.sent = {tick: sent for tick, sent in replay.sent.items() if tick <= index}
            replay.changes = [change for change in replay.changes if change.get("tick", 0) <= index]
        case ["end", dict() as result]:
            replay.result = result
        case _:
            raise ValueError(f"expected the record of tick {len(replay.digests)}, got another one")


class ReplayController(Controller):
    """Plays one seat's part of a replay again."""

    rated = False

    def __init__(self, replay: Replay, agent: AgentID) -> None:
        played = (replay.result or replay.head).get("lineup", {})  # a remote tells who it is when it plays
        self.label = played.get(str(agent), "replay")
        self._agent = agent
        self._actions = replay.actions
        self._tick = 0

    def observe(self, turn: Turn) -> None:
        self._tick = turn.tick

    def act(self) -> Action | None:
        return self._actions[self._tick].get(self._agent) if self._tick < len(self._actions) else None


@dataclass(frozen=True)
class Verdict:
    """What re-simulating a replay showed."""

    ticks: int  # compared, the reset not counted
    differs_at: int | None  # the first tick whose rewards or observations differ, None where all agree
    problem: str = ""  # why it could not be re-simulated to its end

    @property
    def ok(self) -> bool:
        return self.differs_at is None and not self.problem


def verify(replay: Replay) -> Verdict:
    """Re-simulate headless and compare the digest of every tick.

    Some games let their seats see the screen itself, whose colours are others where the env is made to be drawn: what
    differs from the start on is tried as a window plays it too.
    """
    verdict = _compare(replay, drawable=False)
    return _compare(replay, drawable=True) if verdict.differs_at == 0 else verdict


def _compare(replay: Replay, *, drawable: bool) -> Verdict:
    with LocalStage(replay.spec(), drawable=drawable) as stage:
        stage.reset(replay.seed)
        for index, digest in enumerate(replay.digests):
            if index:
                stage.step(replay.actions[index - 1])
            tick = stage.wait()
            if tick_digest(tick) != digest:
                return Verdict(index, index)
            if tick.over and index + 1 < len(replay.digests):
                return Verdict(index, index + 1, "the game ended earlier than in the recording")
    return Verdict(len(replay.digests) - 1, None, replay.damage)


def new_replay_path(folder: Path, game: str) -> Path:
    """A fresh name in `folder`: game, time and process, so that two arcades never write one file."""
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in game)
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    return folder / f"{name}-{stamp}-{os.getpid()}{SUFFIX}"
