"""Why a file of the player cannot be used, as sentences for screens: settings, people, key bindings, the ladder."""

from __future__ import annotations

from pathlib import Path

from agents.files import FileWarning
from arcade.language import N_, _

_LADDER = N_("The ladder cannot be used. {remedy} Its file: {path}")
_REMEDIES = {
    "another program is writing to it, try again": N_("Another program is writing to it; try again."),
    "check whether the disk is full": N_("Check whether the disk is full."),
    "check the permissions of the file and its folder": N_("Check the permissions of the file and its folder."),
    "check its permissions": N_("Check the permissions of the file and its folder."),
    "update the arcade": N_("It was written by a newer PettingZoo Arcade; update this one."),
}
"""The hint of an error → what it says to players."""

_OTHER_REMEDY = N_("Move the file away, or put a copy in its place.")


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
    """Return why the ladder at `path` cannot be used, and what helps; errors about something else keep their words."""
    words = str(error)
    if str(path) not in words:
        return words
    remedy = _REMEDIES.get(words.rpartition("; ")[2], _OTHER_REMEDY)
    return _(_LADDER).format(remedy=_(remedy), path=path)
