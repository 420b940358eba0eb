"""PressGate: from when on presses are meant for a page that came while people were playing."""

from __future__ import annotations

from collections.abc import Callable

from arcade.engine.input.devices import DeviceHub

QUIET = 1.0
"""Seconds without a held key or button, and without a press."""


class PressGate:
    """Opens for good when no key or button was down for `QUIET` seconds.

    A player who holds or hammers a key as the page appears presses none of its buttons::

        gate = PressGate(hub, clock)      # the page appears
        gate.update()                     # once a frame
        if gate.is_open: ...              # presses count
    """

    def __init__(self, hub: DeviceHub, clock: Callable[[], float]) -> None:
        self._hub, self._clock = hub, clock
        self._down_at = clock()  # when something was last seen down
        self.is_open = False
        self.update()

    def update(self) -> None:
        """Notice held keys, presses since the last frame, and the moment to open."""
        now = self._clock()
        if self._hub.down:
            self._down_at = now
        quiet_since = max(self._down_at, self._hub.pressed_at)
        self.is_open = self.is_open or now - quiet_since >= QUIET
