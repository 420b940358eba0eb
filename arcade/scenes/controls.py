"""Which keys do what in a game, in words for the person who is about to play it."""

from __future__ import annotations

from collections.abc import Sequence

from agents.controller import SeatChoice

_MOVE = {
    "wasd": "W A S D",
    "arrows": "arrow keys",
    "ijkl": "I J K L",
    "": "arrow keys or W A S D",
    "pad": "stick or cross",
}
_MAIN = {"wasd": "Space", "arrows": "Enter", "ijkl": "U", "": "Space or Enter", "pad": "A"}
_DIRECTIONS = {"up", "down", "left", "right"}


def controls_words(choice: SeatChoice, names: Sequence[str], *, turn_based: bool = False) -> str:
    """One line, as in ``Move: arrow keys    Jump: up or Enter``; `names` are the words of the seat's actions."""
    hand = "pad" if choice.kind == "gamepad" else choice.argument
    move, main = _MOVE[hand], _MAIN[hand]
    if turn_based:
        return f"Choose: {move} or mouse    Play: {main} or click"
    parts = {part for name in names for part in name.split()}
    words = []
    if parts & _DIRECTIONS or not names:
        words.append(f"Move: {move}")
    if "fire" in parts:
        words.append(f"Fire: {main}")
    elif "up" in parts and "down" not in parts:
        words.append(f"Jump: up or {main}")
    elif "say" in parts:
        words.append(f"Say: {main}")
    return "    ".join(words) or f"Choose: {move}    Play: {main}"
