"""Promotions: the graph that ``best`` means in a game, since a test found it stronger than the best before it.

A file beside the snapshots has the SHA-256 of each graph, so that a promotion outlives a new name.
"""

from __future__ import annotations

import json
from pathlib import Path

from agents.files import FileError, locked, read_json, replace_file

FILE = ".best.json"


def promoted(root: Path) -> dict[str, str]:
    """Game to the SHA-256 of its promoted graph; none from a file that cannot be read."""
    try:
        found = read_json(root / FILE)
    except (OSError, FileError):
        return {}
    is_sound = isinstance(found, dict) and all(isinstance(value, str) for value in found.values())
    return found if is_sound else {}


def promote(root: Path, game: str, sha256: str) -> None:
    """Let ``best`` mean this graph from now on; "" for the highest rated again."""
    root.mkdir(parents=True, exist_ok=True)
    with locked(root):
        known = promoted(root) | {game: sha256}
        replace_file(root / FILE, json.dumps({name: value for name, value in known.items() if value}))
