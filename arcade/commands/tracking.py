"""Progress bars over what a command works through; rich is imported where one is shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def tracked(items: Iterable[Item], total: int | None = None, title: str = "matches", *, quiet: bool) -> Iterator[Item]:
    """Iterate with a progress bar and the time left on stderr, where that is a terminal."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    disable = quiet or not console.is_terminal
    return iter(track(items, title, total=total, console=console, transient=True, disable=disable))
