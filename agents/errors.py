"""UserError: base class of all errors that a user can fix."""

from __future__ import annotations


class UserError(Exception):
    """The message gives the expected and the actual value and the remedy; a command line shows it alone."""
