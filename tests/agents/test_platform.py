"""The operating system: what must hold here, and the branch for Windows against fakes of its libraries."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
from contextlib import closing
from multiprocessing import Pipe
from types import SimpleNamespace

import pytest

from agents.platform import NotRegularError, Posix, Windows, system
from tests.checks.portability import unportable

NOBODY = 2**22 + 1  # above the highest process id of Linux


class Kernel32:
    """Processes 7 and this one (running), 8 (ended) and 9 (another owner's); notes the priorities that are set."""

    def __init__(self):
        self.open, self.classes, self.inheritable, self.jobs = 0, [], [], []

    def OpenProcess(self, access, inherit, process):
        assert 0 < process < 2**32, "a DWORD"
        self.last = 5 if process == 9 else 87
        found = process in (7, 8, os.getpid())
        self.open += found
        return process if found else 0

    def GetLastError(self):
        return self.last

    def GetExitCodeProcess(self, handle, status):
        status._obj.value = 259 if handle == 7 else 0
        return 1

    def CloseHandle(self, handle):
        self.open -= 1

    def SetPriorityClass(self, handle, value):
        self.classes.append((handle, value))

    def CreateJobObjectW(self, attributes, name):
        self.jobs.append([])
        return len(self.jobs)

    def SetInformationJobObject(self, job, kind, limits, size):
        self.limits = kind, bytes(limits), size
        return 1

    def AssignProcessToJobObject(self, job, process):
        self.jobs[job - 1].append(process)

    def SetHandleInformation(self, handle, mask, flags):
        self.inheritable.append(handle)


class Msvcrt:
    """Locks bytes of files by their inode, as Windows does by the file."""

    LK_NBLCK = 2

    def __init__(self):
        self.locked = {}

    def locking(self, file, mode, count):
        assert os.lseek(file, 0, os.SEEK_CUR) >= 2**20  # far from what others want to read
        if self.locked.setdefault(os.fstat(file).st_ino, file) != file:
            raise PermissionError(errno.EACCES, "another process has it")

    def get_osfhandle(self, file):
        return file + 1000

    def open_osfhandle(self, handle, flags):
        return handle - 1000


def windows(**given):
    return Windows(kernel32=Kernel32(), msvcrt=Msvcrt(), **given)


def test_nothing_else_uses_calls_that_only_some_systems_have():
    assert unportable() == []


def test_the_check_finds_such_a_call(tmp_path):
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "stop.py").write_text("import os\nos.kill(1, 9)  # os.fork()\n")
    assert unportable(tmp_path) == ["agents/stop.py:2: os.kill"]


@pytest.mark.parametrize("kind", [Posix, windows])
def test_one_of_two_gets_a_lock_and_leaves_the_file_readable(kind, tmp_path):
    here = kind()
    path = tmp_path / "lock"
    path.write_bytes(b"1234")
    with open(path, "rb+") as one, open(path, "rb+") as other:
        assert here.lock(one.fileno())
        assert not here.lock(other.fileno())
        assert other.read() == b"1234"


def test_a_process_is_alive_until_it_ended():
    assert system.is_alive(os.getpid())
    assert not any(map(system.is_alive, (0, -1, NOBODY, 2**80)))


@pytest.mark.parametrize("kind", [Posix, windows])
def test_a_process_is_asked_to_end_and_one_that_ended_is_passed_over(kind):
    here = kind()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        here.ask_to_end(child.pid)
        assert child.wait(60) == -signal.SIGTERM
    here.ask_to_end(NOBODY)


def test_windows_tells_a_running_process_from_one_that_ended():
    here = windows()
    assert [here.is_alive(process) for process in (7, 8, 9, 10)] == [True, False, True, False]
    assert not any(map(here.is_alive, (0, -1, 2**80)))
    assert here._kernel32.open == 0


@pytest.mark.parametrize("kind", [Posix, windows])
def test_only_plain_files_are_opened(kind, tmp_path):
    here = kind()
    file = tmp_path / "file"
    file.write_bytes(b"content")
    os.mkfifo(tmp_path / "pipe")
    with open(here.open_regular(file), "rb") as opened:
        assert opened.read() == b"content"
    for other in (tmp_path / "pipe", tmp_path, type(tmp_path)("/dev/zero")):
        with pytest.raises(NotRegularError, match="plain file"):
            here.open_regular(other)
    (tmp_path / "link").symlink_to(file)
    os.close(here.open_regular(tmp_path / "link"))
    with pytest.raises(OSError, match="link"):
        here.open_regular(tmp_path / "link", follow=False)


