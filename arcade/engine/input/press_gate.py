"""PressGate: from when on presses are meant for a page that came while people were playing."""

from __future__ import annotations

from collections.abc import Callable

from arcade.engine.input.devices import DeviceHub

AFTER_RELEASE = 1.0
"""Seconds after all keys and buttons were released once."""


class PressGate:
    """Opens when every key and button was up once, and `AFTER_RELEASE` seconds have passed since.

    A player who holds or hammers a key as the page appears presses none of its buttons::

        gate = PressGate(hub, clock)      # the page appears
        gate.update()                     # once a frame
        if gate.is_open: ...              # presses count
    """

    def __init__(self, hub: DeviceHub, clock: Callable[[], float]) -> None:
        self._hub, self._clock = hub, clock
        self._released_at: float | None = None
        self.update()

    def update(self) -> None:
        """Notice the moment without a held key or button."""
        if self._released_at is None and not self._hub.down:
            self._released_at = self._clock()

    @property
    def is_open(self) -> bool:
        return self._released_at is not None and self._clock() - self._released_at >= AFTER_RELEASE
