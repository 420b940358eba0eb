"""Where snapshots are found: the user's folder, and behind it those that ship with the program."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from agents.home import folder
from agents.snapshots.store import Rating, Snapshot, SnapshotStore

if TYPE_CHECKING:
    from agents.ladder.ladder import Ladder

_PACKAGE = Path(__file__).resolve().parent
BUNDLED = _PACKAGE / "bundled" if (_PACKAGE / "bundled").is_dir() else _PACKAGE.parents[1] / "assets" / "snapshots"
"""The snapshots that ship: inside the installed package, or in the repository."""


def open_store(root: Path | None = None, *, held: Mapping[str, Snapshot] | None = None) -> SnapshotStore:
    """The snapshots in `root`, by default the user's, and the bundled ones; the ladder beside `root` rates them."""
    root = folder("snapshots") if root is None else root
    rating = _ladder_rating(root.parent / "ladder.sqlite")
    return SnapshotStore(root, bundled=(BUNDLED,), rating=rating, held=held)


def _ladder_rating(path: Path) -> Rating:
    opened: list[Ladder] = []  # at the first question: its parts take long to import

    def rating(game: str, name: str) -> float | None:
        if not opened and not path.exists():
            return None
        from agents.ladder.ladder import Ladder, LadderError

        try:
            if not opened:
                opened.append(Ladder(path))
            return opened[0].rating(game, name)
        except LadderError:  # play on without it: the best is then the latest
            return None

    return rating
