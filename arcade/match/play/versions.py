"""What a match was played with."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version

_PACKAGES = (
    "pettingzoo-arcade", "pettingzoo", "mpe2", "multi-agent-ale-py", "gymnasium", "numpy", "onnxruntime", "pymunk",
    "Box2D", "rlcard", "open-spiel", "chess",
)  # fmt: skip


def versions() -> dict[str, str]:
    """Of Python and of each package that a result can depend on; "" for one that is not installed."""
    return dict(_versions())


@cache
def _versions() -> dict[str, str]:
    """Looked up once: it takes milliseconds, and matches begin often."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = ""
    return found
