"""Route: what leads to a scene that the caller need not import."""

from __future__ import annotations


class Route:
    """Base of small frozen dataclasses that say what to show; `Engine.open_route` makes the scene."""
