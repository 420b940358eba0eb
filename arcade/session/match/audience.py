"""Audience: shows the messages of a match."""

from __future__ import annotations


class Audience:
    """Shows messages and plays sounds; this base class ignores them, for a match without a window."""

    def say(self, text: str, *, about: str = "") -> None:
        """Show a line, in place of an earlier one `about` the same."""

    def sound(self, name: str) -> None:
        """Play a sound, such as "join" or "accept"."""

    def key(self, kind: str, action: str) -> str:
        """Return the key or button of a menu action on a "keyboard" or "gamepad", or ""."""
        return ""
