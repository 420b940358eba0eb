"""Exports demonstrations as data sets for other tools; formats.py has the table of formats."""

from arcade.recordings.export.data_set import DataSet, DataSetWriter
from arcade.recordings.export.driver import BY, Exported, export_episodes, export_recordings

__all__ = ["BY", "DataSet", "DataSetWriter", "Exported", "export_episodes", "export_recordings"]
