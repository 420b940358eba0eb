"""Several keyboards told apart on Linux, by evdev files that the group "input" may read.

Sources: linux/input.h (struct input_event), linux/input-event-codes.h (types and key codes),
Documentation/input/event-codes.rst, and drivers/input/input.c (/proc/bus/input/devices).
"""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pygame

from agents.platform import system
from arcade.engine.input.events import Device
from arcade.language import N_

_EVENT = struct.Struct("llHHi")  # seconds, microseconds, type, code, value
_EV_SYN, _EV_KEY, _SYN_DROPPED = 0, 1, 3
_UP, _DOWN = 0, 1  # 2 is the kernel's own repeat
_LONG_BITS = 8 * struct.calcsize("l")  # of a word of capabilities
_TYPED = (16, 28, 30, 44, 57)  # Q, Enter, A, Z, Space: a device with them is no power button and no mouse
_LOOK_AGAIN = 2.0  # seconds between two searches for a missing keyboard

# First code → the names of the keys that follow.
_ROWS = {
    1: "escape 1 2 3 4 5 6 7 8 9 0 minus equals backspace tab",
    16: "q w e r t y u i o p leftbracket rightbracket return lctrl",
    30: "a s d f g h j k l semicolon apostrophe grave lshift backslash z x c v b n m comma period slash rshift",
    55: "kp_multiply lalt space capslock f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 numlock scrollock kp7 kp8 kp9 kp_minus",
    75: "kp4 kp5 kp6 kp_plus kp1 kp2 kp3 kp0 kp_period",
    86: "nonusbackslash f11 f12",
    96: "kp_enter rctrl kp_divide print ralt",
    102: "home up pageup left right end down pagedown insert delete",
    117: "kp_equals",
    125: "lgui rgui menu",
}
_KEYS = {first + place: name for first, row in _ROWS.items() for place, name in enumerate(row.split())}

KeyChange = tuple[Device, str, bool]  # keyboard, key by its name in `sources`, and whether it went down


@dataclass(slots=True)
class _Keyboard:
    device: Device
    identity: tuple[str, str]  # name and port
    path: Path | None  # None while disconnected
    handle: int = -1  # an open file, or -1
    rest: bytes = b""  # the beginning of an event
    failure: str = ""  # why it cannot be read

    def check(self) -> None:
        """Find out whether it can be read."""
        self.failure = ""
        if self.path is None:
            self.failure = f"{self.device.name} is not connected"
        elif self.handle < 0 and not os.access(self.path, os.R_OK):
            self._fail("permission denied" if self.path.exists() else "no such file")

    def read(self) -> Iterator[tuple[str, bool]]:
        """Yield keys in order, and whether they went down; "" after lost events or a disconnection."""
        if self.path is None or not self._open(self.path):
            return
        try:
            read = os.read(self.handle, 64 * _EVENT.size)
        except BlockingIOError:
            return
        except OSError:
            read = b""
        if not read:  # disconnected
            self.close()
            self.path, self.failure = None, f"{self.device.name} disconnected"
            yield "", False
            return
        data = self.rest + read
        whole = len(data) - len(data) % _EVENT.size
        self.rest = data[whole:]
        for _, _, kind, code, value in _EVENT.iter_unpack(data[:whole]):
            if kind == _EV_KEY and code in _KEYS and value in (_UP, _DOWN):
                yield _KEYS[code], value == _DOWN
            elif (kind, code) == (_EV_SYN, _SYN_DROPPED):
                yield "", False

    def close(self) -> None:
        """Close the file; can be called twice."""
        if self.handle >= 0:
            os.close(self.handle)
        self.handle, self.rest = -1, b""

    def _open(self, path: Path) -> bool:
        if self.handle < 0:
            try:
                self.handle = system.open_device(path)
            except OSError as error:
                self._fail(error.strerror)
                self.path = None
        return self.handle >= 0

    def _fail(self, reason: str | None) -> None:
        self.failure = f"Two keyboards count as one: cannot read {self.path} ({reason}); join the group input"


