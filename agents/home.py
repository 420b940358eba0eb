"""Where everything a user keeps lives on disk."""

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
