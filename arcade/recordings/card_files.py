"""Cards on the disk, each beside its replay: made where missing, made again where older, changed by one at a time."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agents.files import replace_file
from arcade.match.playback.reader import read_replay
from arcade.recordings.card import MAX_CARD_BYTES, FutureCardError, RecordingCard, read_card
from arcade.recordings.summary import card_of, plain

Stamp = tuple[int, int, int, int]
"""Size and time of change of the replay, then of the card (0, 0 where there is none)."""

_changing = threading.Lock()
"""Held from the reading of a card to its writing, so that two threads lose nothing of what people said."""


def stamp_of(path: Path) -> Stamp:
    """What is another one as soon as the replay or its card is."""
    return *_size_and_time(path), *_size_and_time(path.with_suffix(".json"))


def card_for(path: Path, stamp: Stamp) -> RecordingCard:
    """The card of a replay, from its file, or made by reading the replay; what people said is kept.

    Raises ReplayError, ValueError or OSError that say why it is none.
    """
    if not path.is_file():
        raise ValueError(f"expected a file, got {'another kind of entry' if os.path.lexists(path) else 'none'}")
    if "\N{REPLACEMENT CHARACTER}" in plain(path.stem):
        raise ValueError("expected a name that can be shown; rename the file")
    card, stat = _card_beside(path), path.stat()
    size, changed, _, written = stamp
    if card and card.id == path.stem and card.bytes == size and changed <= written:
        return card
    fresh = card_of(read_replay(path), stat)
    try:
        return change_card(path, lambda old: fresh.with_said(**_said_of(fresh, old)) if old else fresh)
    except OSError:  # a full disk, or one that is read only: there is a card all the same, made again the next time
        return fresh.with_said(**_said_of(fresh, card)) if card else fresh


def span_of(path: Path) -> tuple[int, int | None]:
    """The ticks of a replay that count, as its card has them; all of them without a card that can be read."""
    try:
        return read_card(path.with_suffix(".json").read_bytes()).span
    except (OSError, ValueError):
        return 0, None


def change_card(path: Path, change: Callable[[RecordingCard | None], RecordingCard]) -> RecordingCard:
    """Write what `change` makes of the newest card (None: there is none) of a replay; returns it."""
    with _changing:
        card = change(_card_beside(path))
        replace_file(path.with_suffix(".json"), card.model_dump_json(indent=1))
        return card


def _said_of(fresh: RecordingCard, old: RecordingCard) -> dict[str, Any]:
    """What people said, without a trim of ticks that are not there any more."""
    start, end = old.span
    return {**old.said, "span": old.span if max(start + 1, end or 0) <= fresh.ticks else (0, None)}


def _card_beside(path: Path) -> RecordingCard | None:
    """The card of a replay, None where it has none that can be used; raises FutureCardError."""
    file = path.with_suffix(".json")
    try:
        if file.stat().st_size > MAX_CARD_BYTES:
            raise ValueError(f"expected at most {MAX_CARD_BYTES} bytes")
        return read_card(file.read_bytes())
    except FileNotFoundError:
        return None
    except FutureCardError:
        raise
    except ValueError:
        os.replace(file, file.with_name(f"{file.name}.bad"))  # somebody's words may be in it
        return None


def _size_and_time(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except OSError:
        return 0, 0
    return stat.st_size, stat.st_mtime_ns
