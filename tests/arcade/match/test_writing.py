"""The file behind a recording, when the program around it does not end as planned."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FORGETFUL = """
import sys
from pathlib import Path
from arcade.match.writing import BackgroundFile

file = BackgroundFile(Path(sys.argv[1]))
file.write(b"one")
file.write(b"two")
raise SystemExit("an error, before anybody could finish the file")
"""


def test_a_program_that_ends_in_an_error_ends_and_keeps_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    done = subprocess.run(
        [sys.executable, "-c", FORGETFUL, str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert "an error" in done.stderr
    assert path.read_bytes() == b"onetwo"
