"""Waits for the thread that makes the sounds."""

from __future__ import annotations

from arcade.engine.audio.sound import EFFECTS, Sound


def opened(sound: Sound, timeout: float) -> bool:
    """Whether the device is open and the effects are ready within `timeout` seconds."""
    if sound._opener is not None:
        sound._opener.join(timeout)
    return len(sound._sounds) == len(EFFECTS)
