"""HeldControls: what one layout makes of the keys and buttons that are down."""

from __future__ import annotations

from collections.abc import Iterator

from arcade.engine.input.key_bindings import DeviceBindings
from arcade.engine.input.keyboard_halves import DIRECTIONS


class HeldControls:
    """A control that two sources hold is held until both let go; one that goes down twice counts once.

    A source that comes up without having gone down is nothing.  Directions alone repeat, each for the first source
    that holds it.
    """

    def __init__(self, layout: DeviceBindings) -> None:
        self.layout = layout
        self._holders: dict[str, list[str]] = {}  # control → the sources that hold it, oldest first

    def hear(self, source: str, pressed: bool, *, repeated: bool = False) -> Iterator[tuple[str, bool]]:
        """The controls that this changes (repeated: that this repeats), and whether they are down."""
        for control in self.layout.controls_of(source):
            holders = self._holders.setdefault(control, [])
            if repeated:
                if control in DIRECTIONS and holders[:1] == [source]:
                    yield control, True
            elif pressed != (source in holders):
                (holders.append if pressed else holders.remove)(source)
                if len(holders) == pressed:
                    yield control, pressed

    def holds(self, source: str) -> bool:
        """Whether the source is down."""
        return any(source in self._holders.get(control, ()) for control in self.layout.controls_of(source))

    def clear(self) -> None:
        """Nothing is held."""
        self._holders.clear()
