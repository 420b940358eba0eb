"""RecordingStrip: a line of buttons for the recording of the match that has just ended."""

from __future__ import annotations

import pygame

from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.engine.window.scene import Host
from arcade.scenes import routes
from arcade.scenes.recordings.editor import RecordingEditor
from arcade.session.match.outcome import MatchOutcome
from arcade.session.services import Services

STRIP = pygame.Rect(theme.MARGIN, 546, 1200, 42)
WIDTHS = (130, 120, 210, 130, 130, 148)
LABEL = 272
"""Pixels before the first button."""


class RecordingStrip:
    """Shows the recording of `outcome`; nothing can be pressed until it is written."""

    def __init__(self, engine: Host, services: Services, outcome: MatchOutcome) -> None:
        self._engine, self._outcome = engine, outcome
        self._editor = RecordingEditor(
            engine, services, changed=outcome.show_recording,
            discarded=lambda recording: outcome.drop_recording("Discarded"),
        )  # fmt: skip

    def widgets(self) -> list[Widget]:
        rects, left = [], STRIP.left + LABEL
        for width in WIDTHS:
            rects.append(pygame.Rect(left, STRIP.top, width, STRIP.h))
            left += width + theme.GAP
        look = {"size": theme.SMALL, "enabled": self._outcome.recording is not None, "hint": "See this match again"}
        return [
            Button(rects[0], "Watch", self._watch, **look),  # type: ignore[arg-type]
            *self._editor.widgets(self._outcome.recording, rects[1:], size=theme.SMALL),
        ]

    def draw(self, canvas: pygame.Surface) -> None:
        """The words before the buttons."""
        at = (STRIP.left, STRIP.centery)
        theme.draw_text(
            canvas, self._outcome.recording_words, at, colour=theme.MUTED, anchor="midleft", width=LABEL - theme.GAP
        )

    def _watch(self) -> None:
        if (recording := self._outcome.recording) is not None:
            self._engine.push(routes.Replay(recording.path, span=recording.card.span))
