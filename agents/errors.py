"""The root of all errors that a user can fix."""

from __future__ import annotations


class UserError(Exception):
    """Its message says what was expected, what came and how to fix it; a command line shows just that."""
