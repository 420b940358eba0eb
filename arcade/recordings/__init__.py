"""Recorded matches: a library with a card for each, and data sets to learn from; ``arcade.recordings()`` lists them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arcade.recordings.library import Recording


class _Recordings(ModuleType):
    """A package of the public API that is also a function of it."""

    def __call__(self, folder: Path | None = None, **query: Any) -> Sequence[Recording]:
        """Return the recordings of a folder, the newest first; files that can't be read are left out.

        folder: None: ARCADE_HOME/replays.
        query: fields of a DatasetQuery, all of which must hold: game, person, seat, kind, label, outcome, tag …

        Raises DatasetError for a query that contradicts itself.

        >>> import arcade
        >>> arcade.recordings(game="house/volley", outcome="win")
        []
        """
        from agents.files import folder as home_folder
        from arcade.recordings.library import RecordingLibrary
        from arcade.recordings.query import DatasetQuery

        library, asked = RecordingLibrary(folder or home_folder("replays")), DatasetQuery(**query)
        return asked.filter(library.list()[0])


sys.modules[__name__].__class__ = _Recordings
