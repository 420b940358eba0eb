"""MemoryFile: the records of a match so far, in memory, for moments that are saved while it is played."""

from __future__ import annotations

from pathlib import Path

import zstandard

from arcade.match.recording.compressed_file import LEVEL
from arcade.match.recording.format import MAGIC, RecordingOptions
from arcade.match.recording.replay_writer import ReplayWriter


class MemoryFile:
    """What a ReplayWriter needs of a CompressedFile."""

    def __init__(self) -> None:
        self.failure, self.has_room = "", True
        self.content = bytearray()

    def wait_for_room(self) -> None:
        """There always is."""

    def write(self, data: bytes) -> None:
        self.content += data

    def finish(self) -> None:
        """Nothing to write."""

    def close(self) -> None:
        """Nothing to free."""


class MatchRecords(ReplayWriter):
    """Records a match without observations; about 60 bytes a tick.

    `copy` is a recording of the match so far, without an end, as a kill would have left it.
    """

    def __init__(self) -> None:
        self._memory = MemoryFile()
        super().__init__(Path("moment.replay"), RecordingOptions(observations="never"), file=self._memory)

    def copy(self) -> bytes:
        """The records up to now, to be `packed`; raises OSError where the game has what no record holds."""
        if self.trouble:
            raise OSError(f"the match {self.trouble}")
        return bytes(self._memory.content)


def packed(records: bytes) -> bytes:
    """The bytes of a recording with these records."""
    compress = zstandard.ZstdCompressor(level=LEVEL).compressobj()
    return MAGIC + compress.compress(records) + compress.flush()
