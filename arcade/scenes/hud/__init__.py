"""What a match shows besides its picture: bars in pieces, controls, and the mind of the machine."""

from arcade.scenes.hud.hud import Hud

__all__ = ["Hud"]
