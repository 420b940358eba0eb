"""RecordingListView: a scrolling list of recordings with pictures; beside it, the facts of the selected one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pygame

from arcade.engine.input.events import PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.menus import Item, ListMenu
from arcade.engine.ui.widgets import Area
from arcade.recordings.card import RecordingCard
from arcade.recordings.library import Recording, UnreadableRecording
from arcade.scenes.recordings.editor import draw_stars
from arcade.scenes.recordings.thumbnails import Thumbnails
from arcade.session.recordings import recording_texts
from arcade.session.recordings.recording_list import RecordingList
from arcade.session.seating import sentence

PICTURE = (128, 72)


@dataclass(slots=True)
class RecordingItem(Item):
    """A row of a recording; its text is made when it is drawn."""

    recording: Recording | UnreadableRecording | None = None


class RecordingListView(ListMenu):
    """A ListMenu with higher rows; the first click selects a row, the second picks it.

    Moving the mouse selects none, so that it can cross rows on its way to the buttons.
    """

    ROW = 84

    def __init__(
        self, rect: Area, recordings: RecordingList, thumbnails: Thumbnails, *,
        pick: Callable[[int], None], moved: Callable[[int], None],
    ) -> None:  # fmt: skip
        super().__init__(rect, [], pick=pick, moved=moved)
        self._recordings, self._thumbnails = recordings, thumbnails
        self._now = datetime.now().astimezone()

    @property
    def chosen(self) -> Recording | UnreadableRecording | None:
        """The recording of the focused row."""
        item = self.items[self.index] if self.items else None
        return item.recording if isinstance(item, RecordingItem) else None

    def show(self, now: datetime, *, empty: str) -> None:
        """List the filtered recordings, or the text `empty`; the chosen row and its place stay."""
        recordings, self._now = self._recordings, now
        chosen, index, top = self.chosen, self.index, self.scroll.top
        paths = [recording.path for recording in recordings.shown]
        if chosen is not None and chosen.path in paths:
            index = paths.index(chosen.path)
        rows = [RecordingItem("", enabled=isinstance(one, Recording), recording=one) for one in recordings.shown]
        self.set_items(rows or [Item("No matching recordings" if recordings.all else empty, enabled=False)])
        self.scroll.top = top
        self.index = min(index, max(0, len(paths) - 1))
        self.scroll.show(self.index)

    def pointer(self, event: PointerInput) -> bool:
        row = self.scroll.row_at(event.pos[1] - self.rect.top, self.ROW)
        if event.kind == "wheel" or (event.kind == "press" and event.button == 1 and row == self.index):
            return super().pointer(event)
        if event.kind == "press" and event.button == 1 and row is not None:
            self.select(row)
        return True

    def _draw_row(self, canvas: pygame.Surface, at: pygame.Rect, item: Item, *, chosen: bool) -> None:
        if not isinstance(item, RecordingItem):
            super()._draw_row(canvas, at, item, chosen=chosen)
            return
        if chosen:
            pygame.draw.rect(canvas, theme.RAISED, at.inflate(-8, -4), border_radius=8)
            pygame.draw.rect(canvas, theme.FOCUS, (at.left + 6, at.top + 8, 5, at.h - 16), border_radius=2)
        frame = pygame.Rect(at.left + 20, at.top + 6, *PICTURE)
        self._draw_picture(canvas, frame, item.recording)
        room = pygame.Rect(frame.right + 16, at.top, at.right - frame.right - 28, at.h)
        right = self._draw_marks(canvas, room, item.recording) if isinstance(item.recording, Recording) else room.right
        title, players, foot = self._texts(item.recording)
        ink = theme.INK if item.enabled else theme.FAINT
        theme.draw_text(canvas, title, (room.left, at.top + 8), bold=chosen, colour=ink, width=right - room.left - 12)
        ink = theme.MUTED if item.enabled else theme.FAINT
        for line, top in ((players, 35), (foot, 57)):
            theme.draw_text(canvas, line, (room.left, at.top + top), size=theme.SMALL, colour=ink, width=room.w)

    def _draw_picture(
        self, canvas: pygame.Surface, frame: pygame.Rect, recording: Recording | UnreadableRecording | None
    ) -> None:
        pygame.draw.rect(canvas, theme.WELL, frame, border_radius=4)
        picture = self._thumbnails.get(recording.picture, PICTURE) if isinstance(recording, Recording) else None
        if picture is not None:
            canvas.blit(picture, frame)
        else:
            title = self._recordings.title(recording.card.game) if isinstance(recording, Recording) else "?"
            look: dict[str, Any] = {"size": theme.SMALL, "colour": theme.FAINT, "anchor": "center"}
            theme.draw_text(canvas, title, frame.center, width=frame.w - 12, **look)

    def _texts(self, recording: Recording | UnreadableRecording | None) -> tuple[str, str, str]:
        """Return title, players, and a line of date, length and outcome."""
        if recording is None:
            return "", "", ""
        if isinstance(recording, UnreadableRecording):
            return recording.path.name, recording.reason, "The file stays unchanged"
        card = recording.card
        title, names = self._recordings.title(card.game), self._recordings.names(card.game)
        when = recording_texts.when(card.created, self._now)
        length, outcome = recording_texts.length(card.seconds), recording_texts.outcome(card, names)
        parts = [title if card.name else "", when, length, outcome]
        foot = "  ·  ".join(part for part in (*parts, *(f"#{tag}" for tag in card.tags)) if part)
        return card.name or title, recording_texts.sides(card, names), foot

    @staticmethod
    def _draw_marks(canvas: pygame.Surface, room: pygame.Rect, recording: Recording) -> int:
        """Draw stars and the kept mark; returns their left edge."""
        right = room.right
        if recording.card.rating:
            stars = pygame.Rect(right - 104, room.top + 6, 104, 28)
            draw_stars(canvas, recording.card.rating, stars, pitch=20)
            right = stars.left - 8
        if recording.card.kept:
            look: dict[str, Any] = {"size": theme.SMALL, "colour": theme.GREEN, "anchor": "midright"}
            right = theme.draw_text(canvas, "kept", (right - 4, room.top + 20), **look).left
        return right


SIDE = pygame.Rect(824, 152, 416, 504)
SIDE_PICTURE = pygame.Rect(SIDE.topleft, (400, 225))
LINE = 21
FACTS = 4
"""Most lines of facts."""

MOST_RETURNS = 4


def draw_side(
    canvas: pygame.Surface, recording: Recording | UnreadableRecording | None, recordings: RecordingList,
    thumbnails: Thumbnails,
) -> None:  # fmt: skip
    """Draw picture, heading and facts of `recording`, or why its file cannot be read."""
    frame = SIDE_PICTURE.move((SIDE.w - SIDE_PICTURE.w) // 2, 0)
    pygame.draw.rect(canvas, theme.WELL, frame, border_radius=6)
    if recording is None:
        return
    top = frame.bottom + 8
    if isinstance(recording, UnreadableRecording):
        reason = theme.paragraph(recording.reason, width=frame.w - 32, size=theme.SMALL, colour=theme.MUTED)
        canvas.blit(reason, (frame.left + 16, frame.top + 16), (0, 0, frame.w - 32, frame.h - 32))
        theme.draw_text(canvas, "This file cannot be read", (SIDE.left, top), bold=True, width=SIDE.w)
        return
    picture = thumbnails.get(recording.picture, SIDE_PICTURE.size)
    if picture is not None:
        canvas.blit(picture, frame)
    else:
        text = f"Only the beginning: {recording.card.damage}" if recording.card.damage else "No picture of it"
        paragraph = theme.paragraph(text, width=frame.w - 40, size=theme.SMALL, colour=theme.FAINT)
        canvas.blit(paragraph, paragraph.get_rect(center=frame.center).clip(frame))
    heading = "  ·  ".join(filter(None, (recording.card.name, recordings.title(recording.card.game))))
    theme.draw_text(canvas, heading, (SIDE.left, top), bold=True, width=SIDE.w)
    for place, (line, colour) in enumerate(_facts(recording.card, recordings, datetime.now().astimezone())[:FACTS]):
        at = (SIDE.left, top + 28 + place * LINE)
        theme.draw_text(canvas, line, at, size=theme.SMALL, colour=colour, width=SIDE.w)


def _facts(card: RecordingCard, recordings: RecordingList, now: datetime) -> list[tuple[str, theme.Colour]]:
    """Lines of facts, damage first."""
    start, end = card.ticks_that_count
    names = recordings.names(card.game)
    trimmed = f", of them {start} to {end} count" if (start, end) != (0, card.ticks) else ""
    summary = filter(None, (recording_texts.when(card.created, now), recording_texts.outcome(card, names)))
    length, size = recording_texts.length(card.seconds), recording_texts.size(card.bytes)
    spec = recordings.games.get(card.game)
    title = spec.seat_title if spec is not None else str
    returns = "  ".join(f"{title(agent)} {total:.3g}" for agent, total in list(card.returns.items())[:MOST_RETURNS])
    more = (
        f"take-overs: {len(card.takeovers)}" if card.takeovers else "",
        "continues another recording" if card.parent else "",
        f"returns {returns}" if returns else "",
    )
    lines = [
        (recording_texts.sides(card, names), theme.MUTED),
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
