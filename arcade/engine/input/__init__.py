"""Keyboards, gamepads and mice, and the key bindings that give them a meaning."""
