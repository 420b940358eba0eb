"""What a run shows in the terminal: one live screen, or plain lines where the output is no terminal."""

from __future__ import annotations

import os
import sys
import time
from typing import Any, Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

PLAIN_SECONDS = 5.0
SHOWN_OPPONENTS = 12


class LastingConsole(Console):
    """Falls silent where nobody reads any more; rich would end the process, and the run with it."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, sys.stdout.fileno())
        os.close(silent)


class Progress:
    """A context manager; `show` may be called as often as one likes."""

    def __init__(self, title: str, *, console: Console | None = None) -> None:
        self._console = console or LastingConsole()
        self._title = title
        self._live = Live(console=self._console, refresh_per_second=4) if self._console.is_terminal else None
        self._said = float("-inf")

    def say(self, line: str) -> None:
        """A line that stays."""
        self._console.print(line, highlight=False, markup=False, soft_wrap=True)

    def show(self, metrics: dict[str, Any], win_rates: dict[str, float], *, state: str) -> None:
        if self._live is not None:
            self._live.update(self._screen(metrics, win_rates, state))
        elif time.monotonic() - self._said >= PLAIN_SECONDS:
            self._said = time.monotonic()
            self.say(f"{state}  " + "  ".join(f"{name} {_short(value)}" for name, value in metrics.items()))

    def _screen(self, metrics: dict[str, Any], win_rates: dict[str, float], state: str) -> Group:
        facts = Table.grid(padding=(0, 2))
        for name, value in metrics.items():
            facts.add_row(Text(name.replace("_", " "), style="dim"), _short(value))
        rates = Table(box=None, padding=(0, 2))
        rates.add_column("against")
        rates.add_column("win rate", justify="right")
        rates.add_column("")
        for name, rate in list(win_rates.items())[-SHOWN_OPPONENTS:]:
            rates.add_row(name, f"{rate:.0%}", "█" * round(rate * 20))
        heading = Text(f"{self._title}   {state}", style="bold")
        return Group(heading, facts, rates, Text("Ctrl+C stops and keeps everything", style="dim"))

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
