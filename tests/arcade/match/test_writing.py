"""The file behind a recording, when the program around it does not end as planned."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from io import FileIO
from pathlib import Path

import pytest
import zstandard

from arcade.match.recording import background_file as recording_writer
from arcade.match.recording.background_file import BackgroundFile

FORGETFUL = """
import sys
from pathlib import Path
from arcade.match.recording.background_file import BackgroundFile

file = BackgroundFile(Path(sys.argv[1]), lambda words: [words.encode()])
file.write("one", 3)
file.write("two", 3)
raise SystemExit("an error, before anybody could finish the file")
"""


def test_a_program_that_ends_in_an_error_ends_and_keeps_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    done = subprocess.run(
        [sys.executable, "-c", FORGETFUL, str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert "an error" in done.stderr
    assert unpacked(path) == b"onetwo"


def unpacked(path: Path) -> bytes:
    return zstandard.ZstdDecompressor().decompressobj().decompress(path.read_bytes())


def test_a_disk_that_takes_a_few_bytes_at_a_time_gets_them_all_and_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class NarrowFile(FileIO):
        def write(self, data: object) -> int:
            return super().write(memoryview(data)[:7])  # type: ignore[arg-type]

    kept: list[int] = []
    flush = os.fsync
    monkeypatch.setattr(recording_writer, "FileIO", NarrowFile)
    monkeypatch.setattr(os, "fsync", lambda file: (kept.append(os.fstat(file).st_size), flush(file)))
    path, words = tmp_path / "a.replay", os.urandom(300)
    file: BackgroundFile[bytes] = BackgroundFile(path, lambda data: [data])
    file.write(words, len(words))
    file.close()
    assert unpacked(path) == words
    assert kept[-1] == path.stat().st_size


def test_where_much_waits_it_is_written_before_the_next_flush(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_writer, "FLUSH_SECONDS", 1000.0)
    written = threading.Event()

    def encode(data: bytes) -> list[bytes]:
        written.set()
        return [data]

    file = BackgroundFile(tmp_path / "a.replay", encode)
    file.write(b"few", 3)
    file.write(b"many", recording_writer.HURRY_BYTES)
    assert written.wait(60)
    file.close()
    assert unpacked(tmp_path / "a.replay") == b"fewmany"


def test_a_disk_that_takes_long_over_a_flush_puts_off_the_next_one_no_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, written = [0.0], threading.Event()

    def encode(data: bytes) -> list[bytes]:
        if data == b"few":
            written.set()
        return [data]

    def flush(_: int) -> None:
        if not written.is_set():
            now[0] += 1000.0
            file.write(b"few", 3)

    monkeypatch.setattr(recording_writer, "FLUSH_SECONDS", 1000.0)
    monkeypatch.setattr(os, "fsync", flush)
    monkeypatch.setattr(recording_writer.time, "monotonic", lambda: now[0])
    file: BackgroundFile[bytes] = BackgroundFile(tmp_path / "a.replay", encode)
    file.write(b"many", recording_writer.HURRY_BYTES + 1)
    assert written.wait(60)
    file.close()
