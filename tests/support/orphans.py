"""Parents that start a child, print its process id and wait: ``python -m tests.support.orphans KIND``."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from agents.platform import system
from agents.platform.children import Guard, end_with_parent, follow, start_child, start_program

_kept: list[object] = []
"""Objects that would end their process when Python frees them."""


def python_child(how: str = "") -> subprocess.Popen[Any]:
    """A child of ours that never comes back from Python code; started by a thread that ends at once."""
    started: list[subprocess.Popen[Any]] = []
    command = [sys.executable, "-m", __spec__.name, "spin", how]
    pipe = subprocess.PIPE
    thread = threading.Thread(target=lambda: started.append(start_child(command, stdout=pipe)))
    thread.start()
    thread.join()
    assert started[0].stdout is not None
    started[0].stdout.readline()  # it spins by now
    return started[0]


def spin(how: str) -> None:
    """The child: loops for ever, `alone` without the kernel's help, `grace` with time for an end in order."""
    if how == "alone":
        type(system).end_with_parent = lambda self: None  # type: ignore[method-assign]
    if how == "grace":
        follow(int(sys.argv[3]), grace=1.0)
    else:
        end_with_parent()
    print("spinning", flush=True)
    while True:
        pass


def graceful_child() -> subprocess.Popen[Any]:
    """A child with a grace of a second."""
    command = [sys.executable, "-m", __spec__.name, "spin", "grace", str(os.getpid())]
    child = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    return child


def foreign_program() -> subprocess.Popen[Any]:
    """A program of another language that waits for more to read."""
    program = start_program(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdin.write(b"ready\n")
    program.stdin.flush()
    program.stdout.readline()
    _kept.append(program)
    return program


def hung_game() -> subprocess.Popen[Any]:
    """A stage whose game loops for ever in its first step."""
    from arcade.match.stage.hosted import HostedStage
    from tests.support.counting_games import counting_spec

    stage = HostedStage(counting_spec(trouble="spin", at=1), render=False)
    stage.wait_ready()
    stage.reset(0)
    stage.wait()
    stage.step({"ann": 0, "bob": 0})
    _kept.append(stage)
    assert stage._child is not None
    return stage._child.process


def isolated_player() -> Any:
    """A process of isolated matches whose player never answers."""
    from agents.seats.controller import SeatChoice
    from arcade.match.batch.plan import Chunk, Fixture, MatchPlan
    from arcade.match.batch.processes import Child
    from tests.support.counting_games import counting_spec

    players = (SeatChoice("random"), SeatChoice("python", "tests.support.orphans:never"))
    child = Child(MatchPlan(spec=counting_spec(), players=players))
    child.give(Chunk((Fixture(number=0, seed=0, players=(0, 1)),), False))
    _kept.append(child)
    return child._process


def never(observation: Any, mask: Any, rng: Any) -> int:
    """A player that never answers."""
    while True:
        pass


class Grandchild(NamedTuple):
    """A process whose own parent is not this one."""

    pid: int


def guarded_program() -> Grandchild:
    """A program that another program has started, as a library may do, while that is looked for."""
    guard, pipes = Guard("sh"), {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    program = subprocess.Popen(["sh", "-c", "sleep 10000 & echo $!; read end"], **pipes)
    assert program.stdout is not None
    child = Grandchild(int(program.stdout.readline()))
    guard.settle()
    _kept.extend((guard, program))
    return child


KINDS: dict[str, Callable[[], Any]] = {
    "python": python_child,
    "python alone": lambda: python_child("alone"),
    "grace": graceful_child,
    "program": foreign_program,
    "stage": hung_game,
    "isolated": isolated_player,
    "guarded": guarded_program,
}


def main(kind: str, *rest: str) -> None:
    if kind == "spin":
        spin(rest[0])
    print(KINDS[kind]().pid, flush=True)
    time.sleep(10000)


if __name__ == "__main__":
    main(*sys.argv[1:])
