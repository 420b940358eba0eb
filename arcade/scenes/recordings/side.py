"""The panel beside the list of recordings: picture and facts of the selected one."""

from __future__ import annotations

from datetime import datetime

import pygame

from arcade.engine.ui import theme
from arcade.recordings.card import RecordingCard
from arcade.recordings.library import Recording, UnreadableRecording
from arcade.scenes.recordings.thumbnails import Thumbnails
from arcade.session.recordings import recording_texts
from arcade.session.recordings.recording_list import RecordingList
from arcade.session.seating import sentence

SIDE = pygame.Rect(824, 152, 416, 504)
PICTURE = pygame.Rect(SIDE.topleft, (400, 225))
LINE = 21
FACTS = 4
"""Most lines of facts."""

MOST_RETURNS = 4


def draw_side(
    canvas: pygame.Surface, recording: Recording | UnreadableRecording | None, recordings: RecordingList,
    thumbnails: Thumbnails,
) -> None:  # fmt: skip
    """Draw picture, heading and facts of `recording`, or why its file cannot be read."""
    frame = PICTURE.move((SIDE.w - PICTURE.w) // 2, 0)
    pygame.draw.rect(canvas, theme.WELL, frame, border_radius=6)
    if recording is None:
        return
    top = frame.bottom + 8
    if isinstance(recording, UnreadableRecording):
        reason = theme.paragraph(recording.reason, width=frame.w - 32, size=theme.SMALL, colour=theme.MUTED)
        canvas.blit(reason, (frame.left + 16, frame.top + 16), (0, 0, frame.w - 32, frame.h - 32))
        theme.draw_text(canvas, "This file cannot be read", (SIDE.left, top), bold=True, width=SIDE.w)
        return
    picture = thumbnails.get(recording.picture, PICTURE.size)
    if picture is not None:
        canvas.blit(picture, frame)
    else:
        text = f"Only the beginning: {recording.card.damage}" if recording.card.damage else "No picture of it"
        paragraph = theme.paragraph(text, width=frame.w - 40, size=theme.SMALL, colour=theme.FAINT)
        canvas.blit(paragraph, paragraph.get_rect(center=frame.center).clip(frame))
    theme.draw_text(canvas, _heading(recording.card, recordings), (SIDE.left, top), bold=True, width=SIDE.w)
    for place, (line, colour) in enumerate(_facts(recording.card, recordings, datetime.now().astimezone())[:FACTS]):
        at = (SIDE.left, top + 28 + place * LINE)
        theme.draw_text(canvas, line, at, size=theme.SMALL, colour=colour, width=SIDE.w)


def _heading(card: RecordingCard, recordings: RecordingList) -> str:
    title = recordings.title(card.game)
    return f"{card.name}  ·  {title}" if card.name else title


def _facts(card: RecordingCard, recordings: RecordingList, now: datetime) -> list[tuple[str, theme.Colour]]:
    """Lines of facts, damage first."""
    start, end = card.ticks_that_count
    trimmed = f", of them {start} to {end} count" if (start, end) != (0, card.ticks) else ""
    summary = filter(None, (recording_texts.when(card.created, now), recording_texts.outcome(card)))
    length, size = recording_texts.length(card.seconds), recording_texts.size(card.bytes)
    returns = "  ".join(f"{agent} {total:.3g}" for agent, total in list(card.returns.items())[:MOST_RETURNS])
    more = (
        f"take-overs: {len(card.takeovers)}" if card.takeovers else "",
        "continues another recording" if card.parent else "",
        f"returns {returns}" if returns else "",
    )
    lines = [
        (recording_texts.sides(card), theme.MUTED),
        (sentence("  ·  ".join(summary)), theme.MUTED),
        (f"{_count(card, recordings)}{trimmed}  ·  {length}  ·  {size}", theme.MUTED),
        ("  ·  ".join(filter(None, more)), theme.FAINT),
    ]
    return [("The end of it is missing", theme.WARNING), *lines] if card.damage else lines


def _count(card: RecordingCard, recordings: RecordingList) -> str:
    """Return the number of ticks, or of moves in a turn-based game."""
    spec = recordings.games.get(card.game)
    unit = "move" if spec is not None and spec.turn_based else "tick"
    return f"{card.ticks:,} {unit}" + ("s" if card.ticks != 1 else "")
