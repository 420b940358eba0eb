"""Frames of pandas from the ladder, part of the Python API; needs the extra "data"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.ladder.ratings.views import find_view
from arcade.api import ladder
from arcade.recordings.export.formats import library

if TYPE_CHECKING:
    from pandas import DataFrame


def ladder_frame(game: str, view: str = "ratings") -> DataFrame:
    """Return a view of a game's standings as a frame, with the columns of ``arcade ladder show --view VIEW --csv``.

    game: as in `arcade.ladder`.
    view: "ratings", "history", "matrix", "cross-play", "cycles" or "statistics", as far as the game has it.

    Raises GameError, UserError for an unknown view, and DatasetError without pandas.

    >>> ladder_frame("house/volley").columns[:3].tolist()
    ['place', 'name', 'label']
    """
    pandas = library("pandas")
    standings = ladder(game)
    found = find_view(standings, view)
    frame: DataFrame = pandas.DataFrame(list(found.lines(standings)), columns=list(found.fields))
    return frame
