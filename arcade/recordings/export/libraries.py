"""Libraries that only exports need."""

from __future__ import annotations

import importlib
from types import ModuleType

from arcade.recordings.query import DatasetError


def library(name: str, module: str = "", *, extra: str = "data") -> ModuleType:
    """Import it, or a module of it; raises DatasetError that says which extra of ours brings it."""
    try:
        return importlib.import_module(module or name)
    except ImportError as error:
        raise DatasetError(
            f"expected {name} to be installed, got: {error}; install it with: pip install 'pettingzoo-arcade[{extra}]'"
        ) from error
