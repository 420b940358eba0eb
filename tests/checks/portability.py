"""Finds calls that only some operating systems have outside `agents.platform`, where each has a branch for Windows."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("agents", "arcade", "trainer")
HOME = ROOT / "agents" / "platform"

NOT_EVERYWHERE = re.compile(
    r"\b(?:import fcntl|import msvcrt|import pwd|import resource|pass_fds|preexec_fn|process_group|start_new_session"
    r"|O_NOFOLLOW|O_NONBLOCK|O_DIRECTORY|SIGHUP|SIGKILL|SIGSTOP|SIGALRM|SCHED_BATCH|select\.poll|select\.epoll"
    r"|os\.(?:kill|killpg|execv\w*|fork|nice|getpriority|setpriority|getuid|geteuid|getsid|setsid|pread|pwrite)\b)"
)


def unportable(root: Path = ROOT) -> list[str]:
    """``file:line: call`` for each of them."""
    return [
        f"{path.relative_to(root)}:{number}: {match.group()}"
        for package in PACKAGES
        for path in sorted((root / package).rglob("*.py"))
        if HOME not in path.parents
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if (match := NOT_EVERYWHERE.search(line.partition("#")[0]))
    ]


def main() -> int:
    found = unportable()
    for line in found:
        print(f"{line} (call agents.platform.system instead, which has a branch for Windows)", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
