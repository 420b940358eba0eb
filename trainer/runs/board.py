"""Board: the scalars of a run for TensorBoard."""

from __future__ import annotations

import os
import socket
import struct
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trainer.runs.full_disk import is_full


class Board:
    """An event file of TensorBoard in `folder`, a new one for each session.

        board = Board(run / "tensorboard")
        board.add({"win_rate": 0.75}, step=2048)

    Every record is appended whole by the caller's thread.  tensorboardX's own SummaryWriter has a thread that ends at
    the first full disk, and then waits for that thread for ever.
    """

    def __init__(self, folder: Path) -> None:
        from tensorboardX.proto.event_pb2 import Event

        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / f"events.out.tfevents.{time.time():.0f}.{socket.gethostname()}.{os.getpid()}"
        self._waiting = _record(Event(wall_time=time.time(), file_version="brain.Event:2"))
        self._append()

    def add(self, scalars: Mapping[str, float], *, step: int) -> None:
        """Append a point of each curve; what a full disk has no room for is appended with the next ones.

        Raises OSError for another failure than a full disk.
        """
        from tensorboardX.proto.event_pb2 import Event
        from tensorboardX.summary import scalar

        now = time.time()
        points = (scalar(name, value) for name, value in scalars.items())
        self._waiting += b"".join(_record(Event(wall_time=now, step=step, summary=point)) for point in points)
        self._append()

    def _append(self) -> None:
        try:
            with self._path.open("ab", buffering=0) as file:
                whole = file.tell()
                if file.write(self._waiting) == len(self._waiting):
                    self._waiting = b""
                else:
                    file.truncate(whole)
        except OSError as error:
            if not is_full(error):
                raise


def _record(event: Any) -> bytes:
    """An event as a TFRecord: length, its checksum, data, its checksum.

    https://www.tensorflow.org/tutorials/load_data/tfrecord#tfrecords_format_details
    """
    from tensorboardX.record_writer import masked_crc32c

    data: bytes = event.SerializeToString()
    length = struct.pack("<Q", len(data))
    checksums = (struct.pack("<I", masked_crc32c(part)) for part in (length, data))
    return length + next(checksums) + data + next(checksums)
