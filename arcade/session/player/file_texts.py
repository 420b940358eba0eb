"""Why a file of the player cannot be used, as sentences for screens: settings, people, key bindings, the ladder."""

from __future__ import annotations

from pathlib import Path

from agents.files import FileWarning
from agents.ladder import errors
from arcade.language import N_, _

_LADDER = N_("The ladder cannot be used. {remedy} Its file: {path}")
_REMEDIES = {
    errors.WAIT: N_("Another program is writing to it; try again."),
    errors.SPACE: N_("Check whether the disk is full."),
    errors.UPDATE: N_("It was written by a newer PettingZoo Arcade; update this one."),
    **dict.fromkeys(
        (errors.PERMISSIONS, errors.FOLDER_PERMISSIONS), N_("Check the permissions of the file and its folder.")
    ),
    **dict.fromkeys((errors.MOVE, errors.MOVE_FILE), N_("Move the file away, or put a copy in its place.")),
}
"""What helps, as an error says it → as players read it."""


def warning_text(warning: str) -> str:
    """Return a warning in the language of the player; one that is not about a file stays as it is."""
    if not isinstance(warning, FileWarning):
        return warning
    file = warning.path.name
    if warning.unknown:
        words = _("{file} has entries that this version does not know; they are ignored: {names}")
        return words.format(file=file, names=", ".join(warning.unknown))
    if warning.kept is None:
        return _("{file} is not valid, so it is not used; it stays where it is").format(file=file)
    return _("{file} is not valid, so it is not used; it is kept as {kept}").format(file=file, kept=warning.kept.name)


def ladder_text(error: BaseException, path: Path) -> str:
    """Return why the ladder at `path` cannot be used, and what helps; other errors keep their words."""
    if isinstance(error, errors.LadderError) and error.remedy:
        return _(_LADDER).format(remedy=_(_REMEDIES[error.remedy]), path=path)
    return str(error)
