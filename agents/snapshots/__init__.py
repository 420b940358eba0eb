"""Snapshots: frozen policies as ONNX files with a JSON card; ``agents.snapshots()`` lists them.

Example::

    >>> import agents
    >>> [card.name for card in agents.snapshots("house/volley")][:1]
    ['volley-1']
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents.snapshots.card import SnapshotCard


class _Snapshots(ModuleType):
    """A package of the public API that is also a function of it."""

    def __call__(self, game: str | None = None) -> list[SnapshotCard]:
        """Return the cards of the user's and the bundled snapshots, oldest first; of one game, or of all for None.

        Broken snapshots are left out.
        """
        from agents.snapshots.store import open_store  # pydantic takes long to import

        return open_store().list(game)


sys.modules[__name__].__class__ = _Snapshots
