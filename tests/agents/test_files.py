"""Files are read whole and bounded or not at all, and written whole or not at all, also by two processes at once."""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import subprocess
import sys
import threading

import pytest

from agents.files import (
    FileError,
    NewestWriter,
    begin_folder,
    changing_toml,
    finish_folder,
    load_toml,
    locked,
    parse_json,
    parse_toml,
    read_file,
    replace_file,
    safe_name,
    write_folder,
)
from agents.files.writing import remove_unfinished
from agents.platform import NotRegularError, system
from tests.support.processes import DEADLINE


def make_fifo(path):
    os.mkfifo(path)


def make_device(path):
    path.symlink_to("/dev/zero")


def make_folder(path):
    path.mkdir()


@pytest.mark.parametrize("make", [make_fifo, make_device, make_folder])
def test_what_is_no_file_is_not_read(make, tmp_path):
    path = tmp_path / "settings.toml"
    make(path)
    with pytest.raises(NotRegularError):
        read_file(path)


@pytest.mark.parametrize("make", [make_fifo, make_device, make_folder])
def test_what_is_no_file_is_kept_aside_and_the_defaults_are_used(make, tmp_path):
    path = tmp_path / "settings.toml"
    make(path)
    found, warning = load_toml(path, dict, default={"a": 1}, known=["a"], what="settings")
    assert found == {"a": 1}
    assert "settings.toml.bad" in warning
    with changing_toml(path, head="Mine", what="settings") as document:
        document["a"] = 2
    assert path.read_text() == "# Mine\na = 2\n"


def test_a_second_spoilt_file_keeps_the_first(tmp_path):
    path = tmp_path / "settings.toml"
    for text in ("one", "two"):
        path.write_text(text)
        load_toml(path, dict, default={}, known=[], what="settings")
    assert [(tmp_path / f"settings.toml.{end}").read_text() for end in ("bad", "bad2")] == ["one", "two"]


def test_a_large_file_is_not_read(tmp_path):
    (tmp_path / "large").write_bytes(bytes(1001))
    with pytest.raises(FileError, match="more than 1000 bytes"):
        read_file(tmp_path / "large", most=1000)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000, "[" * 100 + "]" * 100, '{"a":' * 100 + "1" + "}" * 100, "9" * 60, "9" * 100_000, "-" + "9" * 60,
        b"\xff\xfe", "", "nul", '"\\ud800', "1e5 2",
    ],
)  # fmt: skip
def test_json_that_is_spoilt_or_endless_is_one_kind_of_error(text):
    with pytest.raises(FileError):
        parse_json(text)


@pytest.mark.parametrize(
    "text",
    ["a = " + "[" * 100_000, "a = " + "[" * 100 + "]" * 100, "a = " + "9" * 60, b"\xff", "a = {", "a.b = 1\na = 2"],
)
def test_toml_that_is_spoilt_or_endless_is_one_kind_of_error(text):
    with pytest.raises(FileError):
        parse_toml(text)


def test_seeds_of_128_bits_are_read():
    assert parse_json(str(2**100)) == 2**100


def full_disk(program, folder, most):
    """Run a program in a process whose files can have only `most` bytes, as on a disk that is full."""

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.run(
        [sys.executable, "-c", program, str(folder)], preexec_fn=limit, capture_output=True, text=True, timeout=60
    )


def test_a_full_disk_leaves_the_old_file_whole(tmp_path):
    (tmp_path / "card.json").write_text("old")
    program = (
        "import sys; from pathlib import Path; from agents.files import replace_file\n"
        "replace_file(Path(sys.argv[1]) / 'card.json', 'new' * 10000)"
    )
    done = full_disk(program, tmp_path, 4096)
    assert "File too large" in done.stderr
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"card.json": "old"}


def test_a_full_disk_leaves_no_half_of_a_folder(tmp_path):
    program = (
        "import sys; from pathlib import Path; from agents.files import write_folder\n"
        "write_folder(Path(sys.argv[1]) / 'new', lambda aside: (aside / 'file').write_bytes(bytes(10000)))"
    )
    assert "File too large" in full_disk(program, tmp_path, 4096).stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("call", ["flush_file", "flush_folder"])
def test_a_disk_that_fails_to_flush_is_reported(call, tmp_path, monkeypatch):
    def fail(path):
        raise OSError(errno.EIO, "input/output error")

    monkeypatch.setattr(system, call, fail)
    with pytest.raises(OSError, match="input/output error"):
        replace_file(tmp_path / "file", "new")


