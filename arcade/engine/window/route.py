"""Route: leads to a scene that the caller need not import."""

from __future__ import annotations

from dataclasses import dataclass
from typing import dataclass_transform


@dataclass_transform(frozen_default=True)
class Route:
    """Base of small frozen dataclasses that say what to show; `Engine.open_route` makes the scene.

    A subclass is made a frozen dataclass by itself.
    """

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)
