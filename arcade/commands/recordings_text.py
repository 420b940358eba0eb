"""Prints recordings as text, or returns them as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from arcade.commands.terminal import make_table, print_table
from arcade.recordings.card import RecordingCard, Total
from arcade.recordings.library import Recording, UnreadableRecording
from arcade.session.recordings import recording_texts
from arcade.session.recordings.recording_texts import length, outcome, sides, size

WIDE = 110
"""Columns of a terminal from which on tags and sizes are listed."""


def as_json(recording: Recording) -> dict[str, Any]:
    """A recording as plain data: its card and where its files are."""
    picture = str(recording.picture) if recording.picture.exists() else ""
    return {**recording.card.model_dump(mode="json"), "file": str(recording.path), "picture": picture}


def bad_as_json(bad: Sequence[UnreadableRecording]) -> list[dict[str, str]]:
    return [{"file": str(one.path), "reason": one.reason} for one in bad]


def print_recordings(recordings: Sequence[Recording]) -> None:
    """Print a line a recording, newest first; every command accepts the first column."""
    console, names = Console(), short_names([one.card for one in recordings])
    wide = console.width >= WIDE
    rows = []
    for card in (recording.card for recording in recordings):
        more = [" ".join(card.tags), size(card.bytes)] if wide else []
        rows.append([names[card.id], card.game, length(card.seconds), sides(card), _marks(card), *more])
    table = make_table(["recording", "game", ">length", "who", "", *(["tags", ">size"] if wide else [])], rows)
    table.columns[0].no_wrap = True
    console.print(table)
    console.print(Text(recording_texts.totals(recordings) or "0 recordings"))


def print_totals(totals: Sequence[Total]) -> None:
    """Print a line for each person and game."""
    rows = []
    for total in totals:
        who = "AI alone" if total.person is None else total.person or "no name given"
        time = length(total.seconds)
        rows.append([who, total.game, total.recordings, time, total.wins, total.draws, total.losses])
    print_table(["who", "game", ">recordings", ">length", ">won", ">drawn", ">lost"], rows)


def print_recording(recording: Recording) -> None:
    """Print all that a card says."""
    card = recording.card
    facts = Table(box=None, show_header=False, pad_edge=False)
    facts.add_column()
    facts.add_column(overflow="fold")
    for name, fact in _facts(recording).items():
        facts.add_row(Text(name, style="bold"), Text(fact))
    Console().print(facts)
    rows = []
    for agent, label in card.lineup.items():
        person = card.people.get(agent)
        name = "" if person is None else person or "no name given"
        figures = (f"{card.returns.get(agent, 0.0):g}", card.placements.get(agent, ""), card.outcome(agent))
        rows.append([agent, label, card.kinds.get(agent, ""), name, *figures])
    print_table(["seat", "who", "kind", "person", ">return", ">place", ""], rows)


def short_names(cards: Sequence[RecordingCard]) -> Mapping[str, str]:
    """id → the name, else the shortest unique beginning of the id; `RecordingLibrary.get` knows both."""
    starts = {card.id: _starts(card) for card in cards}
    known = Counter(start for each in starts.values() for start in each)
    return {
        card.id: card.name or next((start for start in starts[card.id] if known[start] == 1), card.id) for card in cards
    }


def _starts(card: RecordingCard) -> list[str]:
    """Ever longer parts of the id behind the game; the first is date and time."""
    game = "".join(c if c.isalnum() or c in "-_" else "-" for c in card.game)
    if not card.id.startswith(f"{game}-"):
        return [card.id]
    parts = card.id.removeprefix(f"{game}-").split("-")
    return ["-".join(parts[:end]) for end in range(min(2, len(parts)), len(parts) + 1)]


def _facts(recording: Recording) -> dict[str, str]:
    card = recording.card
    start, end = card.ticks_that_count
    facts = {
        "recording": card.id,
        "name": card.name,
        "game": card.game,
        "recorded": f"{card.created.astimezone():%Y-%m-%d %H:%M:%S}",
        "length": f"{card.ticks:,} ticks in {length(card.seconds)}",
        "outcome": outcome(card),
        "counts": f"ticks {start} to {end}" if card.span != (0, None) else "",
        "seed": str(card.seed),
        "points": _some([str(tick) for tick in card.points]),
        "takeovers": _some([f"{agent} {first} to {last}" for agent, first, last in card.takeovers]),
        "rating": "★" * card.rating,
        "tags": " ".join(card.tags),
        "kept": "yes" if card.kept else "no: the oldest such recordings make room for new ones",
        "exact": "yes" if card.exact else "no: this game does not come out the same again",
        "continues": card.parent,
        "damage": card.damage,
        "file": f"{recording.path} ({size(card.bytes)})",
    }
    return {name: fact for name, fact in facts.items() if fact}


def _marks(card: RecordingCard) -> str:
    damage = "damaged" if card.damage and card.ended else ""
    return " ".join(filter(None, (outcome(card), "★" * card.rating, "kept" if card.kept else "", damage)))


def _some(words: Sequence[str]) -> str:
    return ", ".join(words[:12]) + (f" and {len(words) - 12} more" if len(words) > 12 else "")
