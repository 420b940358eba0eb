"""Stops or fails each call of a write path in turn and looks at what is left: ``… tests.support.crash_trial NAME``.

Prints one JSON object: the calls of the path, how many faults struck, and what was wrong.
"""

from __future__ import annotations

import errno
import gc
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from agents.files import PART
from tests.support.system_calls import Call, Fault, Run, trace
from tests.support.write_paths import WRITE_PATHS, WRONG_PATHS
from tests.support.write_paths.path import WritePath

KINDS: Mapping[str, tuple[int, Collection[str]]] = {
    "kill": (0, ()),
    "torn": (0, ("write",)),
    "full disk": (errno.ENOSPC, ("open", "write", "mkdir", "rename", "link", "allocate")),
    "bad disk": (errno.EIO, ("fsync", "truncate", "unlink")),
}
"""Faults, each with its error and the calls that it strikes; () for all."""

MOST_CALLS = 400
"""A path with more does not come to its end."""


class Trial:
    """All faults of one write path, below `folder`."""

    def __init__(self, path: WritePath, folder: Path) -> None:
        self.path, self.wrong, self.strikes = path, list[str](), 0
        self._home, self._before = folder / "home", folder / "before"
        os.environ["ARCADE_HOME"] = str(self._home)
        self._home.mkdir()

    def run(self) -> dict[str, Any]:
        path, home = self.path, self._home
        self._fork(lambda: path.prepare(home))
        shutil.copytree(home, self._before)
        self._old = self._fork(lambda: path.found(home))
        whole = self._write(None)
        self._new = self._fork(lambda: path.found(home))
        if whole.error or self._old == self._new:
            self.wrong.append(f"the path does not write: {whole.error}")
        self.wrong += unflushed(whole.calls) if path.is_flushed else []
        for kind in KINDS:
            self._try_all(kind, whole.calls)
        return {"calls": [call.name for call in whole.calls], "strikes": self.strikes, "wrong": self.wrong}

    def _try_all(self, kind: str, calls: Sequence[Call]) -> None:
        number, struck = KINDS[kind]
        for at in range(1, MOST_CALLS):
            if struck and at <= len(calls) and calls[at - 1].name not in struck:
                continue
            run = self._write(Fault(kind, at, number))
            if not run.struck:
                return
            self.strikes += 1
            place = f"{kind} at call {at}, {run.calls[at - 1].name} {Path(run.calls[at - 1].path).name}"
            try:
                self._check(run)
            except Exception as error:  # noqa: BLE001
                self.wrong.append(f"{place}: {error}")
        self.wrong.append(f"{kind}: more than {MOST_CALLS} calls")

    def _write(self, fault: Fault | None) -> Run:
        shutil.rmtree(self._home)
        shutil.copytree(self._before, self._home)
        return trace(lambda: self.path.write(self._home), below=self._home, fault=fault)

    def _check(self, run: Run) -> None:
        """Raises ValueError for something torn, lost or left behind."""
        found, again = self._fork(self._start_again)
        if not self.path.accepts(found, self._old, self._new):
            raise ValueError(f"found {found!r:.200}, expected {self._old!r:.200} or {self._new!r:.200}")
        if not run.killed and not run.error and found != self._new:
            raise ValueError("it claims to be done, but is not")
        if again != self._new:
            raise ValueError(f"written once more, it is {again!r:.200}")
        if left := [file.name for file in self._home.rglob(f"*{PART}")]:
            raise ValueError(f"left behind: {', '.join(left)}")

    def _start_again(self) -> Any:
        found = self.path.found(self._home)
        self.path.write(self._home)
        return [found, self.path.found(self._home)]

    def _fork(self, work: Callable[[], Any]) -> Any:
        """What `work` returns in a process of its own; raises ValueError for what it raises."""
        with tempfile.TemporaryFile() as answer:
            child = os.fork()
            if not child:
                _answer(work, answer.fileno())
            os.waitpid(child, 0)
            answer.seek(0)
            result = json.loads(answer.read())
        if "error" in result:
            raise ValueError(result["error"])
        return result["value"]


def _answer(work: Callable[[], Any], file: int) -> None:
    try:
        answer = {"value": work()}
    except BaseException as error:  # noqa: BLE001
        answer = {"error": f"{type(error).__name__}: {error}"}
    os.write(file, json.dumps(answer).encode())
    os._exit(0)


def unflushed(calls: Sequence[Call]) -> list[str]:
    """What a loss of power could tear although no kill does: names given to content that may not be on the disk."""
    wrong, dirty, unnamed = [], set[str](), set[str]()
    for call in calls:
        if call.name == "write":
            dirty.add(call.path)
        elif call.name == "fsync":
            dirty.discard(call.path)
            unnamed.discard(call.path)
        elif call.name == "rename" and not call.target.endswith(PART):
            inside = (f"{call.path}/", call.path)
            wrong += [f"renamed before it is flushed: {Path(one).name}" for one in dirty if one.startswith(inside)]
            unnamed.add(str(Path(call.target).parent))
    return wrong + [f"never flushed after a rename: the folder {Path(one).name}" for one in unnamed]


def main(name: str) -> None:
    path = next(path for path in (*WRITE_PATHS, *WRONG_PATHS) if path.name == name)
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"  # stdout has JSON alone
    with tempfile.TemporaryDirectory() as folder:
        warm = Path(folder) / "warm"
        warm.mkdir()
        os.environ["ARCADE_HOME"] = str(warm)
        path.prepare(warm)  # imports once what every fork needs
        path.write(warm)
        path.found(warm)
        gc.freeze()  # forks share what is there
        print(json.dumps(Trial(path, Path(folder).resolve()).run()))


if __name__ == "__main__":
    main(sys.argv[1])
