"""TutorialScene: the instructions of the tutorial over a running match, skipped by one press."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pygame

from arcade.engine.input.events import (
    DeviceAdded,
    DeviceRemoved,
    FocusLost,
    InputEvent,
    MenuInput,
    PointerInput,
    QuitAsked,
)
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Centred, Column, Panel, Row, Spacer
from arcade.engine.ui.texts import Label, Paragraph, Text
from arcade.engine.ui.theme import Size, Theme
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.language import _
from arcade.scenes import routes
from arcade.scenes.screen import LOW, Screen
from arcade.session.match.tutorial import STEPS, Step, Tutorial
from arcade.session.services import Services


class SteadyParagraph(Paragraph):
    """A changing text that is always as high as the highest one of `texts`, so that nothing else moves."""

    def __init__(self, text: Text, texts: Sequence[str], **look: Any) -> None:
        super().__init__(text, **look)
        self._texts = texts

    def natural(self, theme: Theme, width: int) -> Size:
        sizes = [self._picture(theme, text, width).get_size() for text in self._texts]
        return max(wide for wide, _high in sizes), max(high for _wide, high in sizes)


class TutorialScene(Screen):
    """Lies over the match, which gets the presses of the player and continues after the tutorial."""

    transparent = True
    updates_below = True
    passes_presses = True
    has_back = False
    bar: Widget

    def __init__(self, services: Services, route: routes.Tutorial) -> None:
        super().__init__(services, route)
        self._by = route.by
        self._shown = -1

    def enter(self, engine: Host) -> None:
        self.tutorial = Tutorial(_match_of(engine).spec.agents[0])
        super().enter(engine)

    def build(self) -> Widget:
        is_low = self.theme.page[1] < LOW
        skip = Button(self._skip_words, self.back, key="skip", size=themes.SMALL, height=36)
        progress = None if is_low else Label(self._progress, size=themes.SMALL, colour="muted")
        size = themes.SMALL if is_low else themes.BODY
        every = [self._words_of(step) for step in STEPS]
        words = SteadyParagraph(self._words, every, size=size, bold=True, grow=1, least=120)
        box = Panel(Row([progress, words, skip], gap=16, stacks=False), padding=8 if is_low else 14, edge="edge")
        self.bar = Panel(Centred(box, width=1000), padding=4 if is_low else 10, fill="")
        return Column([Spacer(), self.bar], gap=0)

    @property
    def covered(self) -> tuple[int, int]:  # type: ignore[override]
        return 0, self.bar.rect.h  # below the match, whose score and clock stay in sight

    def handle(self, event: InputEvent) -> bool | None:
        """Only what skips, and the mouse, is for this scene: all else belongs to the game."""
        if isinstance(event, MenuInput):
            is_key = event.action == "back" and event.device.kind == "keyboard"
            if not event.repeated and (event.action == "start" or is_key):
                self.back()
        elif isinstance(event, PointerInput):
            self.focus.handle(event)
        elif isinstance(event, DeviceAdded | DeviceRemoved | FocusLost | QuitAsked):
            self._below.handle(event)
        return None

    def back(self) -> None:
        """Leave the tutorial and its match; at the last instruction, which names the key, pause the match."""
        if not self._is_last:
            self.engine.reset_to(routes.Title())
            return
        below = self._below
        self.engine.pop()
        below.pause()

    @property
    def _is_last(self) -> bool:
        return self.tutorial.step is STEPS[-1]

    def resume(self) -> None:
        self._below.resume()

    def update(self, now: float) -> None:
        super().update(now)
        self.tutorial.update(now, self._below.session)
        if self._shown != self.tutorial.index:
            self._shown = self.tutorial.index
            self.engine.narrator.say(self._words())
        if self.tutorial.is_over and self.engine.scene is self:
            self.engine.pop()

    def rest(self, now: float) -> None:
        self._below.rest(now)

    def due_in(self, now: float) -> float:
        return float(self._below.due_in(now))

    def draw_behind(self, canvas: pygame.Surface) -> None:
        """Leave the match as it is."""

    @property
    def _below(self) -> Any:
        """The MatchScene below."""
        return _match_of(self.engine)

    def _words(self) -> str:
        """The present instruction, with the buttons of the player's device."""
        step = self.tutorial.step
        if self.tutorial.is_praised:
            return _("Well done!")
        return self._words_of(step)

    def _words_of(self, step: Step) -> str:
        text = _(step.pad_text if self._by.kind == "gamepad" else step.text)
        return self.engine.bindings.fill_in(text.replace("{pause}", self._pause_key()))

    def _progress(self) -> str:
        return f"{self.tutorial.index + 1}/{len(STEPS)}"

    def _skip_words(self) -> str:
        words = _("Pause: {key}") if self._is_last else _("Skip: {key}")
        return words.format(key=self._pause_key())

    def _pause_key(self) -> str:
        kind, action = ("gamepad", "start") if self._by.kind == "gamepad" else ("keyboard", "back")
        return next(iter(self.engine.bindings.menu(kind).labels(action)))


def _match_of(engine: Host) -> Any:
    return next(scene for scene in reversed(engine.scenes) if isinstance(scene.route, routes.Match))
