"""The root of all errors that a user can mend."""

from __future__ import annotations


class UserError(Exception):
    """Its message says what was expected, what came and how to mend it; a command line shows just that."""
