"""Arcades as processes that play together, each with a home of its own."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from agents.closing import Closing
from agents.ladder.ladder import Ladder
from arcade.match.playback.reader import read_replay
from arcade.match.playback.verify import verify
from arcade.together.signatures import signers

DEADLINE = 240.0
WAYS = ("--rollback", "--no-rollback")


class Arcade(Closing):
    """One program; `lines` are what it said so far."""

    def __init__(self, home: Path, *words: object, program: str = "arcade") -> None:
        self.home, self.lines, self.patience = home, list[str](), DEADLINE
        self._queue: queue.Queue[str | None] = queue.Queue()
        environment = {**os.environ, "ARCADE_HOME": str(home), "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", program, *map(str, words), "--json"], env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._queue.put(line.rstrip())
        self._queue.put(None)

    def wait_for(self, text: str) -> str:
        """The first line with that text, from now on or before."""
        for line in self.lines:
            if text in line:
                return line
        deadline = time.monotonic() + DEADLINE
        while time.monotonic() < deadline:
            try:
                line = self._queue.get(timeout=1.0)
            except queue.Empty:
                continue
            if line is None:
                break
            self.lines.append(line)
            if text in line:
                return line
        pytest.fail(f"expected a line with {text!r}, got: {self.lines}")

    @property
    def code(self) -> str:
        """What others join with."""
        return self.wait_for("arcade join ").rpartition(" ")[2]

    def end(self) -> dict:
        """What it printed at its end."""
        self.process.wait(self.patience)
        assert self.process.stdout is not None
        text = self.process.stdout.read()
        while (line := self._queue.get(timeout=DEADLINE)) is not None:
            self.lines.append(line)
        self._queue.put(None)
        assert text, self.lines
        return json.loads(text.splitlines()[-1])

    def kill(self) -> None:
        """End it without a word."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(DEADLINE)

    def ask_to_end(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def close(self) -> None:
        if self.process.poll() is None:
            self.kill()

    @property
    def recordings(self) -> list[Path]:
        return sorted((self.home / "replays").glob("*.replay"))

    def keep_newest_recording(self) -> None:
        """Delete the others: those of a process that was killed, up to then."""
        for path in self.recordings[:-1]:
            path.unlink()

    def check_recording(self) -> list[int]:
        """The digests of its only recording, which verifies."""
        [path] = self.recordings
        replay = read_replay(path)
        verdict = verify(replay)
        assert verdict.ok, verdict
        return list(replay.digests)

    @property
    def rows(self) -> list[dict]:
        """Its rows on the ladder."""
        with Ladder(self.home / "ladder.sqlite") as ladder:
            return [dict(row) for game in ladder.games() for row in ladder.results(game)]


def check_alike(*arcades: Arcade) -> list[int]:
    """All have one recording that verifies, with the same digests, and one row with the same outcome."""
    digests = [arcade.check_recording() for arcade in arcades]
    assert all(one == digests[0] for one in digests)
    rows = [arcade.rows for arcade in arcades]
    assert [len(own) for own in rows] == [1] * len(arcades)
    parts = ("game", "seed", "ended", "ticks", "lineup", "placements", "returns", "actions")
    for own in rows:
        assert len(signers(own[0])) == len(own[0]["settings"]["signatures"]) > 1, "signed by all that agreed"
    found = [{part: own[0][part] for part in parts} for own in rows]
    assert all(one == found[0] for one in found)
    return digests[0]


def check_finished(*arcades: Arcade) -> None:
    """All played to the end, and have the same."""
    outcomes = [arcade.end() for arcade in arcades]
    said = [arcade.lines for arcade in arcades]
    assert all(outcome["agreed"] for outcome in outcomes), said
    assert {outcome["result"]["ended"] for outcome in outcomes} <= {"finished", "max_ticks"}, said
    check_alike(*arcades)


def check_host_replaced(arcades, one: Arcade, *words: object) -> Arcade:
    """The host `one` has no seat; two join to play and one to watch, it is killed, and they finish with another host.

    Returns the new host.
    """
    two = arcades("join", one.code, "--seat", "left_0=scripted", "--name", "Ada", *words)
    one.wait_for("Ada")
    three = arcades("join", one.code, "--seat", "right_0=random", "--name", "Bob", *words)
    four = arcades("join", one.code, "--watch", "--name", "Cy", *words)
    for each in (two, three, four):
        each.wait_for("begins")
    one.kill()
    two.wait_for("this machine is the host now")
    check_finished(two, three, four)
    return two


def check_host_comes_back(arcades, one: Arcade, home: str) -> None:
    """The host `one`, Ada in the left seat, is killed; it joins the next host and both finish."""
    two = arcades("join", one.code, "--seat", "right_0=random", "--name", "Bob")
    two.wait_for("begins")
    one.kill()
    again = arcades("join", two.code, "--seat", "left_0=scripted", "--name", "Ada", home=home)
    again.wait_for("begins")
    again.process.wait(again.patience)
    again.keep_newest_recording()
    check_finished(two, again)


def kill_and_rejoin(arcades, one: Arcade, *words: object) -> Arcade:
    """A guest joins with these words, is killed, and joins again, which is returned."""
    two = arcades("join", one.code, *words, home="guest")
    two.wait_for("begins")
    two.kill()
    one.wait_for("absent")
    return arcades("join", one.code, *words, home="guest")


def host(arcades, game, *words, odd=()):
    """A host; `odd` as for `odd_arcade`."""
    program = {"program": "tests.support.odd_arcade"} if odd else {}
    return arcades(*odd, "host", game, "--address", "127.0.0.1", "--seed", 7, *words, **program)
