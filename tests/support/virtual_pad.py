"""VirtualPad: a gamepad made of software, seen by SDL like one that was plugged in.

For tests and for trying things without a pad; it uses the SDL library that pygame brings, by ctypes
(https://wiki.libsdl.org/SDL2/SDL_JoystickAttachVirtual).  Linux only.
"""

from __future__ import annotations

import ctypes
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

# SDL_GameControllerButton, in SDL's order: the mapping that SDL gives a virtual controller is one to one.
BUTTONS = (
    "a", "b", "x", "y", "select", "guide", "start", "leftstick", "rightstick", "l", "r",
    "up", "down", "left", "right",
)  # fmt: skip
AXES = ("x", "y", "rx", "ry", "lt", "rt")
_GAME_CONTROLLER, _UNKNOWN = 1, 0  # SDL_JoystickType
_JOYSTICKS = 0x200  # SDL_INIT_JOYSTICK


_Rumble = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint16, ctypes.c_uint16)


class _Description(ctypes.Structure):
    """SDL_VirtualJoystickDesc."""

    _fields_ = (
        *((name, ctypes.c_uint16) for name in ("version", "type", "axes", "buttons", "hats", "vendor", "product")),
        *((name, ctypes.c_uint16) for name in ("padding",)),
        *((name, ctypes.c_uint32) for name in ("button_mask", "axis_mask")),
        *((name, ctypes.c_void_p) for name in ("name", "userdata", "update", "set_player")),
        ("rumble", _Rumble),
        *((name, ctypes.c_void_p) for name in ("rumble_triggers", "set_led", "send_effect")),
    )


class VirtualPad:
    """A pad that is plugged in when made and pulled out by `detach`; a context manager::

        with VirtualPad() as pad:
            pad.press("a"); pad.release("a"); pad.axis("x", -1.0)

    `raw`: a pad that SDL's database does not know, with four buttons, two axes and a hat.
    `rumbles` lists the strengths of its two motors, 0 … 1, each time they were set.
    pygame.joystick must be initialised, as an Engine does.
    """

    def __init__(self, *, raw: bool = False) -> None:
        sdl = _sdl()
        axes, buttons = (2, 4) if raw else (len(AXES), len(BUTTONS))
        self.rumbles: list[tuple[float, float]] = []
        self._description = _Description(
            version=1, type=_UNKNOWN if raw else _GAME_CONTROLLER, axes=axes, buttons=buttons, hats=1,
            rumble=_Rumble(self._rumbled),
        )  # fmt: skip
        index = sdl.SDL_JoystickAttachVirtualEx(ctypes.byref(self._description))
        if index < 0:
            raise RuntimeError(f"expected SDL to attach a virtual joystick, got: {sdl.SDL_GetError().decode()}")
        self._pointer = ctypes.c_void_p(sdl.SDL_JoystickOpen(index))
        self.instance = int(sdl.SDL_JoystickInstanceID(self._pointer))
        self._attached = True

    def __enter__(self) -> VirtualPad:
        return self

    def __exit__(self, *_: object) -> None:
        self.detach()

    def press(self, name: str) -> None:
        """Put a button down: one of BUTTONS."""
        self._button(name, 1)

    def release(self, name: str) -> None:
        """Let a button go."""
        self._button(name, 0)

    def axis(self, name: str, value: float) -> None:
        """Move a stick to `value` in [-1, 1] (right and down positive), a trigger (lt, rt) to [0, 1]."""
        place = AXES.index(name)
        travel = 2 * value - 1 if name in ("lt", "rt") else value
        _sdl().SDL_JoystickSetVirtualAxis(self._pointer, place, ctypes.c_int16(round(travel * 32767)))
        _sdl().SDL_JoystickUpdate()

    def hat(self, x: int, y: int) -> None:
        """Move the cross of a raw pad: x -1 left … 1 right, y -1 down … 1 up."""
        bits = {(0, 1): 1, (1, 1): 3, (1, 0): 2, (1, -1): 6, (0, -1): 4, (-1, -1): 12, (-1, 0): 8, (-1, 1): 9}
        _sdl().SDL_JoystickSetVirtualHat(self._pointer, 0, ctypes.c_uint8(bits.get((x, y), 0)))
        _sdl().SDL_JoystickUpdate()

    def detach(self) -> None:
        """Pull it out; can be called twice.

        SDL is asked whether it still knows joysticks, not pygame: a game that called ``pygame.init`` keeps them, and
        with them this pad, when pygame's own module has been closed.
        """
        sdl = _sdl()
        if not self._attached or not sdl.SDL_WasInit(_JOYSTICKS):
            return
        self._attached = False
        for index in range(sdl.SDL_NumJoysticks()):
            if sdl.SDL_JoystickGetDeviceInstanceID(index) == self.instance:
                sdl.SDL_JoystickDetachVirtual(index)
                sdl.SDL_JoystickClose(self._pointer)
                return  # one that is not found went with all others when SDL closed them

    def _rumbled(self, _: object, low: int, high: int) -> int:
        self.rumbles.append((low / 0xFFFF, high / 0xFFFF))
        return 0

    def _button(self, name: str, down: int) -> None:
        _sdl().SDL_JoystickSetVirtualButton(self._pointer, BUTTONS.index(name), ctypes.c_uint8(down))
        _sdl().SDL_JoystickUpdate()  # SDL looks at a virtual pad only now; a tap must not fall between two looks


@lru_cache(maxsize=1)
def _sdl() -> Any:
    """The SDL2 that this process already runs on, found by where it is mapped."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        found = re.search(r"(/\S*libSDL2-2\S*)$", line)
        if found:
            library = ctypes.CDLL(found.group(1))
            library.SDL_JoystickOpen.restype = ctypes.c_void_p
            library.SDL_GetError.restype = ctypes.c_char_p
            return library
    raise RuntimeError("expected a loaded libSDL2, got none; import pygame first")
