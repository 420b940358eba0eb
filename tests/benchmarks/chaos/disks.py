"""Disk: a small tmpfs for ARCADE_HOME that can be filled, and a flag that makes flushes slow."""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

SIZE_MB = 768
TRIES = 20
"""Of taking what room is left, while others write."""


class Disk:
    """A folder on a file system of its own where root can mount one; else `is_small` is false and nothing fills it."""

    def __init__(self) -> None:
        self._top = Path(tempfile.mkdtemp(prefix="arcade-chaos-"))
        self.folder = self._top / "disk"
        self.folder.mkdir()
        order = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m", "arcade-chaos", str(self.folder)]
        try:
            self.is_small = subprocess.run(order, capture_output=True).returncode == 0
        except OSError:
            self.is_small = False
        self.home = self.folder / "home"
        self.home.mkdir()
        self.slow_file = self._top / "slow"
        self._balloon = self.folder / "balloon"

    def fill(self) -> None:
        """Leave no room: reserved, not written, which would take a second of the processor from the programs."""
        if not self.is_small:
            return
        with suppress(OSError), open(self._balloon, "wb") as file:
            taken = 0
            for _ in range(TRIES):
                if free := self._free():
                    with suppress(OSError):  # others have written meanwhile
                        os.posix_fallocate(file.fileno(), taken, free)
                        taken += free

    def empty(self) -> None:
        """Give the room back."""
        self._balloon.unlink(missing_ok=True)

    def _free(self) -> int:
        room = os.statvfs(self.folder)
        return room.f_bavail * room.f_frsize

    def close(self) -> None:
        """Unmount and remove; whatever still has a file open there keeps it until its end."""
        if self.is_small:
            subprocess.run(["umount", "-l", str(self.folder)], capture_output=True)
        subprocess.run(["rm", "-rf", "--one-file-system", str(self._top)], capture_output=True)
