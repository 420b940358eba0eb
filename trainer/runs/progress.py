"""Progress of a run in the terminal: a live screen, or plain lines where the output is no terminal."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from arcade.commands.terminal import make_table
from trainer.runs.plain_data import plain

Pools = Mapping[str, Sequence[Mapping[str, Any]]]
"""Policy to the members of its pool, oldest first."""

PLAIN_SECONDS = 5.0
LIVE_SECONDS = 0.25
SHOWN_OPPONENTS = 12


class LastingConsole(Console):
    """Goes quiet when its pipe is closed; rich would end the process, and the run with it."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, sys.stdout.fileno())
        os.close(silent)


class Progress:
    """Shows a run's progress while the context is open.

    `target`: env steps of the run, `minutes` its time, 0 for unlimited.
    """

    def __init__(self, title: str, *, console: Console | None = None, target: int = 0, minutes: float = 0) -> None:
        self._console = console or LastingConsole()
        self._title, self._target = title, target
        self._seconds = minutes * 60
        self.begin(0)
        self._live = Live(console=self._console, refresh_per_second=4) if self._console.is_terminal else None
        self._shown = float("-inf")

    def begin(self, step: int) -> None:
        """Count time from now, and steps from that of the snapshot that the run starts from."""
        self._first, self._began = step, time.monotonic()

    def say(self, line: str) -> None:
        """Print a line that stays on the screen."""
        self._console.print(line, highlight=False, markup=False, soft_wrap=True)

    def load(self, what: str) -> None:
        """Show what is loaded before the first iteration; its duration is unknown."""
        if self._live is not None:
            heading = Text(f"{self._title}   loading", style="bold")
            self._live.update(Group(heading, Spinner("dots", f"{what} …")), refresh=True)
        else:
            self.say(f"{what} …")

    def show(self, metrics: dict[str, Any], pools: Callable[[], Pools], *, state: str) -> None:
        """Show the newest metrics and the pools: rows with `name`, `win_rate`, `games`, `rating`, `sigma`."""
        if time.monotonic() - self._shown < (PLAIN_SECONDS if self._live is None else LIVE_SECONDS):
            return
        self._shown = time.monotonic()
        if self._live is not None:
            self._live.update(self._screen(metrics, pools(), state))
        else:
            left = self._left(metrics)
            facts = [f"{name} {_short(value)}" for name, value in metrics.items()]
            self.say("  ".join([state, *facts, *([f"left {left}"] if left else [])]))

    def _screen(self, metrics: dict[str, Any], pools: Pools, state: str) -> Group:
        heading = Text(f"{self._title}   {state}", style="bold")
        parts = [heading, *self._bar(metrics), _facts(metrics), *_pools(pools)]
        return Group(*parts, Text("Ctrl+C stops and keeps everything", style="dim"))

    def _bar(self, metrics: dict[str, Any]) -> list[Any]:
        row = Table.grid(padding=(0, 2))
        done = metrics["step"] - self._first
        if self._target:
            bar = ProgressBar(total=self._target, completed=min(done, self._target), width=40)
            row.add_row(bar, f"{done:,} of {self._target:,}", self._left(metrics))
        elif self._seconds:
            bar = ProgressBar(total=self._seconds, completed=min(self._passed, self._seconds), width=40)
            row.add_row(bar, f"{self._passed / 60:.0f} of {self._seconds / 60:g} minutes", self._left(metrics))
        else:
            return []
        return [row]

    @property
    def _passed(self) -> float:
        return time.monotonic() - self._began

    def _left(self, metrics: dict[str, Any]) -> str:
        return left_text(self.seconds_left(metrics))

    def seconds_left(self, metrics: Mapping[str, Any]) -> int | None:
        """Until the target, at the newest speed, or until the time is over; None without either."""
        speed = metrics.get("steps_per_second", 0.0)
        ends = [self._seconds - self._passed] if self._seconds else []
        if self._target and speed:
            ends.append((self._target - metrics["step"] + self._first) / speed)
        return max(0, round(min(ends))) if ends else None

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()


class JsonProgress(Progress):
    """One JSON object a line on stdout, whose "event" is its kind."""

    def __init__(self, run: str, *, target: int = 0, minutes: float = 0) -> None:
        super().__init__(run, console=Console(force_terminal=False), target=target, minutes=minutes)  # no live screen

    def say(self, line: str) -> None:
        print_event("notice", run=self._title, message=line)

    def show(self, metrics: dict[str, Any], pools: Callable[[], Pools], *, state: str) -> None:
        """Every iteration."""
        left = self.seconds_left(metrics)
        print_event("progress", run=self._title, state=state, seconds_left=left, metrics=metrics)


def left_text(seconds: int | None) -> str:
    """Hours, minutes and seconds; "" where they are not known."""
    return "" if seconds is None else f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def print_event(event: str, **facts: Any) -> None:
    """Print an event as one line of JSON; figures that are no numbers become null."""
    line = json.dumps({"event": event} | plain(facts, not_finite=lambda figure: None), allow_nan=False)
    LastingConsole().out(line, highlight=False)


def _facts(metrics: dict[str, Any]) -> Table:
    """Two metrics per line."""
    facts, shown = Table.grid(padding=(0, 2)), list(metrics.items())
    half = -(-len(shown) // 2)
    for left, right in zip_longest(shown[:half], shown[half:]):
        cells = [
            (Text(name.replace("_", " "), style="dim"), _short(value)) for name, value in (left, right or ("", ""))
        ]
        facts.add_row(*cells[0], *cells[1])
    return facts


def _pools(pools: Pools) -> list[Any]:
    """One table per policy that has met opponents; the newest opponent last."""
    parts: list[Any] = []
    for policy, rows in pools.items():
        met = [row for row in rows if row["games"]][-SHOWN_OPPONENTS:]
        if not met:
            continue
        cells = []
        for row in met:
            bar = "█" * round(row["win_rate"] * 20)
            cells.append((row["name"], f"{row['games']:,}", f"{row['win_rate']:.0%}", _rating(row), bar))
        title = "against" if len(pools) == 1 else f"{policy} against"
        parts.append(make_table([title, ">games", ">win rate", ">rating", ""], cells))
    return parts


def _rating(row: Mapping[str, Any]) -> str:
    """The rating that people read, of OpenSkill's figures."""
    if row.get("rating") is None:
        return ""
    from agents.ladder.ratings.views.rating_text import online_interval  # on demand: it imports numpy

    return str(online_interval(row["rating"], row["sigma"]))


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
