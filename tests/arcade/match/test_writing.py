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

from arcade.match.recording import compressed_file as recording_writer
from arcade.match.recording.compressed_file import CompressedFile

FORGETFUL = """
import sys
from pathlib import Path
from arcade.match.recording.compressed_file import CompressedFile

file = CompressedFile(Path(sys.argv[1]))
file.write(b"one")
file.write(b"two")
raise SystemExit("an error, before anybody could finish the file")
"""


def test_a_program_that_ends_in_an_error_ends_and_keeps_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    done = subprocess.run(
        [sys.executable, "-c", FORGETFUL, str(path)], capture_output=True, text=True, timeout=300, check=False
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
    file = CompressedFile(path)
    file.write(words)
    file.close()
    assert unpacked(path) == words
    assert kept[-1] == path.stat().st_size


def test_where_much_waits_it_is_written_before_the_next_flush(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_writer, "FLUSH_SECONDS", 1000.0)
    written, much = threading.Event(), bytes(recording_writer.HURRY_BYTES)
    monkeypatch.setattr(os, "fsync", lambda file: written.set())
    file = CompressedFile(tmp_path / "a.replay")
    file.write(b"few")
    file.write(much)
    assert written.wait(60)
    file.close()
    assert unpacked(tmp_path / "a.replay") == b"few" + much


def test_a_disk_that_takes_long_over_a_flush_puts_off_the_next_one_no_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, written = [0.0], threading.Event()

    def flush(_: int) -> None:
        if now[0]:
            written.set()
        else:
            now[0] += 1000.0
            file.write(b"few")

    monkeypatch.setattr(recording_writer, "FLUSH_SECONDS", 1000.0)
    monkeypatch.setattr(os, "fsync", flush)
    monkeypatch.setattr(recording_writer.time, "monotonic", lambda: now[0])
    file = CompressedFile(tmp_path / "a.replay")
    file.write(bytes(recording_writer.HURRY_BYTES + 1))
    assert written.wait(60)
    file.close()
