"""Words for Discrete actions, shared by the families that have the same ones."""

from __future__ import annotations

NOOP = "nothing"
"""The word for doing nothing, in every family."""

ALE = (
    NOOP, "fire", "up", "right", "left", "down", "up right", "up left", "down right", "down left",
    "up fire", "right fire", "left fire", "down fire",
    "up right fire", "up left fire", "down right fire", "down left fire",
)  # fmt: skip
"""The joystick of the Arcade Learning Environment, in the order of its Action enum."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""MPE's alphabet, as ``simple_env`` has it."""

MPE_MOVES = (NOOP, "left", "right", "down", "up")
"""MPE's movement, in the order of ``SimpleEnv._set_action``."""


def ale_actions(*codes: int) -> tuple[str, ...]:
    """The words of a game's minimal action set, from ALE's action codes."""
    return tuple(ALE[code] for code in codes)


def spoken(words: int) -> tuple[str, ...]:
    """MPE's messages, as its pictures write them: "say A", "say B", …"""
    return tuple(f"say {LETTERS[word]}" for word in range(words))


def spoken_moves(words: int) -> tuple[str, ...]:
    """MPE's message and movement in one action: the movement is ``action % 5``, the message ``action // 5``."""
    return tuple(f"{message}, {move}" if move != NOOP else message for message in spoken(words) for move in MPE_MOVES)
