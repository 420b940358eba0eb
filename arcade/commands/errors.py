"""How commands report errors that a user can correct."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from agents.errors import UserError


@contextmanager
def reported() -> Iterator[None]:
    """Print a UserError as one line on stderr and exit with status 2."""
    try:
        yield
    except UserError as error:
        print(f"arcade: {error}", file=sys.stderr)
        raise typer.Exit(2) from error
