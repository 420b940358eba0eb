"""Kills programs and all that they have started, on Linux: ``python -I -S guard_program.py PARENT NAME``.

They are the children of PARENT of that name.  Its standard input is a pipe from the parent: it looks for them until
there is a line, which it answers, and kills those that still run at a second one, or at the end.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import suppress

LOOK_EVERY = 0.1
"""Seconds; what is started in the last of them before a parent is killed is not seen."""


class Guarded:
    """Handles of the processes that were seen: no later process of the same id is meant."""

    def __init__(self, parent: int, name: str) -> None:
        self._parent, self._name, self._handles = parent, name, dict[int, int]()

    def look(self) -> None:
        """Add those that are new."""
        children = dict[int, list[tuple[int, str]]]()
        for one in filter(str.isdecimal, os.listdir("/proc")):
            with suppress(OSError), open(f"/proc/{one}/stat", "rb") as file:
                head, _, rest = file.read().decode(errors="replace").rpartition(")")
                children.setdefault(int(rest.split()[1]), []).append((int(one), head.partition("(")[2]))
        found = [pid for pid, name in children.get(self._parent, []) if name == self._name]
        while found:
            pid = found.pop()
            found += [child for child, _ in children.get(pid, [])]
            if pid not in self._handles:
                with suppress(OSError):  # it has ended, or the kernel is older than 5.3
                    self._handles[pid] = os.pidfd_open(pid)

    def kill(self) -> None:
        """Kill those that still run."""
        for handle in self._handles.values():
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)


def main(parent: str, name: str) -> None:
    guarded = Guarded(int(parent), name)
    print(flush=True)
    while not select.select([0], [], [], LOOK_EVERY)[0]:
        guarded.look()
    os.read(0, 1)
    guarded.look()
    with suppress(BrokenPipeError):  # the parent has ended
        os.write(1, b"\n")
    os.read(0, 1)
    guarded.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])
