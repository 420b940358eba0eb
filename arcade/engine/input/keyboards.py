"""Keyboards told apart: on Linux each has a file of its own, which those in the group "input" may read.

Windows hear all keyboards as one.  The kernel's own words of it: linux/input.h (struct input_event),
linux/input-event-codes.h (types and key codes), Documentation/input/event-codes.rst, and /proc/bus/input/devices,
written by drivers/input/input.c.
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
_LONG_BITS = 8 * struct.calcsize("l")  # of the words that capabilities are written in
_TYPED = (16, 28, 30, 44, 57)  # Q, Enter, A, Z, Space: what has them is no power button and no mouse
_LOOK_AGAIN = 2.0  # seconds between two looks for a keyboard that is missing

# First code → the keys from there on, by our names.
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

KeyChange = tuple[Device, str, bool]  # a key of a keyboard, by the names of `sources`, and whether it went down


@dataclass(slots=True)
class _Keyboard:
    device: Device
    identity: tuple[str, str]  # name, and the plug it is in
    file: str = ""  # below the folder; "" while it is gone
    handle: int = -1  # an open file; -1 while none is
    rest: bytes = b""
    failure: str = ""  # why it cannot be read


class Keyboards:
    """The keyboards that there are, numbered from 1 by where they are plugged in; a number is kept while one is gone.

    Nothing is open while `wanted` is empty.  Keys count only while the window has the keyboard.
    """

    def __init__(
        self,
        *,
        listing: Path = Path("/proc/bus/input/devices"),
        folder: Path = Path("/dev/input"),
        focused: Callable[[], bool] = pygame.key.get_focused,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._listing, self._folder, self._focused, self._clock = listing, folder, focused, clock
        self._keyboards: list[_Keyboard] = []
        self._down: dict[tuple[str, str], Device] = {}  # (slot, key) that is down
        self._looked_at = float("-inf")
        self._told: set[Device] | None = None  # reported by `news`; None: `wanted` was empty
        self.wanted: set[int] = set()  # ids of those who listen

    def refresh(self) -> None:
        """Look which keyboards there are."""
        self._looked_at = self._clock()
        free = sorted(self._list())
        # Two of one name may say the same of their plug: the one that still has its file keeps it.
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
        """Those that can be read, as of the last `refresh`."""
        return tuple(keyboard.device for keyboard in self._keyboards if not keyboard.failure)

    def numbered(self, number: str) -> Device | None:
        """The keyboard with that number, also while it is gone; None where none ever had it, or it cannot be read."""
        found = (keyboard for keyboard in self._keyboards if keyboard.device.slot == number)
        return next((one.device for one in found if not (one.file and one.failure)), None)

    @property
    def apart(self) -> bool:
        """Whether two people can have a keyboard each: there are two, and all can be read."""
        plugged = [keyboard for keyboard in self._keyboards if keyboard.file]
        return len(plugged) > 1 and not any(keyboard.failure for keyboard in plugged)

    @property
    def why(self) -> str:
        """Why keyboards are not told apart, for people; "" where they are."""
        if self.apart:
            return ""
        if not self._listing.exists():
            return "Two keyboards count as one here: only Linux tells them apart"
        failed = next((keyboard.failure for keyboard in self._keyboards if keyboard.file and keyboard.failure), "")
        return failed or "Plug a second keyboard in and two people have one each"

    def changes(self) -> Iterator[KeyChange]:
        """The keys that went down and up since the last call; none while `wanted` is empty."""
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
        """The keyboards that came (True) and went since the last call, while `wanted` is not empty."""
        present = set(self.present) if self.wanted else None
        before, self._told = self._told, present
        if present is not None and before is not None:
            yield from ((device, False) for device in before - present)
            yield from ((device, True) for device in present - before)

    def close(self) -> None:
        """Let go of the files; can be called twice."""
        self._down.clear()
        for keyboard in self._keyboards:
            self._shut(keyboard)

    def _change(self, device: Device, key: str, pressed: bool) -> Iterator[KeyChange]:
        if not key:  # the kernel lost count
            lost = [name for slot, name in self._down if slot == device.slot]
            for name in lost:
                yield from self._change(device, name, False)
        elif pressed != ((device.slot, key) in self._down):
            if pressed:
                self._down[device.slot, key] = device
            else:
                del self._down[device.slot, key]
            yield device, key, pressed

    def _read(self, keyboard: _Keyboard) -> Iterator[tuple[str, bool]]:
        """Keys in the order they came; "" where some were lost, or the keyboard is gone."""
        if not keyboard.file or not self._open(keyboard):
            return
        try:
            read = os.read(keyboard.handle, 64 * _EVENT.size)
        except BlockingIOError:
            return
        except OSError:
            read = b""
        if not read:  # it was pulled out
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
        """((name, plug), file) of each keyboard in the kernel's list."""
        try:
            blocks = self._listing.read_text(encoding="utf-8", errors="replace").split("\n\n")
        except OSError:
            return
        for block in blocks:
            lines = [line[3:].partition("=") for line in block.splitlines() if line[1:3] == ": "]
            said = {name: value for name, _, value in lines}
            file = next((word for word in said.get("Handlers", "").split() if word.startswith("event")), "")
            if file and _types(said.get("KEY", "")):
                yield (said.get("Name", "").strip('"'), said.get("Phys", "") + said.get("Uniq", "")), file


def _types(capabilities: str) -> bool:
    """Whether a device with these keys, as hexadecimal words with the highest bits first, can be typed on."""
    words = capabilities.split()
    bits = sum(int(word, 16) << (_LONG_BITS * place) for place, word in enumerate(reversed(words)))
    return all(bits >> code & 1 for code in _TYPED)
