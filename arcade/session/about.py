"""About: the version of the arcade, the licences of its parts, and folders for people."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from agents.platform import system
from arcade.language import N_, _

NAME = "pettingzoo-arcade"
LONGEST = 24
"""Characters of a licence's name; some packages put the whole text there."""

_OPENERS = {"darwin": "open", "win32": "explorer"}  # all other systems: xdg-open
_EXTRA = re.compile(r"\bextra\s*==")
_CLASSIFIER = "License :: OSI Approved :: "


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the arcade, for the page of licences."""

    name: str
    version: str
    licence: str


ASSETS = (
    Part(N_("Typeface Inter"), "", "OFL-1.1"),
    Part(N_("Pictures and sounds"), "", "MIT"),
    Part(N_("Shipped AI players"), "", "MIT"),
)


def parts() -> list[Part]:
    """Return the arcade, its assets, and the libraries that it needs as far as they are installed."""
    own = Part("PettingZoo Arcade", _version(), "MIT")
    assets = [Part(_(part.name), part.version, part.licence) for part in ASSETS]
    return [own, *assets, *sorted(_libraries(), key=lambda part: part.name.lower())]


def open_folder(folder: Path) -> str:
    """Show a folder in the system's file manager; return a sentence for the player."""
    program = shutil.which(_OPENERS.get(sys.platform, "xdg-open"))
    if program is None:
        return _("No file manager found. The folder is {folder}").format(folder=folder)
    quiet = subprocess.DEVNULL
    subprocess.Popen([program, str(folder)], stdin=quiet, stdout=quiet, stderr=quiet, **system.own_session)
    return _("Opening {folder} in the file manager").format(folder=shown_folder(folder))  # which may not come


def shown_folder(folder: Path) -> str:
    """Return the folder for a screen, with ~ for the user's own."""
    user = Path.home()
    return str(Path("~") / folder.relative_to(user)) if folder.is_relative_to(user) else str(folder)


def _version() -> str:
    try:
        return metadata.version(NAME)
    except metadata.PackageNotFoundError:  # run from its sources
        return "–"


def _libraries() -> Iterator[Part]:
    try:
        wanted = metadata.requires(NAME) or []
    except metadata.PackageNotFoundError:
        wanted = []
    for requirement in wanted:
        if _EXTRA.search(requirement):
            continue
        try:
            found = metadata.metadata(re.split(r"[^\w.-]", requirement, maxsplit=1)[0])
        except metadata.PackageNotFoundError:
            continue
        yield Part(found["Name"], found["Version"], _licence(found))


def _licence(found: metadata.PackageMetadata) -> str:
    """Return the licence's name: the SPDX expression, the declared name, or the classifier."""
    fields = (found[field].strip() for field in ("License-Expression", "License") if field in found)
    declared = next(filter(None, fields), "")
    if declared and len(declared) <= LONGEST and "\n" not in declared:
        return declared
    if " AND " in declared:
        return declared.partition(" AND ")[0] + " …"
    classified = [one.removeprefix(_CLASSIFIER) for one in found.get_all("Classifier") or () if _CLASSIFIER in one]
    return ", ".join(classified) or declared.partition("\n")[0][:LONGEST]
