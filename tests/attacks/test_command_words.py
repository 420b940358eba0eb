"""Words of commands that are pipes, devices, links in a circle or far too long: one line that says what is wrong."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from arcade.commands.cli import app

COMMANDS = [
    ["replay", "WORD", "--verify"],
    ["snapshots", "import", "WORD"],
    ["snapshots", "trust", "WORD"],
    ["recordings", "show", "WORD"],
    ["ladder", "show", "WORD"],
    ["runs", "show", "WORD"],
    ["runs", "stop", "WORD"],
    ["keys", "allow", "WORD", "--name", "WORD"],
    ["join", "WORD"],
    ["play", "house/volley", "--headless", "--seat", "left_0=snapshot:WORD", "--max-ticks", "3"],
    ["evaluate", "house/volley", "--seat", "left_0=WORD", "--episodes", "1"],
]
WORDS = {
    "a pipe": "pipe", "a device": "/dev/zero", "memory": "/proc/self/mem", "a circle": "circle", "a folder": "folder",
    "nothing": "", "far too long": "x" * 5000, "an escape": "\x1b[2J", "a parent": "../../etc/passwd",
}  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices are files on POSIX alone")
@pytest.mark.parametrize("word", WORDS.values(), ids=WORDS.keys())
def test_a_word_that_is_none_is_refused_in_one_line(word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))
    os.mkfifo("pipe")
    Path("circle").symlink_to("circle")
    Path("folder").mkdir()
    for words in COMMANDS:
        done = CliRunner().invoke(app, [own.replace("WORD", word) for own in words])
        assert isinstance(done.exception, SystemExit), (words, done.exception)
        assert done.exit_code in (1, 2, 3, 4), words
        assert len(done.stderr.splitlines()) == 1, (words, done.stderr)
        assert "\x1b[2J" not in done.output, words


def test_an_error_of_the_disk_is_an_error_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["snapshots", "import", str(tmp_path / ("x" * 300)), "--json"]
    monkeypatch.setattr("sys.argv", ["arcade", *words])
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert json.loads(done.stdout)["error"]["message"].startswith("File name too long: ")
