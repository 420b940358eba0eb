"""Demonstrations as data sets that other tools read: Minari, Parquet, NumPy; RLlib's are the trainer's to write."""

from arcade.recordings.export.data_set import DataSet, DataSetWriter
from arcade.recordings.export.driver import BY, Exported, export_episodes, export_recordings

__all__ = ["BY", "DataSet", "DataSetWriter", "Exported", "export_episodes", "export_recordings"]
