"""ARCADE_HOME and the folders below it."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def home() -> Path:
    """The folder ``ARCADE_HOME``, else the platform's user-data folder; made if missing."""
    named = os.environ.get("ARCADE_HOME")
    folder = Path(named) if named else Path(platformdirs.user_data_dir("pettingzoo-arcade", appauthor=False))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def folder(name: str) -> Path:
    """A folder such as ``snapshots`` or ``runs`` below `home`; made if missing."""
    path = home() / name
    path.mkdir(parents=True, exist_ok=True)
    return path


def cache(name: str) -> Path:
    """A folder of files that can be made again, below ``ARCADE_HOME/cache``, else the platform's; made if missing."""
    is_own = bool(os.environ.get("ARCADE_HOME"))
    root = home() / "cache" if is_own else Path(platformdirs.user_cache_dir("pettingzoo-arcade", appauthor=False))
    path = root / name
    path.mkdir(parents=True, exist_ok=True)
    return path
