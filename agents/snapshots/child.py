"""The child that runs the graph of a stranger: ``python -m agents.snapshots.child``, frames on its input and output.

The first frame is the graph, each later one the inputs of a run; every answer is a frame of outputs, or of an error.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from agents.platform import system
from agents.platform.children import end_with_parent
from agents.snapshots.array_frames import read_frame, write_frame
from agents.snapshots.sessions import load

MEMORY = 2**30
"""Bytes that the graph may take beside its weights."""

_COPIES = 4  # of the weights that onnxruntime may hold while it loads them


def main() -> None:
    """Answer until the input ends."""
    end_with_parent()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that a library prints comes between the frames
    session: Any = None
    outputs: list[str] = []
    while (frame := read_frame(sys.stdin.buffer)) is not None:
        arrays, facts = frame
        try:
            if session is None:
                onnx, outputs = arrays["onnx"].tobytes(), facts["outputs"]
                system.limit_memory(MEMORY + _COPIES * len(onnx))
                session, values = load(onnx), []
            else:
                values = session.run(outputs, arrays)
            write_frame(answers, dict(zip(outputs, values, strict=False)), {})
        except Exception as error:  # noqa: BLE001  (whatever a graph can cause is the parent's to report)
            write_frame(answers, {}, {"error": f"{type(error).__name__}: {error}"[:1000]})


if __name__ == "__main__":
    main()
