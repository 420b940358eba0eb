"""UserError: base class of all errors that a user can fix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

ErrorCode = Literal["invalid", "not_found", "not_installed"]

EXIT_CODES: dict[ErrorCode, int] = {"invalid": 2, "not_found": 3, "not_installed": 4}
"""Exit status of a command that ends with such an error."""


class UserError(Exception):
    """The message gives the expected and the actual value and the remedy; a command line shows it alone.

    `code` says what kind of error it is, for programs: something named that does not exist, something that is not
    installed, or else anything invalid.
    """

    def __init__(self, *args: object, code: ErrorCode = "invalid") -> None:
        super().__init__(*args)
        self.code: ErrorCode = code

    def as_json(self) -> dict[str, str]:
        """``code``, ``message``, and ``hint``, the remedy behind the message's last semicolon, "" for none."""
        message, _, hint = str(self).rpartition("; ")
        return {"code": self.code, "message": message or hint, "hint": hint if message else ""}


def code_of(error: Exception) -> ErrorCode:
    """The code of an error that reports `error`: the same, or that of a file that does not exist."""
    if isinstance(error, UserError):
        return error.code
    return "not_found" if isinstance(error, FileNotFoundError) else "invalid"


def did_you_mean(names: Sequence[str]) -> str:
    """The remedy at the end of a message about an unknown name: the names that are near it; "" for none."""
    return f"; did you mean {' or '.join(names)}?" if names else ""