def test_macos_flushes_the_cache_of_the_disk_too_where_the_disk_can(tmp_path, monkeypatch):
    (tmp_path / "file").write_bytes(b"content")
    done, refused = [], []

    def control(file, command):
        if refused:
            raise OSError(errno.ENOTSUP, "a network disk")
        done.append(command)

    monkeypatch.setattr("agents.platform.posix.sys", SimpleNamespace(platform="darwin"))
    monkeypatch.setattr("fcntl.fcntl", control)
    monkeypatch.setattr("os.fsync", lambda file: done.append("fsync"))
    Posix().flush_file(tmp_path / "file")
    assert done == [51], "F_FULLFSYNC of <sys/fcntl.h>"
    refused.append(True)
    Posix().flush_file(tmp_path / "file")
    assert done == [51, "fsync"]


def test_windows_flushes_files_that_it_may_write_to_and_no_folders(tmp_path, monkeypatch):
    (tmp_path / "file").write_bytes(b"content")
    flushed = []
    monkeypatch.setattr("os.fsync", lambda file: flushed.append(os.write(file, b"C")))
    windows().flush_file(tmp_path / "file")
    windows().flush_folder(tmp_path)
    assert flushed == [1]


def test_windows_opens_no_device_and_takes_files_of_its_user_for_ours(tmp_path, monkeypatch):
    with pytest.raises(OSError, match="no files of devices"):
        windows().open_device(tmp_path)
    monkeypatch.setattr(type(tmp_path), "stat", lambda path: SimpleNamespace(st_uid=0))  # as of every file there
    assert windows().owns(tmp_path)


def test_windows_opens_no_file_with_the_name_of_a_device(tmp_path, monkeypatch):
    (tmp_path / "con").write_bytes(b"content")
    monkeypatch.setattr(type(tmp_path), "is_reserved", lambda path: path.name == "con")
    with pytest.raises(NotRegularError, match="plain file"):
        windows().open_regular(tmp_path / "con")


def test_windows_has_no_need_of_what_other_systems_are_asked_for():
    here = windows()
    here.end_with_parent()
    here.allow_connections()
    here.limit_memory(2**30)
    here.interrupt_nobody()
    here.trim_memory()
    here.share_heap()
    assert here.has_graphics_card
    assert here.set_apart == {}
    assert here.guard_command(7, "raylet") == []
    assert here.received_bytes(3) is None


def test_macos_ties_no_program_and_tells_no_bytes(monkeypatch):
    monkeypatch.setattr("agents.platform.posix.sys", SimpleNamespace(platform="darwin"))
    monkeypatch.setattr("ctypes.CDLL", lambda name: SimpleNamespace())  # no glibc, whose calls need not be there
    here = Posix()
    assert here.tied([sys.executable, "x"]) == [sys.executable, "x"]
    assert here.guard_command(7, "raylet") == []
    assert here.received_bytes(3) is None
    here.end_with_parent()
    here.share_heap()
    here.trim_memory()


