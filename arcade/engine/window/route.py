"""Route: leads to a scene without an import of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import dataclass_transform


@dataclass_transform(frozen_default=True)
class Route:
    """The base of small classes that name a scene, frozen dataclasses all; `Engine.open_route` makes it."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)
