"""Title: one press away from playing."""

from __future__ import annotations

import pygame

from agents.seats.choice import SeatChoice
from arcade.engine.input.events import InputEvent, MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.engine.window.scene import Host
from arcade.scenes import routes
from arcade.scenes.home.preview_pane import PreviewPane
from arcade.scenes.screen import Screen
from arcade.session.match.devices import hand_of
from arcade.session.options import WindowOptions
from arcade.session.services import Services

ATTRACT_AFTER = 30.0
"""Seconds without a touch after which games play by themselves."""

PICTURE = pygame.Rect(596, 120, 640, 360)
MENU = pygame.Rect(theme.MARGIN + 24, 300, 420, 46)
ENTRIES, PITCH = 7, 53
KEYS = "W A S D, the arrows or a gamepad's stick move you; up, Space or A jumps"


class TitleScene(Screen):
    """Enter, Space or a pad's A starts the featured game with whoever pressed it in the first seat."""

    def __init__(self, services: Services, route: routes.Title) -> None:
        super().__init__(services, route)
        self._lineup = route.lineup
        self._pane = PreviewPane(services, PICTURE)
        self._starting: SeatChoice | None = None
        self._by = SeatChoice("keyboard")
        self._frames = 0
        self._touched_at: float | None = None  # None: now, whenever that is

    @property
    def game_title(self) -> str:
        """The featured game's name, from its id until the catalogue is there."""
        if self.services.library.featured is not None:
            return self.services.library.featured.title
        return self.services.opening.featured.rpartition("/")[2].partition("_v")[0].replace("_", " ").title()

    def widgets(self) -> list[Widget]:
        rows = [MENU.move(0, place * PITCH) for place in range(ENTRIES)]
        return [
            Button(rows[0], f"Play {self.game_title}", self._play, primary=True, hint="You against the machine, now"),
            Button(rows[1], "All games", self._games, hint="Every PettingZoo game, with a live picture of each"),
            Button(rows[2], "Training", self._training, hint="Runs that train: curves, pool, orders; and new ones"),
            Button(rows[3], "Recordings", self._recordings, hint="Every match that was played here, to see it again"),
            Button(
                rows[4], "Ladder", self._ladder, hint="Who is how strong, people and machines, and how sure that is"
            ),
            Button(
                rows[5],
                "Settings",
                self._settings,
                hint="Colours and sizes, keys and buttons, sound, names, what is recorded",
            ),
            Button(rows[6], "Quit", self.engine.quit, hint="Close the arcade"),
        ]

    def handle(self, event: InputEvent) -> bool | None:
        self._touched_at = None
        if isinstance(event, MenuInput):
            self._by = hand_of(event.device.word)
        elif isinstance(event, PointerInput) and event.kind == "press":
            self._by = SeatChoice("keyboard")
        return super().handle(event)

    def start(self, event: MenuInput) -> None:
        self._play()

    def back(self) -> None:
        """On the title nothing lies behind: the focus goes to Quit, a second press leaves."""
        quit_button = self.focus.widgets[-1]
        if self.focus.focused is quit_button:
            self.engine.quit()
        else:
            self.focus.focus(quit_button)

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self.services.setup.best_of = 1  # whoever is back here begins anew: one press, one match

    def resume(self) -> None:
        self.services.setup.best_of = 1
        self._starting = self._touched_at = None

    def update(self, now: float) -> None:
        super().update(now)
        self._frames += 1
        if self._frames == 2:  # the first picture is out: now there is time to import
            self.services.warm_up()
        if self.services.ready:
            self._when_ready(now)
            self._attract(now)

    def draw_page(self, canvas: pygame.Surface) -> None:
        left = MENU.left
        theme.draw_text(canvas, "PettingZoo", (left, 68), size=theme.HERO, bold=True)
        theme.draw_text(canvas, "Arcade", (left, 142), size=theme.HERO, bold=True, colour=theme.ORANGE)
        words = "People and policies in any seat of any game"
        theme.draw_text(canvas, words, (left, 246), colour=theme.MUTED, width=MENU.w + 60)
        self._pane.draw(canvas, f"{self.game_title}, playing by itself")
        self._draw_prompt(canvas)
        if words := self.services.trainer.words:
            self._draw_line(canvas, words, 640, theme.GREEN)

    def _draw_prompt(self, canvas: pygame.Surface) -> None:
        if self._starting is None and self._lineup is None:
            words = self.engine.bindings.tell("Press {enter}, {space} or a gamepad's {a} to play")
        else:
            words = "Starting …"
        middle = PICTURE.centerx
        theme.draw_text(canvas, words, (middle, 560), size=theme.LARGE, bold=True, anchor="center")
        self._draw_line(canvas, self._prompt_words(), 604, theme.MUTED)

    def _draw_line(self, canvas: pygame.Surface, words: str, y: int, colour: theme.Colour) -> None:
        at = (PICTURE.centerx, y)
        theme.draw_text(canvas, words, at, size=theme.SMALL, colour=colour, anchor="center", width=PICTURE.w)

    def _prompt_words(self) -> str:
        """The keys of the game that everybody starts with; of another one what it is about."""
        if self.services.opening.featured == WindowOptions().featured:
            return KEYS
        return self.services.library.featured.summary if self.services.library.featured is not None else ""

    def _play(self) -> None:
        self._starting = self._by

    def _games(self) -> None:
        if self.services.ready:
            self.engine.push(routes.Games())
        else:
            self.engine.say("One moment: the games are being counted")

    def _training(self) -> None:
        if self._is_set_up():
            self.engine.push(routes.Runs())

    def _recordings(self) -> None:
        if self._is_set_up():
            self.engine.push(routes.Recordings())

    def _ladder(self) -> None:
        if self._is_set_up():
            self.engine.push(routes.Ladder())

    def _is_set_up(self) -> bool:
        if not self.services.ready:
            self.engine.say("One moment: the arcade is still being set up")
        return self.services.ready

    def _settings(self) -> None:
        self.engine.push(routes.Settings())

    def _attract(self, now: float) -> None:
        """Nobody touches anything: the machines play."""
        self._touched_at = now if self._touched_at is None else self._touched_at
        is_left = now - self._touched_at > ATTRACT_AFTER
        if is_left and self.engine.scene is self and self.engine.settings.attract:
            self.engine.push(routes.Attract())

    def _when_ready(self, now: float) -> None:
        """The catalogue is there: show the featured game, and start it if somebody asked already."""
        featured = self.services.library.featured
        assert featured is not None
        if self._starting is None and self._lineup is None:
            self._pane.show(featured, now)
            return
        from arcade.session.seating import quick_lineup  # games take longer to import than the title may

        who, lineup = self._starting or self._by, self._lineup
        self._starting = self._lineup = None
        lineup = lineup or quick_lineup(featured, who, self.services.library.names(featured.id))
        self.engine.push(routes.Match(featured, lineup))
