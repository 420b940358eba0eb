"""The files that ship with the arcade, from the repository or the installed package."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_ROOT = _PACKAGE / "_assets" if (_PACKAGE / "_assets").is_dir() else _PACKAGE.parent / "assets"


def asset(*parts: str) -> Path:
    """Return the path of a shipped file or folder: ``asset("snapshots")``."""
    return _ROOT.joinpath(*parts)
