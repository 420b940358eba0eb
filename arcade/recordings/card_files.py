"""Card files beside replays: made where missing or outdated, changed by one thread at a time."""

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
"""Held while a card is read and rewritten, so that concurrent changes lose no notes."""


def stamp_of(path: Path) -> Stamp:
    """A stamp that changes with the replay and its card."""
    return *_size_and_time(path), *_size_and_time(path.with_suffix(".json"))


def card_for(path: Path, stamp: Stamp) -> RecordingCard:
    """Return the card of a replay, made where it is missing or outdated; notes are kept.

    Raises ReplayError, ValueError or OSError with the reason why the file is no recording.
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
        return change_card(path, lambda old: fresh.with_notes(**_notes_of(fresh, old)) if old else fresh)
    except OSError:  # a full or read-only disk: the card is made again next time
        return fresh.with_notes(**_notes_of(fresh, card)) if card else fresh


def span_of(path: Path) -> tuple[int, int | None]:
    """The ticks of a replay that count; all of them without a readable card."""
    try:
        return read_card(path.with_suffix(".json").read_bytes()).span
    except (OSError, ValueError):
        return 0, None


def change_card(path: Path, change: Callable[[RecordingCard | None], RecordingCard]) -> RecordingCard:
    """Replace the card of a replay by `change` of the current one (None: no card)."""
    with _changing:
        card = change(_card_beside(path))
        replace_file(path.with_suffix(".json"), card.model_dump_json(indent=1))
        return card


def _notes_of(fresh: RecordingCard, old: RecordingCard) -> dict[str, Any]:
    """The notes of the old card, without a span of missing ticks."""
    start, end = old.span
    return {**old.notes, "span": old.span if max(start + 1, end or 0) <= fresh.ticks else (0, None)}


def _card_beside(path: Path) -> RecordingCard | None:
    """The card beside a replay, None for a missing or spoilt one; raises FutureCardError."""
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
        os.replace(file, file.with_name(f"{file.name}.bad"))  # it may hold notes
        return None


def _size_and_time(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except OSError:
        return 0, 0
    return stat.st_size, stat.st_mtime_ns
