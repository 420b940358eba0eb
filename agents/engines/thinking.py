"""A Python function that takes long to decide, in a process of its own, so that a window never waits for it.

The process, ``python -m agents.engines.thinking MODULE:FUNCTION``, reads and writes messages of `agents.wire.encoding`,
each behind its length in four bytes: first the function's settings, then a seed for each game, and (observation,
action_mask) for each action.  It ends with its input.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import IO, Any

import numpy as np

from agents.engines.engine import Engine, EngineController, EngineError, as_legal
from agents.platform import system
from agents.platform.children import end_with_parent, start_child
from agents.policies.functions import Answer, is_class, load_function
from agents.seats.controller import MOVES, Action, Insight, Turn
from agents.wire.encoding import WireError, pack, unpack

_LENGTH = struct.Struct("<I")


class FunctionProcess(Engine):
    """The process of ``module:function``, called as (observation, action_mask, rng, **settings) -> Discrete action.

    A class is made once, as Class(**settings), and its object called as (observation, action_mask, rng).
    """

    insight: Insight | None = None
    """Into its newest action, where the function tells."""

    def __init__(self, word: str, settings: Mapping[str, Any]) -> None:
        command = [sys.executable, "-m", "agents.engines.thinking", word]
        try:
            process = start_child(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **system.new_group)
        except OSError as error:
            raise EngineError(str(error)) from error
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._input, self._output = process, process.stdin, process.stdout
        self._settings: Mapping[str, Any] | None = settings  # until they are sent

    def begin(self, *, seed: int) -> None:
        self.insight = self.outlook = None
        if self._settings is not None:
            self._send(dict(self._settings))
            self._settings = None
        self._send(seed)

    def choose(self, turn: Turn) -> int:
        try:
            self._send([turn.observation, turn.action_mask])
            answer = _receive(self._output)
        except WireError as error:
            raise EngineError(str(error)) from error
        if isinstance(answer, dict):
            insight = answer["insight"]
            self.insight = Insight(**insight | {name: tuple(insight[name]) for name in ("parts", "line")})
            self.outlook = self.insight.value
            answer = answer["action"]
        if not isinstance(answer, int):
            raise EngineError("its end" if answer is None else str(answer))
        return as_legal(answer, turn, str(answer))

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


class SearchController(EngineController):
    """A seat of a function that searches and returns Answers, from the moves so far or observations of another type."""

    def __init__(
        self, make: Callable[[], FunctionProcess], *, label: str, report: Mapping[str, Any], obs_type: str = MOVES
    ) -> None:
        super().__init__(make, label=label)
        self.obs_type, self._report = obs_type, dict(report)

    def report(self) -> dict[str, Any]:
        return self._report

    def insight(self) -> Insight | None:
        engine = self._engine
        return engine.insight if isinstance(engine, FunctionProcess) else None


def _send(stream: IO[bytes], message: Any) -> None:
    data = pack(message)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def _receive(stream: IO[bytes]) -> Any:
    """The next message, None at the end."""
    head = stream.read(_LENGTH.size)
    return unpack(stream.read(*_LENGTH.unpack(head))) if len(head) == _LENGTH.size else None


def main(word: str) -> None:
    """Answer until the input ends."""
    end_with_parent()
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that the function or its libraries print comes between the messages
    settings = _receive(sys.stdin.buffer)
    if settings is None:
        return
    rng, made = np.random.default_rng(), _Made(word, settings)
    while (message := _receive(sys.stdin.buffer)) is not None:
        if isinstance(message, int):
            rng = np.random.default_rng(message)
            continue
        try:
            _send(replies, _packed(made.play(message[0], message[1], rng)))
        except Exception as error:  # noqa: BLE001  # reported to the match, which names the player
            _send(replies, f"{type(error).__name__}: {error}")


class _Made:
    """The function with its settings; a class is made at the first turn, so that its failure is reported too."""

    def __init__(self, word: str, settings: Mapping[str, Any]) -> None:
        self._function, self._settings = load_function(word), settings
        self._object: Callable[..., Action | Answer] | None = None

    def play(self, observation: Any, mask: Any, rng: np.random.Generator) -> Action | Answer:
        if self._object is None:
            make = partial[Any](self._function, **self._settings)
            self._object = make() if is_class(make) else make
        return self._object(observation, mask, rng)


def _packed(answer: Action | Answer) -> Any:
    """The message of an answer."""
    if isinstance(answer, Answer):
        return {"action": int(answer.action), "insight": asdict(answer.insight)}
    return int(answer)


if __name__ == "__main__":
    main(*sys.argv[1:])
