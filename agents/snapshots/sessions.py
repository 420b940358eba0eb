"""Sessions: what runs the graph of a snapshot: onnxruntime in this process, or in a child for one not yet trusted."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Mapping
from typing import IO, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from agents.platform import system
from agents.platform.children import start_child
from agents.snapshots.array_frames import FrameError, read_frame, write_frame
from agents.snapshots.graph import Graph
from agents.snapshots.runtime import onnxruntime
from agents.snapshots.time_limit import LIMIT, TimedRun

Array = NDArray[Any]
Feed = Mapping[str, Array]

START_LIMIT = 90.0
"""Seconds for a child to import onnxruntime and load its graph."""

_NUMPY = {"tensor(float)": "float32", "tensor(double)": "float64"}
"""onnxruntime's types that are not spelt as numpy's; `check_graph` refuses a state of a type that numpy lacks."""


class SessionError(Exception):
    """The graph could not be loaded or run; the message says why."""


class Session(Protocol):
    """A loaded graph."""

    states: dict[str, tuple[tuple[int, ...], np.dtype[Any]]]
    """Inputs ``state_in_*``: the shape of one row, and its dtype."""

    def run(self, feed: Feed) -> dict[str, Array]:
        """The outputs by name; raises SessionError."""


def session_options() -> Any:
    """For inference of small graphs, on one thread."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False  # slower than plain memory for small graphs
    options.log_severity_level = 3  # errors only: warnings would go into the terminal of a running match
    return options


def run_options() -> Any:
    """Options by which another thread can end a run."""
    options = onnxruntime.RunOptions()
    options.add_run_config_entry("gpu_graph_id", "-1")  # onnxruntime looks it up at each run: missing costs 20 µs
    return options


def load(onnx: bytes) -> Any:
    """onnxruntime's session of a graph; raises its errors."""
    return onnxruntime.InferenceSession(onnx, sess_options=session_options(), providers=["CPUExecutionProvider"])


class _Switch:
    """Stops a run; apart from its session, which is then freed as soon as nothing refers to it."""

    def __init__(self) -> None:
        self.options = run_options()

    def stop(self) -> None:
        self.options.terminate = True


class LocalSession:
    """In this process.  A run that takes too long is ended between two operators."""

    def __init__(self, onnx: bytes) -> None:
        try:
            self.onnxruntime = load(onnx)
        except Exception as error:
            raise SessionError(str(error)) from error
        self.states = {
            port.name: (tuple(port.shape[1:]), np.dtype(_NUMPY.get(port.type, port.type[7:-1])))  # "tensor(int8)"
            for port in self.onnxruntime.get_inputs()
            if port.name.startswith("state_in_")
        }
        self._outputs = [port.name for port in self.onnxruntime.get_outputs()]
        self.switch = _Switch()
        self.timed = TimedRun(self.switch.stop)

    def run(self, feed: Feed) -> dict[str, Array]:
        timed = self.timed
        timed.since = time.perf_counter()
        try:
            values = self.onnxruntime.run(self._outputs, feed, self.switch.options)
        except Exception as error:
            raise self.failure(error) from error
        finally:
            timed.since = 0.0
        return dict(zip(self._outputs, values, strict=True))

    def failure(self, error: Exception) -> SessionError:
        """The error of a run, and readiness for the next one."""
        if not self.timed.stopped:
            return SessionError(str(error))
        self.switch.options, self.timed.stopped = run_options(), False
        return SessionError(f"it gave no answer in {self.timed.limit:g} s and was ended")


class ChildSession:
    """In a child with limits on memory and time, see `agents.snapshots.child`; nothing it sends is taken on trust."""

    def __init__(self, onnx: bytes, graph: Graph) -> None:
        self.states = {
            port.name: (tuple(size or 0 for size in port.shape[1:]), np.dtype(port.dtype))
            for port in graph.inputs.values()
            if port.name.startswith("state_in_")
        }
        self._outputs = list(graph.outputs)
        self._lock = threading.Lock()
        self._process = process = start_child(
            [sys.executable, "-m", "agents.snapshots.child"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, **system.new_group,
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        self._input: IO[bytes] = process.stdin
        self._output: IO[bytes] = process.stdout
        self._end = weakref.finalize(self, _end, process)
        self._timed = TimedRun(process.kill, limit=START_LIMIT)
        try:
            self._ask({"onnx": np.frombuffer(onnx, np.uint8)}, {"outputs": self._outputs})
        except SessionError:
            self.close()
            raise
        self._timed.limit = LIMIT

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    def run(self, feed: Feed) -> dict[str, Array]:
        answers = self._ask(feed, {})
        if list(answers) != self._outputs:
            raise SessionError(f"expected the outputs {self._outputs}, got: {list(answers)}")
        return answers

    def close(self) -> None:
        """End the child; can be called twice."""
        self._end()

    def _ask(self, arrays: Feed, facts: dict[str, Any]) -> dict[str, Array]:
        timed = self._timed
        with self._lock:
            timed.since = time.perf_counter()
            try:
                write_frame(self._input, arrays, facts)
                frame = read_frame(self._output)
            except (OSError, ValueError, FrameError) as error:
                raise SessionError(self._reason(error)) from error
            finally:
                timed.since = 0.0
        if frame is None:
            raise SessionError(self._reason(None))
        answers, told = frame
        if "error" in told:
            raise SessionError(str(told["error"])[:1000])
        return answers

    def _reason(self, error: Exception | None) -> str:
        if self._timed.stopped:
            return f"it gave no answer in {self._timed.limit:g} s and was ended"
        if isinstance(error, FrameError):
            self.close()
            return str(error)
        return "its process ended; it may have taken more memory than it is allowed"


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):  # what was not sent yet
                pipe.close()
    process.wait()