def test_macos_does_without_the_limits_and_calls_that_it_lacks(monkeypatch, tmp_path):
    asked = []

    def refuse(limit, most):
        asked.append(limit)
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr("resource.setrlimit", refuse)
    monkeypatch.setattr("resource.getrlimit", lambda limit: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr("agents.platform.posix.Path", lambda path: tmp_path / "proc" / "missing")  # it has no /proc
    monkeypatch.delattr("os.sched_setscheduler")
    here = Posix()
    here.allow_connections()
    here.limit_memory(2**30)
    here.interrupt_nobody()
    here.put_aside(os.getpid(), is_aside=True)
    assert asked == [resource.RLIMIT_NOFILE, resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE]


def test_stop_signals_are_those_that_this_python_has():
    assert {number.name for number in system.stop_signals} == {"SIGTERM", "SIGINT", "SIGHUP"}


def test_windows_lowers_priorities_by_class():
    here = windows()
    here.give_way(0)
    here.give_way(10)
    here.give_way(19, process_id=7)
    assert here._kernel32.classes == [(os.getpid(), 0x4000), (7, 0x40)]
    assert here._kernel32.open == 0


def test_windows_puts_a_process_aside_for_a_while():
    here = windows()
    here.put_aside(7, is_aside=True)
    here.put_aside(7, is_aside=False)
    assert here._kernel32.classes == [(7, 0x4000), (7, 0x20)]
    assert here._kernel32.open == 0


def test_windows_ends_a_program_with_what_it_started_and_becomes_another_by_waiting_for_it():
    ran = []

    def run(command, **_):
        ran.append(command)
        return SimpleNamespace(returncode=3)

    here = windows(run=run)
    here.end_group(7)
    with pytest.raises(SystemExit) as end:
        here.become(["python", "-m", "trainer"])
    assert ran == [["taskkill", "/F", "/T", "/PID", "7"], ["python", "-m", "trainer"]]
    assert end.value.code == 3


@pytest.mark.parametrize(("platform", "device", "has"), [
    ("linux", "dri/renderD128", True), ("linux", "nvidia0", True), ("linux", "dri/card0", False), ("darwin", "", True),
])  # fmt: skip
def test_linux_has_a_graphics_card_where_it_has_a_device_of_one(platform, device, has, tmp_path, monkeypatch):
    (tmp_path / "dri").mkdir()
    if device:
        (tmp_path / device).touch()
    monkeypatch.setattr("agents.platform.posix._DEVICES", tmp_path)
    monkeypatch.setattr("agents.platform.posix.sys", SimpleNamespace(platform=platform))
    assert Posix().has_graphics_card is has


def test_windows_hands_a_child_exactly_its_handles(monkeypatch):
    monkeypatch.setattr(subprocess, "STARTUPINFO", SimpleNamespace, raising=False)
    here = windows()
    words, first = here.pass_on([3, 4])
    word, second = here.pass_on_connection(SimpleNamespace(fileno=lambda: 77))
    arguments = here.child_arguments(first, second)
    assert (words, word) == (["1003", "1004"], "77")
    assert arguments["startupinfo"].lpAttributeList == {"handle_list": [1003, 1004, 77]}
    assert here._kernel32.inheritable == [1003, 1004, 77]
    assert here.received("1003") == 3


def test_windows_makes_the_connection_of_a_handle(monkeypatch):
    monkeypatch.setattr("multiprocessing.connection.PipeConnection", lambda handle: f"pipe {handle}", raising=False)
    here = windows()
    word, _ = here.pass_on_connection(SimpleNamespace(fileno=lambda: 77))
    assert here.received_connection(word) == "pipe 77"


@pytest.mark.parametrize("kind", [Posix, windows])
def test_a_waiter_waits_for_a_message_or_the_end(kind):
    ours, theirs = Pipe()
    with closing(ours), closing(theirs):
        wait = kind().waiter(ours)
        assert not wait(0)
        assert not wait(0.01)
        theirs.send("message")
        assert wait(60)
        assert ours.recv() == "message"
        assert not wait(0)
        theirs.close()
        assert wait(60)
        with pytest.raises(EOFError):
            ours.recv()


def test_a_child_gets_a_connection_and_a_file(tmp_path):
    program = (
        "import os, sys; from agents.platform import system\n"
        "system.received_connection(sys.argv[1]).send(os.read(system.received(sys.argv[2]), 9))"
    )
    (tmp_path / "file").write_bytes(b"content")
    ours, theirs = Pipe()
    with open(tmp_path / "file", "rb") as file, closing(ours):
        word, first = system.pass_on_connection(theirs)
        words, second = system.pass_on([file.fileno()])
        child = subprocess.Popen([sys.executable, "-c", program, word, *words], **system.child_arguments(first, second))
        theirs.close()
        assert system.waiter(ours)(60)
        assert ours.recv() == b"content"
        assert child.wait() == 0


def test_windows_ends_its_children_by_one_job_that_closes_with_us():
    kernel32 = Kernel32()
    windows = Windows(kernel32=kernel32)
    windows.adopt(7)
    windows.adopt(9)  # another owner's: nothing to be done
    windows.adopt(8)
    assert kernel32.jobs == [[7, 8]]
    assert kernel32.open == 0
    kind, limits, size = kernel32.limits
    assert (kind, size, len(limits)) == (9, 144, 144)
    assert int.from_bytes(limits[16:20], "little") == 0x2000  # JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
    assert windows.is_child_of(7)
    assert not windows.is_child_of(8)
    assert windows.tied(["engine", "x"]) == ["engine", "x"]
