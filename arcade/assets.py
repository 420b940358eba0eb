"""Where the files that ship with the arcade lie: in the repository, or inside the installed package."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_ROOT = _PACKAGE / "_assets" if (_PACKAGE / "_assets").is_dir() else _PACKAGE.parent / "assets"


def asset(*parts: str) -> Path:
    """The path of a shipped file or folder, as in ``asset("snapshots")``."""
    return _ROOT.joinpath(*parts)
