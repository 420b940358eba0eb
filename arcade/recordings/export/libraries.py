"""Optional libraries."""

from __future__ import annotations

import importlib
from types import ModuleType

from arcade.recordings.query import DatasetError


def library(name: str, *, extra: str = "data") -> ModuleType:
    """Import a module; raises DatasetError that names the extra of ours that installs it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        words = f"expected {name.partition('.')[0]} to be installed, got: {error}"
        raise DatasetError(f"{words}; install it with: pip install 'pettingzoo-arcade[{extra}]'") from error
