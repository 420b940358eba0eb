"""LadderError, and what helps against it."""

from __future__ import annotations

from agents.errors import UserError

WAIT, SPACE = "another program is writing to it, try again", "check whether the disk is full"
FOLDER_PERMISSIONS, PERMISSIONS = "check the permissions of the file and its folder", "check its permissions"
UPDATE = "update the arcade"
MOVE_FILE, MOVE = "move the file away", "move it away"


class LadderError(UserError):
    """A file that is no ladder, or a result that cannot be stored; `remedy` says what helps, where that is known."""

    def __init__(self, words: str, *, remedy: str = "") -> None:
        super().__init__(f"{words}; {remedy}" if remedy else words)
        self.remedy = remedy