def test_the_files_of_a_folder_go_to_the_disk_at_once_and_while_the_last_are_made(tmp_path, monkeypatch):
    """On a slow disk several take as long as one."""
    early, late = threading.Barrier(9), threading.Barrier(8)

    def flush_slowly(path):
        (late if path.name.startswith("late") else early).wait(DEADLINE)

    def fill(aside, when):
        for number in range(8):
            (aside / f"{when} {number}").write_text("a")

    def complete(aside):
        early.wait(DEADLINE)
        fill(aside, "late")

    monkeypatch.setattr(system, "flush_file", flush_slowly)
    path = tmp_path / "new"
    finish_folder(begin_folder(path, lambda aside: fill(aside, "early")), path, complete)
    assert len(list(path.iterdir())) == 16


def test_file_and_folder_are_flushed_in_this_order(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(system, "flush_file", lambda path: calls.append(("file", path.parent.name)))
    monkeypatch.setattr(system, "flush_folder", lambda path: calls.append(("folder", path.name)))
    monkeypatch.setattr(os, "replace", lambda *_: calls.append("rename"))
    replace_file(tmp_path / "file", "new")
    assert calls == [("file", tmp_path.name), "rename", ("folder", tmp_path.name)]
    calls.clear()
    monkeypatch.setattr(os, "rename", lambda *_: calls.append("rename"))
    write_folder(tmp_path / "new", lambda aside: (aside / "file").write_text("a"))
    aside = f".new.{os.getpid()}.part"
    assert calls == [("file", aside), ("folder", aside), "rename", ("folder", tmp_path.name)]


def test_what_killed_writers_left_is_removed_and_what_others_write_is_not(tmp_path):
    dead, living = tmp_path / ".card.json.7.4194305.part", tmp_path / f".card.json.7.{os.getppid()}.part"
    folder = tmp_path / ".snapshot.4194305.part"
    for path in (dead, living):
        path.write_text("half")
    folder.mkdir()
    remove_unfinished(tmp_path)
    assert list(tmp_path.iterdir()) == [living]


CHANGER = """
import sys; from pathlib import Path; from agents.files import changing_toml
for number in range(40):
    with changing_toml(Path(sys.argv[1]), head="", what="settings") as document:
        document[f"{sys.argv[2]}{number}"] = number
"""


def test_two_processes_that_change_a_file_lose_nothing(tmp_path):
    path = tmp_path / "settings.toml"
    writers = [subprocess.Popen([sys.executable, "-c", CHANGER, str(path), name]) for name in "ab"]
    assert [writer.wait(120) for writer in writers] == [0, 0]
    assert set(parse_toml(path.read_text())) == {f"{name}{number}" for name in "ab" for number in range(40)}


def test_threads_wait_for_each_other_and_one_may_nest(tmp_path):
    inside = []

    def work(name):
        with locked(tmp_path), locked(tmp_path):
            inside.append(name)
            threading.Event().wait(0.01)
            inside.append(name)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [inside[0::2], inside[1::2]] == [inside[0::2]] * 2


def test_what_a_full_disk_refused_is_written_when_there_is_room(tmp_path):
    written, room = [], []

    def save(value):
        if not room:
            raise OSError(errno.ENOSPC, "no space left")
        written.append(value)

    writer = NewestWriter(save, what="settings")
    writer.write("first")
    writer.write("second")
    writer.flush()
    assert written == []
    room.append(1)
    writer.flush()
    assert written == ["second"]


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("con", "_con"), ("Aux.json", "_Aux.json"), ("com1.a.b", "_com1.a.b"), ("console", "console"), ("a.", "a"),
        ("a/b\\c:d*e", "a-b-c-d-e"), ("..", "file"), ("", "file"), ("  x ", "x"), ("naïve 二", "naïve 二"),
        ("\x00\n", "file"), ("x" * 500, "x" * 120), ("é" * 100, "é" * 60),
    ],
)  # fmt: skip
def test_names_suit_every_system(word, name):
    assert safe_name(word) == name
    assert safe_name(name) == name


def test_json_text_is_what_was_written(tmp_path):
    replace_file(tmp_path / "a.json", json.dumps({"a": [1]}))
    assert parse_json(read_file(tmp_path / "a.json")) == {"a": [1]}
