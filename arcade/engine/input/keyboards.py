"""Keyboards: separate keyboards on Linux, where each has a file that the group "input" may read.

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

from arcade.engine.input.events import Device

_EVENT = struct.Struct("llHHi")  # seconds, microseconds, type, code, value
_EV_SYN, _EV_KEY, _SYN_DROPPED = 0, 1, 3
_UP, _DOWN = 0, 1  # 2 is the kernel's own repeat
_LONG_BITS = 8 * struct.calcsize("l")  # of a word of capabilities
_TYPED = (16, 28, 30, 44, 57)  # Q, Enter, A, Z, Space: a device with them is no power button and no mouse
_LOOK_AGAIN = 2.0  # seconds between two searches for a missing keyboard

# First code → the names of the keys from there on.
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
    file: str = ""  # below the folder; "" while disconnected
    handle: int = -1  # an open file, or -1
    rest: bytes = b""
    failure: str = ""  # why it cannot be read


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
        self._reported: set[Device] | None = None  # by `news`; None: `wanted` was empty
        self.wanted: set[int] = set()  # ids of the listeners

    def refresh(self) -> None:
        """Find the connected keyboards."""
        self._looked_at = self._clock()
        free = sorted(self._list())
        # Two keyboards of one name may report the same port: the one that still has its file keeps it.
        for keyboard in sorted(self._keyboards, key=lambda known: (known.identity, known.file) not in free):
            own = [one for one in free if one[0] == keyboard.identity]
            found = next((one for one in own if one[1] == keyboard.file), own[0] if own else None)
            keyboard.file = found[1] if found is not None else ""
            if found is not None:
                free.remove(found)
        for identity, file in free:
            slot = str(len(self._keyboards) + 1)
            self._keyboards.append(_Keyboard(Device("keyboard", slot, identity[0]), identity, file))
        for keyboard in self._keyboards:
            keyboard.failure = self._why_not(keyboard)

    @property
    def present(self) -> tuple[Device, ...]:
        """The readable keyboards, as of the last `refresh`."""
        return tuple(keyboard.device for keyboard in self._keyboards if not keyboard.failure)

    def numbered(self, number: str) -> Device | None:
        """Return the keyboard of that number, also a disconnected one; None for an unknown or unreadable one."""
        found = (keyboard for keyboard in self._keyboards if keyboard.device.slot == number)
        return next((one.device for one in found if not (one.file and one.failure)), None)

    @property
    def apart(self) -> bool:
        """Whether two people can have a keyboard each: there are two or more, all readable."""
        plugged = [keyboard for keyboard in self._keyboards if keyboard.file]
        return len(plugged) > 1 and not any(keyboard.failure for keyboard in plugged)

    @property
    def why(self) -> str:
        """Why people cannot have a keyboard each; "" where they can."""
        if self.apart:
            return ""
        if not self._listing.exists():
            return "Two keyboards count as one here: only Linux tells them apart"
        failed = next((keyboard.failure for keyboard in self._keyboards if keyboard.file and keyboard.failure), "")
        return failed or "Plug a second keyboard in and two people have one each"

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
            for key, pressed in self._read(keyboard):
                if focused:
                    yield from self._change(keyboard.device, key, pressed)

    def news(self) -> Iterator[tuple[Device, bool]]:
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
            self._shut(keyboard)

    def _change(self, device: Device, key: str, pressed: bool) -> Iterator[KeyChange]:
        if not key:  # the kernel dropped events
            for name in [name for slot, name in self._down if slot == device.slot]:
                yield from self._change(device, name, False)
        elif pressed != ((device.slot, key) in self._down):
            self._down ^= {(device.slot, key)}
            yield device, key, pressed

    def _read(self, keyboard: _Keyboard) -> Iterator[tuple[str, bool]]:
        """Yield keys in order; "" after lost events or a disconnection."""
        if not keyboard.file or not self._open(keyboard):
            return
        try:
            read = os.read(keyboard.handle, 64 * _EVENT.size)
        except BlockingIOError:
            return
        except OSError:
            read = b""
        if not read:  # disconnected
            self._shut(keyboard)
            keyboard.file, keyboard.failure = "", f"{keyboard.device.name} was pulled out"
            yield "", False
            return
        data = keyboard.rest + read
        whole = len(data) - len(data) % _EVENT.size
        keyboard.rest = data[whole:]
        for _, _, kind, code, value in _EVENT.iter_unpack(data[:whole]):
            if kind == _EV_KEY and code in _KEYS and value in (_UP, _DOWN):
                yield _KEYS[code], value == _DOWN
            elif (kind, code) == (_EV_SYN, _SYN_DROPPED):
                yield "", False

    def _open(self, keyboard: _Keyboard) -> bool:
        if keyboard.handle < 0:
            try:
                keyboard.handle = os.open(self._folder / keyboard.file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            except OSError as error:
                keyboard.failure = self._words(keyboard, error)
                keyboard.file = ""
        return keyboard.handle >= 0

    def _shut(self, keyboard: _Keyboard) -> None:
        if keyboard.handle >= 0:
            os.close(keyboard.handle)
        keyboard.handle, keyboard.rest = -1, b""

    def _why_not(self, keyboard: _Keyboard) -> str:
        if not keyboard.file:
            return f"{keyboard.device.name} is not plugged in"
        path = self._folder / keyboard.file
        if keyboard.handle >= 0 or os.access(path, os.R_OK):
            return ""
        return self._words(keyboard, OSError(0, "permission denied" if path.exists() else "no such file"))

    def _words(self, keyboard: _Keyboard, error: OSError) -> str:
        path = self._folder / keyboard.file
        return f"Keyboards are told apart where {path} can be read ({error.strerror}): join the group input"

    def _list(self) -> Iterator[tuple[tuple[str, str], str]]:
        """Yield ((name, port), file) of each keyboard in the kernel's list."""
        try:
            blocks = self._listing.read_text(encoding="utf-8", errors="replace").split("\n\n")
        except OSError:
            return
        for block in blocks:
            lines = [line[3:].partition("=") for line in block.splitlines() if line[1:3] == ": "]
            facts = {name: value for name, _, value in lines}
            file = next((word for word in facts.get("Handlers", "").split() if word.startswith("event")), "")
            if file and _can_type(facts.get("KEY", "")):
                yield (facts.get("Name", "").strip('"'), facts.get("Phys", "") + facts.get("Uniq", "")), file


def _can_type(capabilities: str) -> bool:
    """Return whether a device has the keys of a keyboard; `capabilities`: hexadecimal words, highest bits first."""
    words = capabilities.split()
    bits = sum(int(word, 16) << (_LONG_BITS * place) for place, word in enumerate(reversed(words)))
    return all(bits >> code & 1 for code in _TYPED)
