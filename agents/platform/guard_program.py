"""Kills processes once its parent has ended, on Linux: ``python -I -S guard_program.py PROCESS_ID ...``.

Its standard input is a pipe whose other end the parent alone has.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress


def main(*process_ids: str) -> None:
    """Wait for the end of the input, then kill those that still run; no later process of the same id is meant."""
    handles = []
    for one in process_ids:
        with suppress(OSError):  # it has ended, or the kernel is older than 5.3
            handles.append(os.pidfd_open(int(one)))
    print(flush=True)
    sys.stdin.buffer.read()
    for handle in handles:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(handle, signal.SIGKILL)


if __name__ == "__main__":
    main(*sys.argv[1:])
