"""Keyboards that are plugged in and pulled out."""

from __future__ import annotations

import os
import struct

from arcade.engine.input.keyboards import Keyboards

LETTERS = "402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe"

BLOCK = """I: Bus=0003 Vendor=046d Product=c31c Version=0110
N: Name="{name}"
P: Phys={phys}
S: Sysfs=/devices/pci0000:00/usb1/input/input3
U: Uniq=
H: Handlers=sysrq kbd {file} leds
B: PROP=0
B: EV=120013
B: KEY={keys}

"""


class Plugs:
    """A kernel's list and files; keys are pressed by `key`."""

    def __init__(self, folder) -> None:
        self.folder, self.listing = folder, folder / "devices"
        self.focused, self.now = True, 0.0
        self._blocks: dict[str, str] = {}
        self._pipes: dict[str, int] = {}
        self.listing.write_text("")
        self.keyboards = Keyboards(
            listing=self.listing, folder=folder, focused=lambda: self.focused, clock=lambda: self.now
        )

    def plug(self, file: str, *, name: str = "Keys", phys: str = "", keys: str = LETTERS, pipe: bool = True) -> None:
        self._blocks[file] = BLOCK.format(name=name, phys=phys or file, file=file, keys=keys)
        self._list()
        if pipe:
            os.mkfifo(self.folder / file)
            self._pipes[file] = os.open(self.folder / file, os.O_RDWR | os.O_NONBLOCK)

    def unplug(self, file: str) -> None:
        del self._blocks[file]
        self._list()
        os.close(self._pipes.pop(file))
        (self.folder / file).unlink()

    def key(self, file: str, code: int, value: int) -> None:
        self.send(file, 1, code, value)
        self.send(file, 0, 0, 0)

    def send(self, file: str, kind: int, code: int, value: int) -> None:
        os.write(self._pipes[file], struct.pack("llHHi", 5, 250_000, kind, code, value))

    def changes(self) -> list[tuple[str, str, bool]]:
        return [(device.word, key, pressed) for device, key, pressed in self.keyboards.changes()]

    def close(self) -> None:
        self.keyboards.close()
        for pipe in self._pipes.values():
            os.close(pipe)

    def _list(self) -> None:
        self.listing.write_text("".join(self._blocks.values()))