class Keyboards:
    """The keyboards, numbered from 1 by their ports; a disconnected one keeps its number.

    All files are closed while `wanted` is empty.  Keys count only while the window has the keyboard.
    """

    def __init__(
        self, *, listing: Path = Path("/proc/bus/input/devices"), folder: Path = Path("/dev/input"),
        focused: Callable[[], bool] = pygame.key.get_focused, clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._listing, self._folder, self._focused, self._clock = listing, folder, focused, clock
        self._keyboards: list[_Keyboard] = []
        self._down: set[tuple[str, str]] = set()  # (slot, key)
        self._looked_at = float("-inf")
        self._reported: set[Device] | None = None  # by `connections`; None: `wanted` was empty
        self.wanted: set[int] = set()  # ids of the listeners

    def refresh(self) -> None:
        """Find the connected keyboards."""
        self._looked_at = self._clock()
        free = sorted(self._list())
        # Two keyboards of one name may report the same port: the one that still has its file keeps it.
        for keyboard in sorted(self._keyboards, key=lambda known: (known.identity, known.path) not in free):
            own = [path for identity, path in free if identity == keyboard.identity]
            keyboard.path = keyboard.path if keyboard.path in own else next(iter(own), None)
            if keyboard.path is not None:
                free.remove((keyboard.identity, keyboard.path))
        for identity, path in free:
            device = Device("keyboard", str(len(self._keyboards) + 1), identity[0])
            self._keyboards.append(_Keyboard(device, identity, path))
        for keyboard in self._keyboards:
            keyboard.check()

    @property
    def present(self) -> tuple[Device, ...]:
        """The readable keyboards, as of the last `refresh`."""
        return tuple(keyboard.device for keyboard in self._keyboards if not keyboard.failure)

    def numbered(self, number: str) -> Device | None:
        """Return the keyboard of that number, also a disconnected one; None for an unknown or unreadable one."""
        found = (keyboard for keyboard in self._keyboards if keyboard.device.slot == number)
        return next((one.device for one in found if not (one.path and one.failure)), None)

    @property
    def apart(self) -> bool:
        """Whether two people can have a keyboard each: there are two or more, all readable."""
        connected = [keyboard for keyboard in self._keyboards if keyboard.path]
        return len(connected) > 1 and not any(keyboard.failure for keyboard in connected)

    @property
    def why(self) -> str:
        """Why people cannot have a keyboard each; "" where they can."""
        if self.apart:
            return ""
        if not self._listing.exists():
            return N_("Two keyboards count as one: only Linux can separate them")
        failed = next((keyboard.failure for keyboard in self._keyboards if keyboard.path and keyboard.failure), "")
        return failed or N_("Connect a second keyboard, and two people have one each")

    def changes(self) -> Iterator[KeyChange]:
        """Yield the keys that went down and up since the last call; none while `wanted` is empty."""
        if not self.wanted:
            self.close()
            return
        missing = not self._keyboards or any(keyboard.handle < 0 for keyboard in self._keyboards)
        if missing and self._clock() - self._looked_at > _LOOK_AGAIN:
            self.refresh()
        focused = self._focused()
        if not focused:
            self._down.clear()  # the listeners were cleared with the window's focus
        for keyboard in self._keyboards:
            for key, pressed in keyboard.read():
                if focused:
                    yield from self._change(keyboard.device, key, pressed)

    def connections(self) -> Iterator[tuple[Device, bool]]:
        """Yield the connected (True) and disconnected keyboards since the last call, unless `wanted` is empty."""
        present = set(self.present) if self.wanted else None
        before, self._reported = self._reported, present
        if present is not None and before is not None:
            yield from ((device, False) for device in before - present)
            yield from ((device, True) for device in present - before)

    def close(self) -> None:
        """Close the files; can be called twice."""
        self._down.clear()
        for keyboard in self._keyboards:
            keyboard.close()

    def _change(self, device: Device, key: str, pressed: bool) -> Iterator[KeyChange]:
        if not key:  # the kernel dropped events
            for name in [name for slot, name in self._down if slot == device.slot]:
                yield from self._change(device, name, False)
        elif pressed != ((device.slot, key) in self._down):
            self._down ^= {(device.slot, key)}
            yield device, key, pressed

    def _list(self) -> Iterator[tuple[tuple[str, str], Path]]:
        """Yield ((name, port), path) of each keyboard in the kernel's list."""
        try:
            blocks = self._listing.read_text(encoding="utf-8", errors="replace").split("\n\n")
        except OSError:
            return
        for block in blocks:
            lines = [line[3:].partition("=") for line in block.splitlines() if line[1:3] == ": "]
            facts = {name: value for name, _, value in lines}
            file = next((word for word in facts.get("Handlers", "").split() if word.startswith("event")), "")
            if file and _can_type(facts.get("KEY", "")):
                yield (
                    (facts.get("Name", "").strip('"'), facts.get("Phys", "") + facts.get("Uniq", "")),
                    self._folder / file,
                )


def _can_type(capabilities: str) -> bool:
    """Return whether a device has the keys of a keyboard; `capabilities`: hexadecimal words, highest bits first."""
    words = capabilities.split()
    bits = sum(int(word, 16) << (_LONG_BITS * place) for place, word in enumerate(reversed(words)))
    return all(bits >> code & 1 for code in _TYPED)
