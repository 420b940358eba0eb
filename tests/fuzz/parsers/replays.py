"""Recordings and their cards.

Three kinds of input: a card (it begins with ``{``), a whole file (with its first line), or the records of a file one
after another in msgpack: they get their lengths, checksums and compression here, which mutation would only break.
"""

from __future__ import annotations

import atexit
import shutil
import struct
import tempfile
from contextlib import suppress
from pathlib import Path

import msgpack
import numpy as np
import zstandard
from isal.isal_zlib import crc32

from agents.wire.encoding import pack
from arcade.match.playback.reader import read_observations, read_replay
from arcade.match.playback.replay import ReplayError
from arcade.match.recording.format import FAMILY, MAGIC
from arcade.recordings.card import read_card
from arcade.recordings.summary import card_of
from tests.fuzz.parser import Parser

_FOLDER = Path(tempfile.mkdtemp(prefix="fuzz-replays-"))
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)
_MAX_RECORDS = 4000
_HEAD = struct.Struct("<II")


class CardError(ValueError):
    """A card that is none."""


def read(data: bytes) -> None:
    """Read a card, or a recording with its observations, its sources and the card that the library makes of it."""
    if data[:1] == b"{":
        _read_card(data)
        return
    path = _FOLDER / "fuzzed.replay"
    path.write_bytes(data if data.startswith(FAMILY) else MAGIC + _compressed(data))
    replay = read_replay(path)
    for _ in read_observations(path):
        pass
    assert isinstance(replay.seed, int)
    for tick, acting in enumerate(replay.acting):
        for agent in acting:
            assert isinstance(replay.source_at(agent, tick).label, str)
    with suppress(ValueError):
        read_card(card_of(replay, path.stat()).model_dump_json().encode())


def _read_card(data: bytes) -> None:
    try:
        card = read_card(data)
    except ValueError as error:
        raise CardError from error
    assert read_card(card.model_dump_json().encode()) == card


def _compressed(data: bytes) -> bytes:
    unpacker = msgpack.Unpacker(max_buffer_size=0)
    unpacker.feed(data)
    start, records = 0, []
    with suppress(Exception):  # the rest is the last record
        while start < len(data) and len(records) < _MAX_RECORDS:
            unpacker.skip()
            records.append(data[start : unpacker.tell()])
            start = unpacker.tell()
    records.append(data[start:])
    framed = b"".join(_HEAD.pack(len(record), crc32(record)) + record for record in records if record)
    return zstandard.ZstdCompressor(level=1).compress(framed)


def make_seeds() -> dict[str, bytes]:
    """A match of the counting game with and without observations, whole and record by record, and its card."""
    from arcade.match.recording.replay_writer import RecordingOptions
    from tests.support.replay_files import head, record_counting, records_of, tick

    found = {}
    for name in ("always", "never"):
        path = _FOLDER / f"{name}.replay"
        record_counting(path, RecordingOptions(observations=name))
        found[f"{name}.replay"] = path.read_bytes()
        found[f"{name}.records"] = b"".join(map(pack, records_of(path)))
        found[f"{name}.json"] = card_of(read_replay(path), path.stat()).model_dump_json().encode()
    records = [
        head("house/volley", agents=["left_0", "right_0"]),
        ["source", {"tick": 0, "agent": "left_0", "kind": "keyboard", "label": "Ada", "person": "Ada", "human": True}],
        tick(0, acting=["left_0", "right_0"]),
        tick(1, [["left_0", 2], ["right_0", [1, 2.5]]], sent=[["left_0", 3]]),
        ["seat", {"tick": 1, "agent": "left_0"}],
        ["rewind", 0],
        tick(1, [["left_0", 1], ["right_0", {"a": np.zeros(2, np.float32)}]]),
        ["end", {"game": "house/volley", "ended": "finished", "placements": {"left_0": 1, "right_0": 2}}],
    ]
    return found | {"rewound.records": b"".join(map(pack, records))}


PARSER = Parser(
    "replays",
    read,
    (ReplayError, CardError),
    make_seeds,
    (
        b"\x94\xa4tick", b"\xa4head", b"\xa6source", b"\x92\xa6rewind", b"\xa3end", b"\xa6layout", b"\xa4seat",
        b"\xa5array",
        b"\xa6number", b"\xa4dict", b"\xa5tuple", b"\xa4list", b"\xa5value", b"\xa3|b1", b"\xa5<U999", b"\xa3<f8",
        b"\xc0",
        b"\xcf" + b"\xff" * 8, b"\xd3\x80" + b"\0" * 7, b"\xcb\x7f\xf8\0\0\0\0\0\0", b"\xcb\x7f\xf0\0\0\0\0\0\0",
        b"\xa6agents", b"\xa7created", b"\xa6lineup", b"\xa5ended", b"\xa5teams", b"\xaaplacements", b"\xa7returns",
        b"\xa6settings", b"\xa7seconds", b"\x90", b"\x80", b"\x91" * 40, b"\x81\xa1a" * 40, b"1e999", b"NaN", b"null",
        b'"span":[', b'"tags":[', b'"created":"', b"\\u202e", b"9" * 30, b'"teams":[[', b'"points":[',
    ),
)  # fmt: skip
