"""A Python function that takes long to decide, in a process of its own, so that a window never waits for it.

The process, ``python -m agents.engines.thinking MODULE:FUNCTION LEVEL``, reads and writes messages of
`agents.wire.encoding`, each behind its length in four bytes: a seed begins a game, (observation, action_mask) asks for
an action.  It ends with its input.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from contextlib import suppress
from typing import IO, Any

import numpy as np

from agents.engines.engine import Engine, EngineError, as_legal
from agents.platform import system
from agents.platform.children import end_with_parent, start_child
from agents.policies.functions import load_function
from agents.seats.controller import Turn
from agents.wire.encoding import WireError, pack, unpack

_LENGTH = struct.Struct("<I")


class FunctionProcess(Engine):
    """The process of ``module:function``, called as (observation, action_mask, rng, level=...) -> Discrete action."""

    def __init__(self, word: str, level: str) -> None:
        command = [sys.executable, "-m", "agents.engines.thinking", word, level]
        try:
            process = start_child(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **system.new_group)
        except OSError as error:
            raise EngineError(str(error)) from error
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._input, self._output = process, process.stdin, process.stdout

    def begin(self, *, seed: int) -> None:
        self._send(seed)

    def choose(self, turn: Turn) -> int:
        try:
            self._send([turn.observation, turn.action_mask])
            action = _receive(self._output)
        except WireError as error:
            raise EngineError(str(error)) from error
        if not isinstance(action, int):
            raise EngineError("its end" if action is None else str(action))
        return as_legal(action, turn, str(action))

    def _send(self, message: Any) -> None:
        try:
            _send(self._input, message)
        except OSError:
            raise EngineError("its end") from None

    def kill(self) -> None:
        system.end_group(self._process.pid)

    def close(self) -> None:
        with suppress(OSError):
            self._input.close()
        self.kill()
        self._process.wait()
        self._output.close()


def _send(stream: IO[bytes], message: Any) -> None:
    data = pack(message)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def _receive(stream: IO[bytes]) -> Any:
    """The next message, None at the end."""
    head = stream.read(_LENGTH.size)
    return unpack(stream.read(*_LENGTH.unpack(head))) if len(head) == _LENGTH.size else None


def main(word: str, level: str) -> None:
    """Answer until the input ends."""
    end_with_parent()
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that the function or its libraries print comes between the messages
    play, rng = load_function(word), np.random.default_rng()
    while (message := _receive(sys.stdin.buffer)) is not None:
        if isinstance(message, int):
            rng = np.random.default_rng(message)
            continue
        try:
            _send(replies, int(play(*message, rng, level=level)))
        except Exception as error:  # noqa: BLE001  # reported to the match, which names the player
            _send(replies, f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main(*sys.argv[1:])
