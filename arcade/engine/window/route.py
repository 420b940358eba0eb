"""Route: leads to a scene without an import of it."""

from __future__ import annotations


class Route:
    """The base of small frozen dataclasses that name a scene; `Engine.open_route` makes it."""
