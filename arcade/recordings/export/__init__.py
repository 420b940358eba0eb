"""Exports recordings as data sets, or matches as text, for other tools; formats.py has the table of formats."""

from arcade.recordings.export.data_set import DataSet, DataSetWriter
from arcade.recordings.export.driver import BY, Exported, check_format, export_episodes, export_recordings
from arcade.recordings.export.matches import MatchWriter

__all__ = [
    "BY",
    "DataSet",
    "DataSetWriter",
    "Exported",
    "MatchWriter",
    "check_format",
    "export_episodes",
    "export_recordings",
]
