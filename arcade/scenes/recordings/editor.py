"""RecordingEditor: buttons to keep, rate, name, tag and discard a recording; Stars: a rating of none to five."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pygame

from agents.errors import UserError
from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.controls import Button as KitButton
from arcade.engine.ui.layout import Column, Grid
from arcade.engine.ui.texts import Label
from arcade.engine.ui.widget import Widget as KitWidget
from arcade.engine.ui.widgets import Area, Button, Row, Widget
from arcade.engine.window.scene import Host
from arcade.language import _
from arcade.recordings.card import check_name, check_tag
from arcade.recordings.library import Recording
from arcade.scenes import routes
from arcade.session.match.outcome import MatchOutcome
from arcade.session.services import Services

MOST_STARS = 5


def draw_stars(canvas: pygame.Surface, rating: int, area: pygame.Rect, *, pitch: int) -> None:
    """Draw five stars in the middle of `area`, the first `rating` of them filled."""
    left = area.centerx - pitch * (MOST_STARS - 1) // 2
    for place in range(MOST_STARS):
        centre = pygame.Vector2(left + place * pitch, area.centery)
        points = [
            centre + pygame.Vector2(0, -pitch * (0.198 if tip % 2 else 0.44)).rotate(36 * tip) for tip in range(10)
        ]
        if place < rating:
            pygame.draw.polygon(canvas, theme.YELLOW, points)
        pygame.draw.aalines(canvas, theme.YELLOW if place < rating else theme.FAINT, True, points)


class Stars(Row):
    """The rating of a recording; a click on its last star removes that one."""

    def __init__(self, rect: Area, *, rating: int, change: Callable[[int], None], hint: str = "") -> None:
        super().__init__(rect, "", hint=hint)
        self.rating, self._change = rating, change

    def set(self, rating: int) -> None:
        """Set the rating, limited to 0 … 5."""
        rating = min(max(rating, 0), MOST_STARS)
        if rating != self.rating:
            self.rating = rating
            self._change(rating)

    def menu(self, event: MenuInput) -> bool:
        if event.action != "accept" or event.repeated:
            return False  # left and right move to the neighbours in the row
        self.set((self.rating + 1) % (MOST_STARS + 1))
        return True

    def pointer(self, event: PointerInput) -> bool:
        if event.kind == "wheel":
            self.set(self.rating + (1 if event.wheel > 0 else -1))
        elif event.kind == "press" and event.button == 1:
            place = (event.pos[0] - self.rect.centerx + self._pitch * MOST_STARS // 2) // self._pitch + 1
            self.set(place - 1 if place == self.rating else place)
        else:
            return False
        return True

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        if self.enabled:
            super().draw(canvas, focused=focused)
            return
        theme.draw_panel(canvas, self.rect, fill=theme.GROUND, edge=theme.RAISED)
        self.draw_value(canvas)

    def draw_value(self, canvas: pygame.Surface) -> None:
        draw_stars(canvas, self.rating, self.rect, pitch=self._pitch)

    @property
    def _pitch(self) -> int:
        return min(34, (self.rect.w - 16) // MOST_STARS)


NAME, TAGS = 60, 200
"""Most characters of a name, and of all tags."""


class RecordingEditor:
    """Writes each change in the worker, in order; `changed` gets the new recording, None once it is discarded."""

    def __init__(self, engine: Host, services: Services, *, changed: Callable[[Recording | None], None]) -> None:
        self._engine, self._services, self._changed = engine, services, changed
        self._waiting: deque[Callable[[], Recording | None]] = deque()  # the first is being written

    def widgets(self, recording: Recording | None, rects: Sequence[pygame.Rect]) -> list[Widget]:
        """Make the five widgets for `recording`, disabled without one."""
        card = recording.card if recording is not None else None
        kept = card is not None and card.kept
        name, tags = (card.name, " ".join(card.tags)) if card is not None else ("", "")
        keep_hint = "Allow its removal for newer recordings" if kept else "Never remove it for newer recordings"
        entries: Sequence[tuple[str, Callable[[Recording], None], str]] = (
            ("Kept" if kept else "Keep", lambda recording: self._change(recording, kept=not kept), keep_hint),
            ("Name …", self._ask_name, f"“{name}”: another name" if name else "Give it a name"),
            ("Tags …", self._ask_tags, f"{tags}: other tags" if tags else "Words to find it by"),
            ("Discard …", self._ask_discard, "Delete this recording"),
        )

        def press(action: Callable[[Recording], None]) -> None:
            if recording is not None:
                action(recording)

        keep, *others = (
            Button(rect, words, partial(press, action), enabled=card is not None, hint=hint, size=theme.SMALL)
            for rect, (words, action, hint) in zip((rects[0], *rects[2:]), entries, strict=True)
        )
        keep.primary = kept
        stars = Stars(
            rects[1], rating=card.rating if card is not None else 0,
            change=lambda rating: press(lambda recording: self._change(recording, rating=rating)),
            hint="How good this recording is: one more star with each press",
        )  # fmt: skip
        stars.enabled = card is not None
        return [keep, stars, *others]

    def buttons(self, recording: Recording | None) -> list[KitWidget]:
        """Make the buttons for `recording`, disabled without one."""
        card, is_there = (recording.card if recording is not None else None), recording is not None
        kept, rating = (card.kept, card.rating) if card is not None else (False, 0)

        def press(action: Callable[[Recording], None]) -> Callable[[], None]:
            return lambda: action(recording) if recording is not None else None

        keep_hint = _("Allow its removal for newer recordings") if kept else _("Never remove it for newer recordings")
        stars, more = "★" * rating + "☆" * (MOST_STARS - rating), (rating + 1) % (MOST_STARS + 1)
        entries: Sequence[tuple[str, Callable[[Recording], None], str]] = (
            (_("Kept") if kept else _("Keep"), lambda one: self._change(one, kept=not kept), keep_hint),
            (stars, lambda one: self._change(one, rating=more), _("How good it is: one more star with each press")),
            (_("Name …"), self._ask_name, _("Give it a name")),
            (_("Tags …"), self._ask_tags, _("Words to find it by")),
        )
        keep = [KitButton(words, press(action), enabled=is_there, hint=hint) for words, action, hint in entries]
        discard = press(self._ask_discard)
        hint = _("Delete this recording")
        return [*keep, KitButton(_("Discard …"), discard, enabled=is_there, danger=True, hint=hint)]

    def _ask_name(self, recording: Recording) -> None:
        def accept(name: str) -> None:
            self._change(recording, name=check_name(name))

        hint = "Letters, digits and signs; empty for none"
        self._engine.push(routes.EnterText("Name of this recording", recording.card.name, accept, NAME, hint))

    def _ask_tags(self, recording: Recording) -> None:
        def accept(tags: str) -> None:
            self._change(recording, tags=tuple(map(check_tag, tags.replace(",", " ").split())))

        title, hint = "Tags of this recording", "Words with spaces between them"
        self._engine.push(routes.EnterText(title, " ".join(recording.card.tags), accept, TAGS, hint))

    def _ask_discard(self, recording: Recording) -> None:
        def discard() -> None:
            self._write(lambda: self._services.library.recordings().discard(recording))

        question = f"Discard “{recording.card.name}”?" if recording.card.name else "Discard this recording?"
        detail = "The recording is deleted, with its card and its picture. This cannot be undone."
        self._engine.push(routes.Confirm(question, detail, "Discard", discard))

    def _change(self, recording: Recording, **changes: Any) -> None:
        self._write(lambda: self._services.library.recordings().change(recording, **changes))

    def _write(self, job: Callable[[], Recording | None]) -> None:
        """Write one change after the other, so that the last one counts."""
        self._waiting.append(job)
        if len(self._waiting) == 1:
            self._next()

    def _next(self) -> None:
        if self._waiting:
            self._services.worker.submit(self._waiting[0], done=self._end, failed=self._fail)

    def _end(self, recording: Recording | None) -> None:
        self._waiting.popleft()
        self._next()
        self._changed(recording)

    def _fail(self, error: BaseException) -> None:
        self._waiting.popleft()
        self._next()
        if not isinstance(error, UserError | ValueError):
            raise error
        self._engine.say(str(error))
        self._engine.sound.play("warning")


class RecordingStrip:
    """Buttons for the recording of `outcome`, disabled until it is written."""

    def __init__(self, engine: Host, services: Services, outcome: MatchOutcome) -> None:
        self._engine, self._outcome = engine, outcome
        self._editor = RecordingEditor(engine, services, changed=self._show)

    def widget(self) -> KitWidget:
        """Make the text and its buttons."""
        is_there, hint = self._outcome.recording is not None, _("Replay this match")
        watch = KitButton(_("Watch"), self._watch, enabled=is_there, hint=hint)
        buttons = [watch, *self._editor.buttons(self._outcome.recording)]
        return Column([Label(_(self._outcome.recording_text), colour="muted"), Grid(buttons, cell=110)], gap=8)

    def _watch(self) -> None:
        if (recording := self._outcome.recording) is not None:
            self._engine.push(routes.Replay(recording.path, span=recording.card.span))

    def _show(self, recording: Recording | None) -> None:
        if recording is not None:
            self._outcome.show_recording(recording)
        else:
            self._outcome.drop_recording("Discarded")
