"""Finds modules and folders that have grown too large to read."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("agents", "arcade", "trainer")

MAX_LINES = 400
MAX_MODULES = 25
"""In one folder, the folders in it left out."""


def find_large(root: Path) -> list[str]:
    """What is wrong, a line each."""
    paths = [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in paths}
    folders = Counter(path.parent for path in paths)
    return [
        *(
            f"{path.relative_to(root)}: expected at most {MAX_LINES} lines, got {count}; split it by idea"
            for path, count in lines.items()
            if count > MAX_LINES
        ),
        *(
            f"{folder.relative_to(root)}/: expected at most {MAX_MODULES} modules, got {count}; make folders in it"
            for folder, count in folders.items()
            if count > MAX_MODULES
        ),
    ]


def main() -> int:
    found = find_large(ROOT)
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
