"""Snapshots that lie in the usual places of this computer, not yet among those of the arcade."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import platformdirs

from agents.errors import UserError
from agents.snapshots.snapshot import CARD_FILE, read_card

MOST = 5000
"""Entries of a folder that are looked at; a home may have many."""


def found_snapshots(game: str) -> list[Path]:
    """Return the folders of snapshots of the game in the home, on the desktop and among the downloads, newest first.

    Reads the disk, so that only the worker calls it; a folder within one of these is looked at, too.
    """
    home = Path.home()
    places = dict.fromkeys((home, Path(platformdirs.user_desktop_dir()), Path(platformdirs.user_downloads_dir())))
    folders = dict.fromkeys(one for place in places for one in _folders(place))
    inner = [one for folder in folders if folder.parent != home for one in _folders(folder)]
    found = [folder for folder in (*folders, *inner) if _is_of(folder, game)]
    return sorted(found, key=lambda folder: (folder / CARD_FILE).stat().st_mtime, reverse=True)


def _folders(place: Path) -> Iterator[Path]:
    """Yield the folders in `place` that are not hidden."""
    with suppress(OSError):
        for entry in islice(place.iterdir(), MOST):
            if not entry.name.startswith(".") and entry.is_dir():
                yield entry


def _is_of(folder: Path, game: str) -> bool:
    try:
        return (folder / CARD_FILE).is_file() and read_card(folder).game == game
    except (UserError, OSError, ValueError):
        return False
