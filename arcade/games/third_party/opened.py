"""Third-party games that a user of this machine has opened by name, stored in ``ARCADE_HOME/games.json``.

A recording, a snapshot or a remote trainer may name any ``module:function``, and importing it runs its code.  So a
name is imported only if it is listed here and still resolves to the same file as when it was typed::

    {"my_game:env": {"id": "my_game:env", "from": "/home/ann/my_game.py"}}
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from typing import TypedDict

from agents.files import home, replace_file
from arcade.games.spec import GameError

FILE = "games.json"
MAX_BYTES = 2**20


def remember(word: str, game: str) -> None:
    """Record that `word` was typed here and means the game with id `game`; raises GameError if it cannot be saved."""
    known, entry = _read(), {"id": game, "from": origin(word)}
    if known.get(word) == entry:
        return
    try:
        replace_file(home() / FILE, json.dumps({**known, word: entry}, indent=1, sort_keys=True) + "\n")
    except OSError as error:
        raise GameError(f"expected to save {word!r} in {home() / FILE}, got: {error.strerror}") from error


def opened_word(name: str) -> str | None:
    """Return the ``module:function`` that was typed here for the game `name`, or None.

    Raises GameError if it now resolves to another file.
    """
    known = _read()
    word = name if name in known else next((word for word, entry in known.items() if entry["id"] == name), None)
    if word is None:
        return None
    before, now = known[word]["from"], origin(word)
    if now not in ("", before):
        raise GameError(
            f"expected {word} from {before}, as it was opened, got: {now}; if you trust that too: arcade play {word}"
        )
    return word


def origin(word: str) -> str:
    """Return the file or folder of the module's top package, "" if there is none; imports nothing."""
    found = _find(word.partition(":")[0].partition(".")[0])
    if found is None:
        return ""
    folder = next(iter(found.submodule_search_locations or ()), "")
    place = found.origin if found.has_location and found.origin else folder
    return os.path.realpath(place) if place else str(found.origin)


def _find(package: str) -> ModuleSpec | None:
    """Search as `load_entry` does: sys.path, then the current directory."""
    try:
        found = find_spec(package)
    except (ImportError, ValueError):  # ValueError: a module without a spec
        found = None
    return found or PathFinder.find_spec(package, [os.getcwd()])


_Entry = TypedDict("_Entry", {"id": str, "from": str})


def _read() -> Mapping[str, _Entry]:
    """Return the stored games; raises GameError for a damaged file."""
    path = home() / FILE
    if not path.exists():
        return {}
    import msgspec  # on demand: most machines have opened no game

    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise ValueError(f"more than {MAX_BYTES} bytes")
        return msgspec.json.decode(data, type=dict[str, _Entry])
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError) as error:
        reason = f"expected a list of opened games in {path}, got: {str(error) or type(error).__name__}"
        raise GameError(f"{reason}; move it away and open the games again") from error
