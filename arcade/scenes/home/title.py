"""The title screen, and when attract mode begins (ATTRACT_AFTER)."""

from __future__ import annotations

import pygame

from agents.seats.controller import SeatChoice
from arcade.engine.input.events import InputEvent, MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import UNPLACED, Button, Widget, column
from arcade.engine.window.scene import Host, Route
from arcade.scenes import routes
from arcade.scenes.home.preview_pane import PreviewPane
from arcade.scenes.screen import Screen
from arcade.session.match.setup import WindowOptions
from arcade.session.people import seat_choice_of
from arcade.session.services import Services

ATTRACT_AFTER = 30.0
"""Seconds without input until games play by themselves."""

PICTURE = pygame.Rect(596, 120, 640, 360)
MENU = pygame.Rect(theme.MARGIN + 24, 300, 420, 46)
KEYS = "Move: W A S D, arrows or a gamepad's stick.  Jump: up, Space or A"


class TitleScene(Screen):
    """Enter, Space or a gamepad's A starts the featured game with that device in the first seat."""

    def __init__(self, services: Services, route: routes.Title) -> None:
        super().__init__(services, route)
        self._lineup = route.lineup
        self._pane = PreviewPane(services, PICTURE)
        self._starting: SeatChoice | None = None
        self._by = SeatChoice("keyboard")
        self._frames = 0
        self._touched_at: float | None = None  # None: since the last update

    @property
    def game_title(self) -> str:
        """The title of the featured game; made from its id until the catalogue is loaded."""
        if (featured := self.services.library.featured) is not None:
            return featured.title
        return self.services.opening.featured.rpartition("/")[2].partition("_v")[0].replace("_", " ").title()

    def widgets(self) -> list[Widget]:
        entries = (
            (f"Play {self.game_title}", self._play, "You against AI, now"),
            ("All games", lambda: self._visit(routes.Games()), "Every PettingZoo game, with a live picture of each"),
            ("Training", lambda: self._visit(routes.Runs()), "Training runs: curves, opponent pool, controls"),
            ("Recordings", lambda: self._visit(routes.Recordings()), "Every match that was played here, to replay"),
            ("Ladder", lambda: self._visit(routes.Ladder()), "Ratings of people and AI, and how certain they are"),
            ("Settings", self._settings, "Display, key bindings, sound, people, recording"),
            ("Quit", self.engine.quit, "Close the arcade"),
        )
        buttons = [Button(UNPLACED, label, press, hint=hint) for label, press, hint in entries]
        buttons[0].primary = True
        return column(buttons, MENU, gap=7)

    def handle(self, event: InputEvent) -> bool | None:
        self._touched_at = None
        if isinstance(event, MenuInput):
            self._by = seat_choice_of(event.device.word)
        elif isinstance(event, PointerInput) and event.kind == "press":
            self._by = SeatChoice("keyboard")
        return super().handle(event)

    def start(self, event: MenuInput) -> None:
        self._play()

    def back(self) -> None:
        """Focus Quit; a second press quits."""
        quit_button = self.focus.widgets[-1]
        if self.focus.focused is quit_button:
            self.engine.quit()
        else:
            self.focus.focus(quit_button)

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self.services.setup.best_of = 1  # one press, one match

    def resume(self) -> None:
        self.services.setup.best_of = 1
        self._starting = self._touched_at = None

    def update(self, now: float) -> None:
        super().update(now)
        self._frames += 1
        if self._frames == 2:  # the first frame is shown: now there is time to import
            self.services.warm_up()
        if self.services.ready:
            self._when_ready(now)
            self._attract(now)

    def draw_page(self, canvas: pygame.Surface) -> None:
        left = MENU.left
        theme.draw_text(canvas, "PettingZoo", (left, 68), size=theme.HERO, bold=True)
        theme.draw_text(canvas, "Arcade", (left, 142), size=theme.HERO, bold=True, colour=theme.ORANGE)
        text = "Play any game with friends or AI"
        theme.draw_text(canvas, text, (left, 246), colour=theme.MUTED, width=MENU.w + 60)
        self._pane.draw(canvas, f"{self.game_title}, playing by itself")
        self._draw_prompt(canvas)
        if text := self.services.trainer_text:
            self._draw_line(canvas, text, 640, theme.GREEN)

    def _draw_prompt(self, canvas: pygame.Surface) -> None:
        if self._starting is None and self._lineup is None:
            text = self.engine.bindings.fill_in("Press {enter}, {space} or a gamepad's {a} to play")
        else:
            text = "Starting …"
        middle = PICTURE.centerx
        theme.draw_text(canvas, text, (middle, 560), size=theme.LARGE, bold=True, anchor="center")
        self._draw_line(canvas, self._prompt_words(), 604, theme.MUTED)

    def _draw_line(self, canvas: pygame.Surface, text: str, y: int, colour: theme.Colour) -> None:
        at = (PICTURE.centerx, y)
        theme.draw_text(canvas, text, at, size=theme.SMALL, colour=colour, anchor="center", width=PICTURE.w)

    def _prompt_words(self) -> str:
        """The keys of the default game, or the summary of another one."""
        if self.services.opening.featured == WindowOptions().featured:
            return KEYS
        featured = self.services.library.featured
        return featured.summary if featured is not None else ""

    def _play(self) -> None:
        self._starting = self._by

    def _visit(self, route: Route) -> None:
        if self.services.ready:
            self.engine.push(route)
        else:
            self.engine.say("One moment: the arcade is still loading")

    def _settings(self) -> None:
        self.engine.push(routes.Settings())

    def _attract(self, now: float) -> None:
        """Show AI matches after a while without input."""
        self._touched_at = now if self._touched_at is None else self._touched_at
        is_left = now - self._touched_at > ATTRACT_AFTER
        if is_left and self.engine.scene is self and self.engine.settings.attract:
            self.engine.push(routes.Attract())

    def _when_ready(self, now: float) -> None:
        """Show the featured game, or start it if a player pressed for it."""
        featured = self.services.library.featured
        assert featured is not None
        if self._starting is None and self._lineup is None:
            self._pane.show(featured, now)
            return
        from arcade.session.seating import quick_lineup  # games take longer to import than the title may

        device, lineup = self._starting or self._by, self._lineup
        self._starting = self._lineup = None
        lineup = lineup or quick_lineup(featured, device, self.services.library.names(featured.id))
        self.engine.push(routes.Match(featured, lineup))
