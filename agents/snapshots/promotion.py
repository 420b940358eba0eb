"""Promotions: the graph that ``best`` means in a game, since a test found it stronger than the best before it.

A file beside the snapshots has the SHA-256 of each graph, so that a promotion outlives a new name.
"""

from __future__ import annotations

import json
from pathlib import Path

from agents.files import FileError, locked, read_json, replace_file, set_aside

FILE = ".best.json"


def promoted(root: Path) -> dict[str, str]:
    """Game to the SHA-256 of its promoted graph; none from a file that cannot be read, which `damage` tells."""
    try:
        return _read(root)
    except (OSError, FileError):
        return {}


def damage(root: Path) -> str:
    """Why the promotions cannot be read, "" where they can."""
    try:
        _read(root)
    except (OSError, FileError) as error:
        return f"expected the promoted snapshots in {root / FILE}, got: {error}"
    return ""


def promote(root: Path, game: str, sha256: str) -> None:
    """Let ``best`` mean this graph from now on; "" for the highest rated again.  A spoilt file is kept as ``.bad``."""
    root.mkdir(parents=True, exist_ok=True)
    with locked(root):
        try:
            known = _read(root)
        except (OSError, FileError) as error:
            set_aside(root / FILE, error, what="the promoted snapshots")
            known = {}
        known[game] = sha256
        replace_file(root / FILE, json.dumps({name: value for name, value in known.items() if value}))


def _read(root: Path) -> dict[str, str]:
    """Raises OSError or FileError."""
    try:
        found = read_json(root / FILE)
    except FileNotFoundError:
        return {}
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise FileError("something other than a game and a checksum")
    return found
