"""RecordingListView: a scrolling list of recordings with pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import pygame

from arcade.engine.input.events import PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.lists import Item, ListView
from arcade.engine.ui.theme import Size, Theme
from arcade.language import _
from arcade.recordings.library import Recording, UnreadableRecording
from arcade.scenes.home.game_pictures import SHIPPED, file_name
from arcade.scenes.recordings.stars import draw_stars
from arcade.scenes.recordings.thumbnails import Thumbnails
from arcade.session.recordings import recording_texts
from arcade.session.recordings.recording_list import RecordingList

PICTURE = 128, 72  # units


@dataclass(slots=True)
class RecordingItem(Item):
    """A row of a recording: its title, its players, and a line of date, length and outcome as far as they fit."""

    recording: Recording | UnreadableRecording | None = None
    foot: tuple[str, ...] = ()


class RecordingListView(ListView):
    """A ListView with higher rows; the first click selects a row, the second presses it.

    Moving the mouse selects none, so that it can cross rows on its way to the buttons.
    """

    row_units = 88.0

    def __init__(
        self, recordings: RecordingList, thumbnails: Thumbnails, *,
        press: Callable[[int], None], moved: Callable[[int], None],
    ) -> None:  # fmt: skip
        super().__init__([], press=press, moved=moved, grow=3, width=760, key="recordings")
        self._recordings, self._thumbnails = recordings, thumbnails

    @property
    def chosen(self) -> Recording | UnreadableRecording | None:
        """The recording of the selected row."""
        item = self.selected
        return item.recording if isinstance(item, RecordingItem) else None

    @property
    def spoken(self) -> str:
        item = self.selected
        return ", ".join((item.text, item.detail, *item.foot)) if isinstance(item, RecordingItem) else self.empty

    def show_all(self, now: datetime, *, empty: str) -> None:
        """List the filtered recordings, or the text `empty`; the selected row and its place stay."""
        recordings, chosen, top = self._recordings, self.chosen, self.top
        paths = [recording.path for recording in recordings.shown]
        index = paths.index(chosen.path) if chosen is not None and chosen.path in paths else self.index
        self.empty = _("No matching recordings") if recordings.all else empty
        self.set_items([self._item(one, now) for one in recordings.shown], index=min(index, max(0, len(paths) - 1)))
        self.top = top
        self.show(self.index)
        self._clamp()

    def pointer(self, event: PointerInput) -> bool:
        row = self.top + (event.pos[1] - self.rect.top) // self._row
        if event.kind == "wheel" or (event.is_click and row == self.index):
            return super().pointer(event)
        if event.is_click and row in self.visible:
            self.select(row)
        return True

    def _item(self, recording: Recording | UnreadableRecording, now: datetime) -> RecordingItem:
        if isinstance(recording, UnreadableRecording):
            unchanged = (_("The file stays unchanged"),)  # the details say why
            return RecordingItem(
                recording.path.name, _("This file cannot be read"), enabled=False, recording=recording, foot=unchanged
            )  # fmt: skip
        card = recording.card
        title, names = self._recordings.title(card.game), self._recordings.names(recording)
        when, outcome = recording_texts.when(card.created, now), recording_texts.outcome(card, names)
        parts = (title if card.name else "", when, recording_texts.length(card.seconds), outcome)
        foot = tuple(part for part in (*parts, *(f"#{tag}" for tag in card.tags)) if part)
        return RecordingItem(card.name or title, recording_texts.sides(card, names), recording=recording, foot=foot)

    def draw_row(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect, row: int) -> None:
        item, chosen, px, colours = self.items[row], row == self.index, theme.px, theme.colours
        assert isinstance(item, RecordingItem)
        if chosen:
            pygame.draw.rect(canvas, colours.raised, area.inflate(-px(8), -px(4)), border_radius=px(8))
            mark = (area.left + px(6), area.top + px(8), px(5), area.h - px(16))
            pygame.draw.rect(canvas, colours.focus, mark, border_radius=px(2))
        wide = min(px(PICTURE[0]), area.w // 4)
        frame = pygame.Rect(area.left + px(20), 0, wide, wide * PICTURE[1] // PICTURE[0])
        frame.centery = area.centery
        self._draw_picture(canvas, theme, frame, item.recording)
        left = frame.right + px(16)
        room = pygame.Rect(left, area.top, max(1, area.right - left - px(12)), area.h)
        self._draw_texts(canvas, theme, room, item, bold=chosen)

    def _draw_texts(
        self, canvas: pygame.Surface, theme: Theme, room: pygame.Rect, item: RecordingItem, *, bold: bool
    ) -> None:
        colours, small = theme.colours, theme.line_height(themes.SMALL)
        line = theme.line_height()
        top = room.top + (room.h - line - 2 * small) // 2
        right = self._draw_marks(canvas, theme, room.move(0, top - room.top), item.recording)
        ink = colours.ink if item.enabled else colours.faint
        width = max(1, right - room.left - theme.px(12))
        theme.draw_text(canvas, item.text, (room.left, top), bold=bold, colour=ink, width=width)
        ink = colours.muted if item.enabled else colours.faint
        below = top + line
        lines = "\n".join(filter(None, (item.detail, _fitting(theme, item.foot, room.w))))
        high = max(2 * small, room.bottom - below)
        theme.draw_text(canvas, lines, (room.left, below), size=themes.SMALL, colour=ink, width=room.w, height=high)

    def _draw_picture(
        self,
        canvas: pygame.Surface,
        theme: Theme,
        frame: pygame.Rect,
        recording: Recording | UnreadableRecording | None,
    ) -> None:
        pygame.draw.rect(canvas, theme.colours.well, frame, border_radius=theme.px(4))
        picture = self._picture(recording, frame.size) if isinstance(recording, Recording) else None
        if picture is not None:
            canvas.blit(picture, frame)
        elif not isinstance(recording, Recording):
            theme.draw_text(canvas, "?", frame.center, colour=theme.colours.faint, anchor="center")

    def _picture(self, recording: Recording, size: Size) -> pygame.Surface | None:
        """Return the picture of a recording, or until there is one that of its game."""
        picture = self._thumbnails.get(recording.picture, size)
        if picture is None and (spec := self._recordings.games.get(recording.card.game)) is not None:
            return self._thumbnails.get(SHIPPED / file_name(spec), size)
        return picture

    @staticmethod
    def _draw_marks(
        canvas: pygame.Surface, theme: Theme, room: pygame.Rect, recording: Recording | UnreadableRecording | None
    ) -> int:
        """Draw stars and the kept mark; returns their left edge."""
        px, right = theme.px, room.right
        if not isinstance(recording, Recording):
            return right
        if recording.card.rating:
            stars = pygame.Rect(right - px(104), room.top, px(104), theme.line_height())
            draw_stars(canvas, theme, recording.card.rating, stars, pitch=px(20))
            right = stars.left - px(8)
        if recording.card.kept:
            at = right - px(4), room.top + theme.line_height() // 2
            right = theme.draw_text(
                canvas, _("kept"), at, size=themes.SMALL, colour=theme.colours.green, anchor="midright"
            ).left
        return right


def _fitting(theme: Theme, parts: Sequence[str], width: int) -> str:
    """Join the first parts, as many as fit within `width` pixels, at least one."""
    texts = ["  ·  ".join(parts[:count]) for count in range(len(parts), 1, -1)]
    return next((text for text in texts if theme.font(themes.SMALL).size(text)[0] <= width), parts[0] if parts else "")
