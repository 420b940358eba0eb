"""RecordingEditor: what people say of a recording, by buttons: keep, stars, name, tags, discard."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import pygame

from agents.errors import UserError
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.engine.window.scene import Host
from arcade.recordings.card import check_name, check_tag
from arcade.recordings.library import Recording
from arcade.scenes import routes
from arcade.scenes.recordings.stars import Stars
from arcade.session.match.outcome import MatchOutcome
from arcade.session.services import Services

NAME, TAGS = 60, 200
"""Characters that can be typed."""


class RecordingEditor:
    """Each change is written in the worker; `changed` gets the recording as it then is, `discarded` one that is gone.

    What cannot be is said, and the recording stays as it is.
    """

    def __init__(
        self,
        engine: Host,
        services: Services,
        *,
        changed: Callable[[Recording], None],
        discarded: Callable[[Recording], None],
    ) -> None:
        self._engine, self._services, self._changed, self._discarded = engine, services, changed, discarded
        self._waiting: deque[tuple[Callable[[], Any], Callable[[Any], None]]] = deque()  # the first is at work

    def widgets(
        self, recording: Recording | None, rects: Sequence[pygame.Rect], *, size: int = theme.BODY
    ) -> list[Widget]:
        """Five widgets for `recording`, in the order of the module's first line; without one nothing can be pressed."""
        card = recording.card if recording is not None else None
        kept, on = card is not None and card.kept, recording is not None

        def button(
            place: int, words: str, press: Callable[[Recording], None], hint: str, *, primary: bool = False
        ) -> Button:
            def pressed() -> None:
                if recording is not None:
                    press(recording)

            return Button(rects[place], words, pressed, enabled=on, hint=hint, size=size, primary=primary)

        stars = Stars(
            rects[1],
            rating=card.rating if card is not None else 0,
            change=lambda rating: self._say(recording, rating=rating),
            hint="How good this recording is: one more star with each press",
        )
        stars.enabled = on
        named, tagged = card is not None and card.name, card is not None and " ".join(card.tags)
        keep_hint = "Let it make room for newer ones again" if kept else "It never makes room for newer ones"
        return [
            button(
                0,
                "Kept" if kept else "Keep",
                lambda recording: self._say(recording, kept=not kept),
                keep_hint,
                primary=kept,
            ),
            stars,
            button(2, "Name …", self.ask_name, f"“{named}”: another name" if named else "Give it a name"),
            button(3, "Tags …", self.ask_tags, f"{tagged}: other tags" if tagged else "Words to find it by"),
            button(4, "Discard …", self.ask_discard, "Delete this recording"),
        ]

    def ask_name(self, recording: Recording) -> None:
        """Have a name typed."""
        hint = "Letters, digits and signs; empty for none"
        self._ask(
            "Name of this recording",
            recording.card.name,
            hint,
            NAME,
            lambda name: self._say(recording, name=check_name(name)),
        )

    def ask_tags(self, recording: Recording) -> None:
        """Have tags typed, with spaces or commas between them."""

        def say(tags: str) -> None:
            self._say(recording, tags=tuple(check_tag(tag) for tag in tags.replace(",", " ").split()))

        self._ask("Tags of this recording", " ".join(recording.card.tags), "Words with spaces between them", TAGS, say)

    def ask_discard(self, recording: Recording) -> None:
        """Have it confirmed, then delete the recording."""

        def discard() -> None:
            self._work(
                lambda: self._services.library.recordings().discard(recording), lambda _: self._discarded(recording)
            )

        question = f"Discard “{recording.card.name}”?" if recording.card.name else "Discard this recording?"
        detail = "The recording is deleted, with its card and its picture. It cannot be taken back."
        self._engine.push(routes.Confirm(question, detail, "Discard", discard))

    def _ask(self, title: str, value: str, hint: str, limit: int, say: Callable[[str], None]) -> None:
        def accept(text: str) -> None:
            try:
                say(text)
            except ValueError as error:
                self._refuse(error)
                self._ask(title, text, hint, limit, say)  # what was typed is mended, not typed again

        self._engine.push(routes.EnterText(title, value, accept, limit, hint))

    def _say(self, recording: Recording | None, **said: Any) -> None:
        if recording is not None:
            self._work(lambda: self._services.library.recordings().change(recording, **said), self._changed)

    def _work(self, job: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """One after the other, so that what is said last holds."""
        self._waiting.append((job, done))
        if len(self._waiting) == 1:
            self._next()

    def _next(self) -> None:
        if self._waiting:
            job, done = self._waiting[0]
            self._services.worker.submit(
                job, done=lambda out: self._end(lambda: done(out)), failed=self._fail, errors=(UserError, ValueError)
            )

    def _fail(self, error: BaseException) -> None:
        self._end(lambda: self._refuse(error))

    def _end(self, tell: Callable[[], None]) -> None:
        self._waiting.popleft()
        self._next()
        tell()

    def _refuse(self, error: BaseException) -> None:
        self._engine.say(str(error))
        self._engine.sound.play("warning")


STRIP = pygame.Rect(theme.MARGIN, 546, 1200, 42)
WIDTHS = (130, 120, 210, 130, 130, 148)
LABEL = 272
"""Pixels before the first button."""


class RecordingStrip:
    """Buttons for the recording of `outcome`, disabled until it is written."""

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
        look = {"size": theme.SMALL, "enabled": self._outcome.recording is not None, "hint": "Replay this match"}
        return [
            Button(rects[0], "Watch", self._watch, **look),  # type: ignore[arg-type]
            *self._editor.widgets(self._outcome.recording, rects[1:], size=theme.SMALL),
        ]

    def draw(self, canvas: pygame.Surface) -> None:
        """Draw the text before the buttons."""
        at = (STRIP.left, STRIP.centery)
        theme.draw_text(
            canvas, self._outcome.recording_words, at, colour=theme.MUTED, anchor="midleft", width=LABEL - theme.GAP
        )

    def _watch(self) -> None:
        if (recording := self._outcome.recording) is not None:
            self._engine.push(routes.Replay(recording.path, span=recording.card.span))
