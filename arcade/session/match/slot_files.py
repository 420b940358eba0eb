"""SlotFiles: the moments of a game that people saved, in files.

Each is a recording of the match up to the moment, its seed and its actions, with a card and a picture beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from agents.files import FileError, home, read_json, replace_file, safe_name
from arcade.games.scores import Points
from arcade.match.recording.format import SUFFIX

SLOTS = 6
"""Of each game."""

MAX_CARD_BYTES = 2**16

_STAMP = "%Y%m%d-%H%M%S-%f"
_BAD = ValueError, TypeError, KeyError, FileError, OSError


@dataclass(frozen=True, kw_only=True)
class SlotCard:
    """What a slot holds; a JSON file beside the recording, which has the same name."""

    tick: int
    seats: dict[str, str] = field(default_factory=dict)  # of people: agent → the word of the device
    recording: str = ""  # the id of the recording of that match, "" without one
    score: Points = ()  # each team's at that tick
    hand: Mapping[str, Any] | None = None  # of a poker table: its street, and the number of the hand of how many


@dataclass(frozen=True)
class Slot:
    """A saved moment on the disk."""

    path: Path
    saved: datetime
    card: SlotCard

    @property
    def picture(self) -> Path:
        return self.path.with_suffix(".png")


class SlotFiles:
    """The files of one game; blocks, so that only the worker calls it."""

    def __init__(self, game: str) -> None:
        self.folder = home() / "moments" / safe_name(game.replace("/", "-"))

    def list(self) -> dict[int, Slot]:
        """The newest moment of each slot."""
        found: dict[int, Slot] = {}
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            number, _sign, stamp = path.stem.partition("-")
            try:
                saved, card = datetime.strptime(stamp, _STAMP), _read_card(path.with_suffix(".json"))
            except _BAD:
                continue
            if number.isdecimal() and 0 < int(number) <= SLOTS:
                found[int(number)] = Slot(path, saved, card)
        return found

    def write(self, number: int, card: SlotCard, recording: bytes, save_picture: Callable[[Path], None]) -> Slot:
        """Save a moment, then forget the one that the slot had."""
        self.folder.mkdir(parents=True, exist_ok=True)
        before = [file for file in self.folder.glob(f"{number}-*") if file.is_file()]
        saved = datetime.now()
        path = self.folder / f"{number}-{saved.strftime(_STAMP)}{SUFFIX}"
        save_picture(path.with_suffix(".png"))
        replace_file(path.with_suffix(".json"), json.dumps(asdict(card)))
        replace_file(path, recording)  # last: without it the others are no slot
        for file in before:
            file.unlink(missing_ok=True)
        return Slot(path, saved, card)


def _read_card(path: Path) -> SlotCard:
    """Raises ValueError or another of `_BAD` for a file that is none of ours."""
    data = read_json(path, most=MAX_CARD_BYTES)
    if not isinstance(data, dict) or not isinstance(data.get("tick"), int) or not isinstance(data.get("seats"), dict):
        raise ValueError(f"expected a card of a saved moment, got: {path}")
    seats = {str(agent): str(word) for agent, word in data["seats"].items()}
    hand = data.get("hand")
    return SlotCard(
        tick=data["tick"], seats=seats, recording=str(data.get("recording", "")),
        score=_read_score(data.get("score")),
        hand={"street": str(hand["street"]), **{key: int(hand[key]) for key in ("number", "hands")}} if hand else None,
    )  # fmt: skip


def _read_score(value: object) -> Points:
    return tuple(None if one is None else float(one) for one in value) if isinstance(value, list) else ()
