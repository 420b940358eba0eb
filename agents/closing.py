"""Closing: base class of context managers whose `close` can be called twice."""

from __future__ import annotations

from typing import Self


class Closing:
    """A context manager that closes itself; `close` can be called twice."""

    def close(self) -> None:
        """Free all resources."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
