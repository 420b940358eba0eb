"""Runs a program that ends with its parent, on Linux: ``python -I -S tied_program.py PARENT PROGRAM ARGUMENTS``.

The request to the kernel outlives the change to another program, so that an engine of any language has it too.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1  # https://man7.org/linux/man-pages/man2/PR_SET_PDEATHSIG.2const.html


def kill_after_parent() -> None:
    """Have the kernel kill this process when the thread that started it ends."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def main(parent: str, *command: str) -> None:
    """Become `command`, unless the parent has ended already."""
    kill_after_parent()
    if os.getppid() == int(parent):
        os.execvp(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
