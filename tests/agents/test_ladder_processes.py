"""Several processes read and write one ladder at once, and one is killed: nothing is lost, nothing counts twice."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from contextlib import contextmanager

from agents.ladder.database import LadderFile
from agents.ladder.ladder import Ladder
from tests.support.ladder_rows import duel, write_version_1

WRITER = """
import sys
from agents.ladder.ladder import Ladder
path, name, prefix, count = sys.argv[1:]
print("ready", flush=True)
sys.stdin.readline()
ladder = Ladder(path)
for i in range(int(count)):
    ladder.add({"game": "g", "seed": i, "lineup": {"0": name, "1": "other"}, "teams": [["0"], ["1"]],
                "placements": {"0": 1 + i % 2, "1": 2 - i % 2}}, key=f"{prefix}/{i}")
    ladder.ratings("g")
    print(i, flush=True)
"""


@contextmanager
def writer(path, name, prefix, count):
    """Opens the ladder and adds to it when a line is sent; says how many it has added and rated."""
    command = [sys.executable, "-c", WRITER, str(path), name, prefix, str(count)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


def begin(process):
    process.stdin.write("go\n")
    process.stdin.flush()


def test_two_processes_upgrading_and_writing_at_once_lose_nothing_and_count_nothing_twice(tmp_path):
    path = tmp_path / "ladder.sqlite"
    write_version_1(path)
    own = writer(path, "one", "own", 40)
    with own as first, writer(path, "two", "both", 40) as second, writer(path, "two", "both", 40) as third:
        for process in (first, second, third):
            begin(process)
        for process in (first, second, third):
            process.stdout.read()
            assert process.wait(120) == 0
    with Ladder(path) as ladder:
        rows = ladder.results("g")
        labels = [row["lineup"]["0"] for row in rows]
        assert (labels.count("one"), labels.count("two")) == (40, 40)
        assert {row["key"] for row in rows if "/" in row["key"]} >= {f"both/{i}" for i in range(40)}
        assert ladder.recompute("g") == 0
        assert {rating.name: rating.games for rating in ladder.ratings("g")} == {"one": 40, "two": 40, "other": 80}


def test_a_match_that_another_process_counts_while_the_ratings_are_read_counts_once(tmp_path, monkeypatch):
    result = {"game": "g", "lineup": {"0": "a", "1": "b"}, "teams": [["0"], ["1"]], "placements": {"0": 1, "1": 2}}
    read = LadderFile.read
    with Ladder(tmp_path / "ladder.sqlite") as other, Ladder(tmp_path / "ladder.sqlite") as own:
        other.add(result)
        other.ratings("g")

        def read_slowly(file, query, values=()):
            found = read(file, query, values)
            if "FROM books" in query:
                monkeypatch.setattr(LadderFile, "read", read)
                other.add(result)
                other.ratings("g")
            return found

        monkeypatch.setattr(LadderFile, "read", read_slowly)
        assert {rating.name: rating.games for rating in own.ratings("g")} == {"a": 2, "b": 2}
        assert own.recompute("g") == 0


def test_killed_while_writing_it_goes_on_with_every_match_once(tmp_path):
    path = tmp_path / "ladder.sqlite"
    with writer(path, "one", "run", 10_000) as process:
        begin(process)
        for _ in range(20):
            told = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        told = max([told, *map(int, process.stdout.read().split())])
    with Ladder(path) as ladder:
        rows = ladder.results("g")
        assert len(rows) >= told + 1
        assert [row["key"] for row in rows] == [f"run/{i}" for i in range(len(rows))]
        for i in range(len(rows) + 5):
            ladder.add(duel("strong", "weak", game="g"), key=f"run/{i}")
        assert len(ladder.results("g")) == len(rows) + 5
        before = ladder.ratings("g")
        assert ladder.recompute("g") == 0
        assert ladder.ratings("g") == before
    assert sqlite3.connect(path).execute("PRAGMA integrity_check").fetchall() == [("ok",)]
