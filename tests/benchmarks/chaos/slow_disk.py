"""Runs a module whose flushes take long while the disk is slow: ``python -m tests.benchmarks.chaos.slow_disk MODULE``.

The disk is slow while the file SLOW_FILE exists: each fsync of the process then takes FLUSH_SECONDS longer, as on a
disk that is busy with the writes of others.  Processes that the module spawns keep their speed.
"""

from __future__ import annotations

import os
import runpy
import sys
import time
from collections.abc import Callable
from typing import Any

SLOW_FILE = "CHAOS_SLOW_FILE"
"""Environment variable: the path of the file."""

FLUSH_SECONDS = 0.25


def slowed(flush: Callable[[Any], None], path: str) -> Callable[[Any], None]:
    """`flush`, which takes longer while `path` exists."""

    def flush_slowly(file: Any) -> None:
        flush(file)
        if os.path.exists(path):
            time.sleep(FLUSH_SECONDS)

    return flush_slowly


def main() -> None:
    """Run the module of the first argument with the rest."""
    path = os.environ.get(SLOW_FILE)
    if path:
        os.fsync, os.fdatasync = slowed(os.fsync, path), slowed(os.fdatasync, path)
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
