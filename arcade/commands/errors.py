"""What all commands do with errors that a user can mend."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from agents.errors import UserError


@contextmanager
def mending() -> Iterator[None]:
    """Turns the errors that a user can mend into one line on stderr and exit status 2."""
    try:
        yield
    except UserError as error:
        print(f"arcade: {error}", file=sys.stderr)
        raise typer.Exit(2) from error
