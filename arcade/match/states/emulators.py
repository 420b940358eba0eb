"""The Arcade Learning Environment of Atari games, its random generator included.

A game that computes for longer than a picture takes leaves the emulator in the middle of that picture.  Its state then
lacks how far the picture is, and an emulator that is there must not be given another state: it would draw past the end
of its picture.  So neither is done: such a moment raises UnsettledError, and an emulator that is at one is reset first.
"""

from __future__ import annotations

import struct
from functools import partial
from typing import Any

from arcade.match.states.errors import UnsettledError
from arcade.match.states.keepers import Kept

_LINES = range(220, 331)
"""Lines of a whole picture: 262 on most televisions, about 312 on others."""

_CLOCKS_PER_LINE = 228
_CLOCKS_PER_CYCLE = 3


def keep_emulator(ale: Any) -> Kept:
    state = _encoded(ale)
    if not _is_settled(state):
        raise UnsettledError("expected an emulator between two pictures, got one in the middle of a picture")
    return Kept(partial(_restore, ale, state), (), state.nbytes)


def _encoded(ale: Any) -> Any:
    """The state as uint8."""
    state = ale.cloneSystemState()
    encoded = ale.encodeState(state)
    ale.deleteState(state)
    return encoded


def _restore(ale: Any, encoded: Any) -> None:
    if not _is_settled(_encoded(ale)):
        ale.reset_game()
    state = ale.decodeState(encoded)
    ale.restoreSystemState(state)
    ale.deleteState(state)


def _is_settled(state: Any) -> bool:
    """Whether a whole picture was drawn since the clock of the picture was set to zero.

    Stella writes the name of each part before its numbers, of which these are the first: the cycles of the system since
    then, and the clock at which the TIA began the picture.
    """
    written = state.tobytes()
    (cycles,) = struct.unpack_from("<i", written, written.index(b"System") + len(b"System"))
    (began,) = struct.unpack_from("<i", written, written.index(b"TIA") + len(b"TIA"))
    return (cycles * _CLOCKS_PER_CYCLE - began) // _CLOCKS_PER_LINE in _LINES
