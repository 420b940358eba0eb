"""Replay files written by hand, record by record."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import zstandard

from agents.policies.random import RandomController
from agents.records import iter_records, pack_record
from agents.seats.controller import Controller
from arcade.match.play.match import Match
from arcade.match.recording.format import MAGIC
from arcade.match.recording.replay_writer import RecordingOptions, ReplayWriter
from arcade.match.stage.local import LocalStage
from tests.support.counting_games import counting_spec


def write_records(path: Path, records: Iterable[Any], *, flush_every: int = 5) -> Path:
    """A replay of these records, flushed after each few of them, and closed as it should be."""
    frame = zstandard.ZstdCompressor().compressobj()
    data = [MAGIC]
    for number, record in enumerate(records, start=1):
        data.append(frame.compress(record if isinstance(record, bytes) else pack_record(record)))
        if number % flush_every == 0:
            data.append(frame.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK))
    path.write_bytes(b"".join([*data, frame.flush()]))
    return path


def records_of(path: Path) -> list[Any]:
    """All records of a whole replay."""
    with open(path, "rb") as file:
        assert file.read(len(MAGIC)) == MAGIC
        return list(iter_records(zstandard.ZstdDecompressor().stream_reader(file)))


def head(game: str = "house/volley", **more: Any) -> list[Any]:
    """The first record."""
    return ["head", {"game": game, "seed": 1, **more}]


def tick(index: int, actions: Any = (), *, acting: Any = None, sent: Any = (), seen: Any = None) -> list[Any]:
    """The record of a tick in which nothing else happened."""
    return ["tick", index, 0, 0, acting, list(actions), [], [], [], list(sent), seen]


def record_counting(path: Path, options: RecordingOptions | None = None, **seats: Controller) -> ReplayWriter:
    """A whole match of the counting game, closed; random players take the seats not named."""
    writer = ReplayWriter(path, options)
    with LocalStage(counting_spec()) as stage:
        mapping = {agent: seats.get(agent) or RandomController() for agent in stage.agents}
        Match(stage, mapping, seed=3, recorders=[writer]).run()
    writer.close()
    return writer
