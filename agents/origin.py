"""The place that a module:function would be imported from."""

from __future__ import annotations

import os
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec


def origin(word: str) -> str:
    """The file or folder of the top package of a module:function, "" if there is none; imports nothing."""
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
