"""Audience: the people who follow a match, on a screen or not at all."""

from __future__ import annotations

from typing import Protocol


class Audience(Protocol):
    """Is told what happens."""

    def say(self, words: str, *, about: str = "") -> None:
        """Show a line, in place of the last one `about` the same."""

    def sound(self, name: str) -> None:
        """Play a sound, as "join" or "accept"."""

    def key(self, kind: str, action: str) -> str:
        """The key or button of a menu action on a "keyboard" or "gamepad"; "" where nothing can be pressed."""


class NoAudience:
    """Of a match without a window."""

    def say(self, words: str, *, about: str = "") -> None:
        pass

    def sound(self, name: str) -> None:
        pass

    def key(self, kind: str, action: str) -> str:
        return ""
