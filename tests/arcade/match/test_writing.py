"""The file behind a recording, when the program around it does not end as planned."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import zstandard

FORGETFUL = """
import sys
from pathlib import Path
from arcade.match.writing import BackgroundFile

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
    assert zstandard.ZstdDecompressor().decompressobj().decompress(path.read_bytes()) == b"onetwo"
