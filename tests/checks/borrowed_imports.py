"""Finds tests that import other tests: what several of them need belongs in tests/support."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHARED = "support|shots|benchmarks|fuzz|golden|checks"
BORROWED = re.compile(rf"^\s*(?:from|import) tests\.(?!(?:{SHARED})\b)[\w.]+", re.MULTILINE)


def borrowed_imports(folder: Path) -> list[str]:
    """``file: import`` for each import of a test module or a conftest."""
    return [
        f"{path.relative_to(folder.parent)}: {match.group().strip()}"
        for path in sorted(folder.rglob("*.py"))
        for match in BORROWED.finditer(path.read_text())
    ]


def main() -> int:
    found = borrowed_imports(ROOT / "tests")
    for line in found:
        print(f"{line} (move what is shared to tests/support)", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
