"""Children end with their parent, however it ends and whatever either is doing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from agents.platform import system
from agents.platform.children import PARENT, Guard, end_with_parent, start_child, start_program
from tests.support.orphans import KINDS
from tests.support.processes import is_alive

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


@pytest.fixture
def start():
    """Starts a parent with a child of that kind, and returns it and the child's process id."""
    parents = []

    def begin(kind):
        command = [sys.executable, "-m", "tests.support.orphans", kind]
        parent = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        parents.append(parent)
        return parent, int(parent.stdout.readline())

    yield begin
    for parent in parents:
        parent.kill()
        parent.wait()
        parent.stdout.close()


DEADLINE = 60.0


def wait_for_the_end(child):
    end = time.monotonic() + DEADLINE
    while is_alive(child):
        assert time.monotonic() < end, f"process {child} lives on"
        time.sleep(0.05)


@pytest.mark.parametrize("kind", KINDS)
def test_a_busy_child_is_gone_when_its_parent_was_killed(kind, start):
    parent, child = start(kind)
    assert is_alive(child)
    parent.kill()
    parent.wait()
    wait_for_the_end(child)


@pytest.mark.parametrize("kind", ["python", "program", "stage"])
def test_a_stopped_child_is_gone_when_its_parent_was_killed(kind, start):
    parent, child = start(kind)
    os.kill(child, signal.SIGSTOP)
    parent.kill()
    wait_for_the_end(child)


def test_a_child_that_begins_after_its_parents_end_waits_for_nothing():
    code = "import time; from agents.platform.children import follow; follow(1, grace=1e6); time.sleep(1e6)"
    assert subprocess.run([sys.executable, "-c", code], timeout=DEADLINE).returncode == 1


def test_a_guard_ends_although_another_child_has_its_pipe():
    """As one that hangs between its fork and its program has all pipes of its parent."""
    guard = Guard("sh")
    pipe = guard._program.stdin.fileno()
    other = subprocess.Popen(["sleep", "1000"], pass_fds=[pipe])
    try:
        closing = threading.Thread(target=guard.close, daemon=True)
        closing.start()
        closing.join(DEADLINE)
        assert not closing.is_alive()
    finally:
        other.kill()
        other.wait()


def test_a_child_whose_parent_ended_before_it_began_ends_too():
    code = "from agents.platform.children import end_with_parent; end_with_parent(); print('lives on')"
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, PARENT: "1"}, capture_output=True)
    assert (done.returncode, done.stdout) == (1, b"")


def test_only_the_child_itself_is_bound(monkeypatch):
    monkeypatch.delenv(PARENT, raising=False)
    end_with_parent()  # nothing happens in a process that was started by hand
    code = "import os; from agents.platform.children import end_with_parent; end_with_parent(); print(dict(os.environ))"
    own = {**os.environ, PARENT: str(os.getpid())}
    assert PARENT not in subprocess.check_output([sys.executable, "-c", code], env=own, text=True)


def test_a_child_gets_the_priority_that_it_is_started_with():
    code = "import os; input(); print(os.nice(0))"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with start_child([sys.executable, "-c", code], nice=7, text=True, **pipes) as child:
        assert int(child.communicate("\n")[0]) == max(7, os.nice(0))


def test_a_program_keeps_its_arguments_its_pipes_and_its_error():
    command = [sys.executable, "-c", "import sys; print(sys.argv[1], input())", "a b"]
    with start_program(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.communicate("c d\n")[0] == "a b c d\n"
    with pytest.raises(FileNotFoundError, match="no-such-program"):
        start_program(["no-such-program"])
    assert system.tied(["no-such-program", "x"]) == ["no-such-program", "x"]
