"""Generators that return a value, run to their ends."""

from collections.abc import Generator
from typing import Any


def exhaust(steps: Generator[Any, None, Any]) -> Any:
    """The value that the generator returns."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value
