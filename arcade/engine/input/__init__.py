"""Keyboards, gamepads, mice and their key bindings."""
