"""The title screen, and when attract mode begins (ATTRACT_AFTER)."""

from __future__ import annotations

from agents.seats.controller import SeatChoice
from arcade.engine.input.events import InputEvent, MenuInput, PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Row
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host, Route
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.home.preview import Preview
from arcade.scenes.screens import Screen
from arcade.session.match.setup import WindowOptions
from arcade.session.people import seat_choice_of
from arcade.session.services import Services

ATTRACT_AFTER = 30.0
"""Seconds without input until games play by themselves."""

KEYS = N_("Move: W A S D, arrows or a gamepad's stick.  Jump: up, Space or A")


class TitleScene(Screen):
    """Enter, Space or a gamepad's A starts the featured game with that device in the first seat."""

    has_back = False
    legend = (("accept", N_("Choose")),)

    def __init__(self, services: Services, route: routes.Title) -> None:
        super().__init__(services, route)
        self._lineup = route.lineup
        self._pane = Preview(services)
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

    def body(self) -> Widget:
        return Row([self._menu(), self._picture()], gap=40, grow=1)

    def _menu(self) -> Widget:
        """The name of the arcade, and where one can go from here."""
        entries = (
            (_("Play {game}").format(game=self.game_title), self._play, _("You against AI, now")),
            (_("All games"), lambda: self._visit(routes.Games()), _("Every PettingZoo game, with a live picture")),
            (_("Training"), lambda: self._visit(routes.Runs()), _("Training runs: curves, opponent pool, controls")),
            (_("Recordings"), lambda: self._visit(routes.Recordings()), _("Every match played here, to replay")),
            (_("Ladder"), lambda: self._visit(routes.Ladder()), _("Ratings of people and AI")),
            (_("Settings"), self._settings, _("Display, key bindings, sound, people, recording")),
            (_("Quit"), self.engine.quit, _("Close the arcade")),
        )
        buttons = [Button(label, press, hint=hint, primary=not n) for n, (label, press, hint) in enumerate(entries)]
        self._first, self._quit = buttons[0], buttons[-1]
        name = [
            Label("PettingZoo", size=themes.HERO, bold=True, least=640),
            Label("Arcade", size=themes.HERO, bold=True, colour="focus", least=640),
            Paragraph(_("Play any game with friends or AI"), colour="muted"),
        ]
        return Column([Column(name, gap=0), Column(buttons, gap=7)], gap=24, grow=2)

    def _picture(self) -> Widget:
        """The featured game, and how to start it."""
        return Column([
            self._pane,
            Label(self._caption, size=themes.SMALL, colour="faint"),
            Label(self._prompt, size=themes.LARGE, bold=True, align="centre"),
            Label(self._prompt_words, size=themes.SMALL, colour="muted", align="centre"),
            Label(lambda: self.services.trainer_text, size=themes.SMALL, colour="green", align="centre"),
        ], grow=3)  # fmt: skip

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
        quit_button = self._quit
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

    def _caption(self) -> str:
        return _("{game}, playing by itself").format(game=self.game_title)

    def _prompt(self) -> str:
        if self._starting is None and self._lineup is None:
            return self.engine.bindings.fill_in(_("Press {enter}, {space} or a gamepad's {a} to play"))
        return _("Starting …")

    def _prompt_words(self) -> str:
        """The keys of the default game, or the summary of another one."""
        if self.services.opening.featured == WindowOptions().featured:
            return _(KEYS)
        featured = self.services.library.featured
        return featured.summary if featured is not None else ""

    def _play(self) -> None:
        self._starting = self._by

    def _visit(self, route: Route) -> None:
        if self.services.ready:
            self.engine.push(route)
        else:
            self.engine.say(_("One moment: the arcade is still loading"))

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
