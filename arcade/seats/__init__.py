"""The kinds of seats that only the arcade has: people's devices and recordings."""

from __future__ import annotations

from agents.seats.kinds import register
from arcade.seats.devices import Gamepad, Keyboard
from arcade.seats.replay import Replay

for _kind in (Keyboard(), Gamepad(), Replay()):
    register(_kind)
