"""The details of the selected recording: its picture and facts, or why its file cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pygame

from arcade.engine.ui import theme as themes
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.theme import Size, Theme
from arcade.engine.ui.widget import Widget
from arcade.language import _, ngettext
from arcade.recordings.library import Recording, UnreadableRecording
from arcade.scenes.recordings.thumbnails import Thumbnails
from arcade.session.match.moment_texts import length_text
from arcade.session.recordings import recording_texts
from arcade.session.recordings.recording_list import RecordingList
from arcade.session.seating import sentence

LEAST = 96
"""Units of the picture's height where there is little room."""


class Still(Widget):
    """The picture of a recording, as large as the room allows; without one a sentence."""

    def __init__(
        self,
        recording: Recording | UnreadableRecording | None,
        thumbnails: Thumbnails,
        is_waiting: Callable[[Recording], bool],
    ) -> None:
        """`is_waiting`: whether the picture is being made."""
        super().__init__()
        self._recording, self._thumbnails, self._is_waiting = recording, thumbnails, is_waiting

    @property
    def sentence(self) -> str:
        """What is written in place of the picture."""
        if not isinstance(self._recording, Recording):
            return _("This file cannot be read")
        return _("The picture is being made …") if self._is_waiting(self._recording) else _("No picture")

    def natural(self, theme: Theme, width: int) -> Size:
        width = min(width, theme.px(480))
        return width, width * 9 // 16

    def least_height(self, theme: Theme, width: int) -> int:
        return min(theme.px(LEAST), self.measure(theme, width)[1])

    def least(self, theme: Theme) -> int:
        return theme.px(280)

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        frame = pygame.Rect(0, 0, min(self.rect.w, self.rect.h * 16 // 9), self.rect.h)
        frame.h = min(frame.h, frame.w * 9 // 16)
        frame.center = self.rect.center
        pygame.draw.rect(canvas, theme.colours.well, frame, border_radius=theme.px(6))
        recording = self._recording
        if recording is None:
            return
        picture = self._thumbnails.get(recording.picture, frame.size) if isinstance(recording, Recording) else None
        if picture is not None:
            canvas.blit(picture, frame)
            return
        text = self.sentence
        room, faint = max(1, frame.w - theme.px(40)), theme.colours.faint
        paragraph = theme.paragraph(text, width=room, size=themes.SMALL, colour=faint)
        canvas.blit(paragraph, paragraph.get_rect(center=frame.center))


def details(
    recording: Recording | UnreadableRecording | None, recordings: RecordingList, now: datetime
) -> list[Widget]:
    """Make the widgets below the picture: heading and facts, or why the file cannot be read."""
    if recording is None:
        return []
    if isinstance(recording, UnreadableRecording):
        return [Label(recording.path.name, bold=True), _fact(recording.reason, "muted")]
    card = recording.card
    heading = "  ·  ".join(filter(None, (card.name, recordings.title(card.game))))
    damage = _("The end is missing: {reason}").format(reason=card.damage) if card.damage else ""
    facts = [_fact(text, "muted") for text in _facts(recording, recordings, now) if text]
    return [Label(heading, bold=True), *([_fact(damage, "warning")] if damage else []), *facts]


def _fact(text: str, colour: str) -> Paragraph:
    return Paragraph(text, size=themes.SMALL, colour=colour)


def _facts(recording: Recording, recordings: RecordingList, now: datetime) -> list[str]:
    card = recording.card
    spec, names = recordings.games.get(card.game), recordings.names(recording)
    summary = filter(None, (recording_texts.when(card.created, now), recording_texts.outcome(card, names)))
    count = length_text(spec, card.ticks) if spec is not None and spec.turn_based else ""
    start, end = card.ticks_that_count
    more = (
        _("Trimmed to {start}–{end}").format(start=start, end=end) if (start, end) != (0, card.ticks) else "",
        _take_overs(len(card.takeovers)) if card.takeovers else "",
        _("Continues another recording") if card.parent else "",
    )
    return [
        recording_texts.sides(card, names),
        sentence("  ·  ".join(summary)),
        "  ·  ".join(filter(None, (count, recording_texts.length(card.seconds), recording_texts.size(card.bytes)))),
        "  ·  ".join(filter(None, more)),
    ]


def _take_overs(count: int) -> str:
    return ngettext("{count} take-over", "{count} take-overs", count).format(count=count)
