"""Seats played by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agents.controller import Controller, SeatChoice, SeatSpec
from arcade.engine.devices import DeviceHub

DeviceFactory = Callable[[SeatChoice, SeatSpec], Controller]


def make_devices(hub: DeviceHub) -> Mapping[str, DeviceFactory]:
    """The factories of ``keyboard`` and ``gamepad`` seats for make_mapping, fed by `hub` (``engine.devices``)."""
    raise NotImplementedError
