"""Long commands show a bar with the time left in a terminal, and none where their output goes elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pty = pytest.importorskip("pty", reason="a terminal of POSIX")

DEADLINE = 240
BAR = re.compile(r"━.* \d+/\d+ .*\d:\d\d:\d\d \d:\d\d:\d\d")
"""The bar, what is done of all, the time so far, and the time left."""

COMMANDS = [
    ("play", "connect_four", "--headless", "--seat", "*=random", "--episodes", "150"),
    ("ladder", "run", "connect_four", "--entrant", "random", "scripted", "--games", "30"),
]


def command(home: Path, *words: str, stderr: int) -> subprocess.Popen[str]:
    wanted = {"ARCADE_HOME": str(home), "TERM": "xterm-256color", "COLUMNS": "120", "PYTHONUTF8": "1"}
    terminal = ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
    environment = {name: value for name, value in os.environ.items() if name not in terminal} | wanted
    return subprocess.Popen(
        [sys.executable, "-m", "arcade", *words], env=environment, stdout=subprocess.PIPE, stderr=stderr, text=True
    )


def read_all(terminal: int) -> str:
    """What a program writes into the terminal until it ends, without the codes for colours and places."""
    found = b""
    while True:
        try:
            data = os.read(terminal, 2**16)
        except OSError:  # how Linux tells of the end
            data = b""
        if not data:
            return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", found.decode())
        found += data


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_a_terminal_has_a_bar_with_the_time_left(words: tuple[str, ...], tmp_path: Path) -> None:
    own, theirs = pty.openpty()
    try:
        running = command(tmp_path, *words, stderr=theirs)
        os.close(theirs)
        shown = read_all(own)
        assert running.wait(DEADLINE) == 0
        assert running.stdout is not None
        assert "━" not in running.stdout.read(), "the results alone are on standard output"
    finally:
        os.close(own)
    assert BAR.search(shown), shown[-2000:]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_a_pipe_has_no_bar(words: tuple[str, ...], tmp_path: Path) -> None:
    told, warned = command(tmp_path, *words, stderr=subprocess.PIPE).communicate(timeout=DEADLINE)
    assert "connect_four" in told or "match 150" in told
    for text in (told, warned):
        assert "━" not in text
        assert "\x1b" not in text
