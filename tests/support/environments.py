"""Virtual environments above this one: they have its packages, and may install others or other versions."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

LIMIT = 600.0


def environment_above(place: Path) -> Path:
    """Make one in `place`, without packages of its own, and return its site-packages."""
    venv.create(place, with_pip=False)
    [site] = (place / "lib").glob("python*/site-packages")
    lent = [path for path in sys.path if path.endswith("site-packages")]
    (site / "lent.pth").write_text("\n".join(lent), encoding="utf-8")
    return site


def install(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run ``pip install`` in the environment at `place`, by this one's pip."""
    command = [sys.executable, "-m", "pip", "--python", str(place / "bin" / "python"), "install", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
