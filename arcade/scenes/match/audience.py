"""ScreenAudience: what a match tells goes to the HUD and the speakers."""

from __future__ import annotations

from typing import Any

from arcade.engine.window.scene import Host
from arcade.scenes.hud.hud import Hud


class ScreenAudience:
    """See Audience."""

    def __init__(self, engine: Host, hud: Hud) -> None:
        self._engine, self.say = engine, hud.say

    def sound(self, name: Any) -> None:
        """Play a sound."""
        self._engine.sound.play(name)

    def key(self, kind: str, action: Any) -> str:
        """The first key or button of a menu action."""
        words: str = self._engine.bindings.menu(kind).words(action)[0]
        return words
