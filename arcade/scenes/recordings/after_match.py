"""What is left of a match that was recorded: its picture, its take, and what people say of it at once."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.recordings.library import Recording, RecordingError, RecordingLibrary
from arcade.scenes import routes
from arcade.scenes.lobby import Lobby
from arcade.scenes.match.picture import GamePicture
from arcade.scenes.recordings.editor import RecordingEditor
from arcade.scenes.recordings.thumbnails import save_thumbnail
from arcade.session.launch import Launched

SIGHT = (800, 450)
"""Pixels at which the last picture is drawn, to be made smaller in the worker."""

STRIP = pygame.Rect(theme.MARGIN, 546, 1200, 42)
WIDTHS = (130, 120, 210, 130, 130, 148)
LABEL = 272
"""Pixels before the first button."""


def keep_recording(lobby: Lobby, launched: Launched, picture: GamePicture, strip: RecordingStrip | None = None) -> bool:
    """Finish what was recorded of a match that is over, in the worker; `strip` shows it then.  False: nothing was."""
    writer = launched.watch.inner
    if not isinstance(writer, ReplayWriter) or not launched.is_begun:
        return False
    sight = _draw(picture)

    def closed(take: Recording) -> None:
        if writer.warning:  # of its last moment perhaps, when nobody looked any more
            lobby.toasts.say(writer.warning)
        if strip is not None:
            strip.show(take)

    def failed(error: BaseException) -> None:
        """The disk is full, say: the match was played all the same."""
        if not isinstance(error, RecordingError | OSError | pygame.error):
            raise error
        lobby.toasts.say(f"The recording: {error}")
        if strip is not None:
            strip.end("No recording of it")

    lobby.worker.submit(lambda: _take_of(writer, sight, lobby.takes()), done=closed, failed=failed)
    return True


def _draw(picture: GamePicture) -> pygame.Surface:
    """What was seen last, as somebody sees it who only watches: of secrets nothing."""
    sight = pygame.Surface(SIGHT)
    sight.fill(theme.WELL)
    picture.whole = False
    picture.draw(sight, sight.get_rect())
    return sight


def _take_of(writer: ReplayWriter, sight: pygame.Surface, store: RecordingLibrary) -> Recording:
    writer.close()
    if not writer.path.exists():
        raise RecordingError(writer.warning)
    save_thumbnail(sight, writer.path.with_suffix(".png"))
    return store.read(writer.path)


class RecordingStrip:
    """A line on a page about one take; `changed` is called when its widgets are to be made anew."""

    def __init__(self, lobby: Lobby, changed: Callable[[], None]) -> None:
        self.take: Recording | None = None  # None: still being written, or discarded
        self._lobby, self._changed = lobby, changed
        self._words = "This recording …"
        self._editor = RecordingEditor(lobby, changed=self.show, discarded=lambda take: self.end("Discarded"))

    def show(self, take: Recording) -> None:
        """This is the take, as it now is."""
        self.take = take
        self._words = take.card.name or "This recording"
        self._changed()

    def end(self, words: str) -> None:
        """There is no take, or none any more; `words` say why."""
        self.take, self._words = None, words
        self._changed()

    def widgets(self) -> list[Widget]:
        rects, left = [], STRIP.left + LABEL
        for width in WIDTHS:
            rects.append(pygame.Rect(left, STRIP.top, width, STRIP.h))
            left += width + theme.GAP
        look = {"size": theme.SMALL, "enabled": self.take is not None, "hint": "See this match again"}
        return [
            Button(rects[0], "Watch", self._watch, **look),  # type: ignore[arg-type]
            *self._editor.widgets(self.take, rects[1:], size=theme.SMALL),
        ]

    def draw(self, canvas: pygame.Surface) -> None:
        """The words before the buttons."""
        at = (STRIP.left, STRIP.centery)
        theme.draw_text(canvas, self._words, at, colour=theme.MUTED, anchor="midleft", width=LABEL - theme.GAP)

    def _watch(self) -> None:
        if self.take is not None:
            self._lobby.engine.push(routes.Replay(self.take.path, span=self.take.card.span))
