"""Matches of a long measurement, kept in a folder, so that it can be stopped and goes on where it was.

A match counts again for the same game, players, seed and length alone, and while no line of the programs that play it
has changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import agents
import arcade
from agents.files import replace_file

PLAYING = (Path(agents.__file__).parent, *(Path(arcade.__file__).parent / name for name in ("games", "match")))
"""Folders of the programs that play."""


class KeptMatches:
    """Keeps nothing until `open` names the folder."""

    def __init__(self) -> None:
        self._folder: Path | None = None

    @property
    def keeps(self) -> bool:
        """Whether there is a folder."""
        return self._folder is not None

    def open(self, folder: Path) -> None:
        """Keep matches in `folder`, which is made."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def get(
        self, game: str, lineup: Mapping[Any, str], seed: int, max_ticks: int | None,
        play: Callable[[int], dict[str, Any]],
    ) -> dict[str, Any]:  # fmt: skip
        """Return the match of a seed that was kept, or else play and keep it; after `open`."""
        assert self._folder is not None
        asked = [game, sorted((str(agent), seat) for agent, seat in lineup.items()), seed, max_ticks, programs()]
        path = self._folder / f"{hashlib.sha256(json.dumps(asked).encode()).hexdigest()}.json"
        if path.exists():
            return dict(json.loads(path.read_text(encoding="utf-8")))
        found = play(seed)
        replace_file(path, json.dumps(found).encode())
        return found


KEPT = KeptMatches()
"""Of this process."""


@cache
def programs() -> str:
    """Return a digest of the programs that play."""
    found = hashlib.sha256()
    for path in sorted(path for folder in PLAYING for path in folder.rglob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()
