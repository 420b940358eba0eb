"""Curves of a run's metrics over its steps, of bounded size, from its file and its events."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from agents.platform import system
from agents.wire.trainer_events import line, number

Point = tuple[float, float]  # step, value

MAX_POINTS = 2048
"""Points of a curve, more than a chart has pixels; above it every other point is dropped."""

MOST_CURVES = 512
HISTORY_LINES = 1500
"""Lines read of a run's metrics, spread evenly over the file."""

HISTORY_BYTES = 64 * 2**20
"""Bytes read from the end of a longer file."""

_NOT_CURVES = ("step", "iteration", "time", "seed")


class Curves:
    """Name → points by rising step.  `version` rises with every change."""

    def __init__(self) -> None:
        self._points: dict[str, list[Point]] = {}
        self._behind = 0  # consecutive lines before the newest step
        self.version = 0

    def add(self, metrics: Mapping[str, Any]) -> None:
        """Add a line of metrics; values that are not numbers, and lines without a step, are left out."""
        step = number(metrics.get("step"))
        if step is None or not self._follows(step):
            return
        for name, value in metrics.items():
            if (found := number(value)) is not None and name not in _NOT_CURVES:
                self.put(name, step, found)

    def put(self, name: object, step: float, value: float) -> None:
        """Add a point, or replace the last one at the same step."""
        name = line(name)
        if not name or (name not in self._points and len(self._points) >= MOST_CURVES):
            return
        points = self._points.setdefault(name, [])
        if points and step < points[-1][0]:
            return
        if points and step == points[-1][0]:
            points.pop()
        points.append((step, value))
        if len(points) > MAX_POINTS:
            del points[1:-1:2]
        self.version += 1

    def first(self, *names: str) -> str:
        """The first of `names` that has a curve, "" for none."""
        known = {key.partition("/")[0] for key in self._points}
        return next((name for name in names if name in known), "")

    def of(self, *names: str) -> dict[str, Sequence[Point]]:
        """The curves of the first of `names` that exists: "" for the metric itself, POLICY for ``name/POLICY``."""
        first = self.first(*names)
        split = ((key.partition("/"), points) for key, points in self._points.items())
        return {policy: points for (name, _, policy), points in split if name == first}

    @property
    def last_step(self) -> float:
        """The newest step of all, -1 before the first."""
        return max((points[-1][0] for points in self._points.values()), default=-1.0)

    def put_before(self, history: Curves) -> None:
        """Insert `history`, read from the run's file, before the points of later events."""
        later, self._points, last = self._points, history._points, history.last_step
        for name, points in later.items():
            for step, value in points:
                if step > last:
                    self.put(name, step, value)
        self.version += 1

    def _follows(self, step: float) -> bool:
        """Whether a line of `step` counts: two earlier steps in a row mean that the run was resumed there."""
        if step >= self.last_step:
            self._behind = 0
            return True
        self._behind += 1
        if self._behind < 2:
            return False
        self._behind = 0
        earlier = {name: [point for point in points if point[0] < step] for name, points in self._points.items()}
        self._points = {name: points for name, points in earlier.items() if points}
        return True


def read_history(path: Path) -> Curves:
    """The curves of a ``metrics.jsonl``, empty where there is none.  Reads the disk: for the worker."""
    curves = Curves()
    for metrics in read_lines(path, most=HISTORY_LINES):
        curves.add(metrics)
    return curves


def read_lines(path: Path, *, most: int, size: int = HISTORY_BYTES) -> Iterable[Mapping[str, Any]]:
    """At most about `most` lines of the last `size` bytes, evenly over them, the last among them."""
    try:
        with open(system.open_regular(path), "rb") as file:
            length = file.seek(0, 2)
            file.seek(max(0, length - size))
            lines = file.read(size).splitlines()
    except OSError:
        return []
    stride = -(-len(lines) // most) or 1
    found = (_read(text) for text in lines[(len(lines) - 1) % stride :: stride] if text)
    return [metrics for metrics in found if metrics is not None]


def _read(text: bytes) -> Mapping[str, Any] | None:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None  # cut short by a kill, or malformed
    return data if isinstance(data, dict) else None
