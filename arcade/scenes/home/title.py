"""The home screen: continue, today's opponent, recent games; and when attract mode begins (ATTRACT_AFTER)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

import pygame

from agents.seats.controller import SeatChoice
from arcade.engine.input.events import InputEvent, MenuInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Grid, Row
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.theme import Size
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host, Route
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.dialogs.quitting import quit_arcade
from arcade.scenes.home.cards import GameCard, JobsButton, TrainingStrip
from arcade.scenes.home.preview import Preview
from arcade.scenes.screen import LOW, Screen
from arcade.session.match.setup import WindowOptions
from arcade.session.people import seat_choice_of
from arcade.session.player_names import LEVEL_WORDS
from arcade.session.services import Services

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.games.spec import GameSpec
    from arcade.scenes.home.game_pictures import GamePictures
    from arcade.session.player.book import PlayerSheet
    from arcade.session.player.suggestions import Challenge

ATTRACT_AFTER = 30.0
"""Seconds without input until games play by themselves."""

CARDS = 4
"""Games beside the menu, with today's opponent."""

KEYS = N_("Move: W A S D, arrows or a gamepad's stick.  Jump: up, Space or A")


class TitleScene(Screen):
    """Enter, Space or a gamepad's A continues the last game, or starts the featured one, with that device."""

    has_back = False
    legend = (("accept", N_("Choose")),)

    def __init__(self, services: Services, route: routes.Title) -> None:
        super().__init__(services, route)
        self._lineup = route.lineup
        self._pane = Preview(services)
        self._starting: SeatChoice | None = None
        self._wanted: Route | None = None  # the page that was chosen while the games were still loading
        self._frames = 0
        self._sleeps = False  # attract mode hides the page, until the first frame after it
        self._touched_at: float | None = None  # None: since the last update
        self._last = self._last_game()
        self._pictures: GamePictures | None = None
        self._today: Challenge | None = None  # once the player's matches are read
        self._today_done = False
        self._read_on: date | None = None  # the day for which they were

    @property
    def game(self) -> str:
        """The id of the game that the first button starts."""
        return self._last or self.services.opening.featured

    @property
    def game_title(self) -> str:
        """Its title; until the catalogue is loaded, the one of last time, else made from its id."""
        found = self.services.library.find(self.game) or self.services.library.featured
        if found is not None:
            return _(found.title)
        if self._last and (title := self.services.shelf.last_title):
            return _(title)
        return _(self.game.rpartition("/")[2].partition("_v")[0].replace("_", " ").title())

    def body(self) -> Widget:
        return Row([self._menu(), self._side()], gap=40, grow=1, align="start")

    def _menu(self) -> Widget:
        """The name of the arcade, and where one can go from here."""
        play, hint = (
            (_("Play {game} again"), _("The same players as last time"))
            if self._last
            else (_("Play {game}"), _("You against AI, now"))
        )
        places = (
            (_("Training"), routes.Runs(), _("Training runs: curves, opponent pool, controls")),
            (_("Recordings"), routes.Recordings(), _("Every match played here, to replay")),
            (_("Ladder"), routes.Ladder(), _("Ratings of people and AI")),
            (_("Profile"), routes.Profile(), _("Your matches, ratings and achievements")),
        )
        self._play_button = Button(play.format(game=self.game_title), self._play, hint=hint, primary=True, key="play")
        games = routes.Games()
        hint = _("Every PettingZoo game, with a live picture")
        leave = Button(_("Quit"), self._quit_unless_woken, hint=_("Close the arcade"))
        leave.is_apart = True
        hint_of_settings = _("Display, key bindings, sound, people, recording")
        buttons: list[Widget] = [
            self._play_button,
            Grid([
                self._place(_("All games"), games, hint),
                self._place(_("Play online"), routes.Online(), _("With people on other computers")),
            ], cell=190, most=2, gap=8),
            Grid([self._place(*place) for place in places], cell=190, most=2, gap=8),
            Grid([
                Button(_("Settings"), self._settings, hint=hint_of_settings),
                leave,
            ], cell=190, most=2, gap=8),
            JobsButton(self.services.jobs, lambda: self._visit(routes.Jobs())),
        ]  # fmt: skip
        is_low = self.theme.page[1] < LOW
        size = 36 if is_low else themes.HERO
        name: list[Widget | None] = [
            Label("PettingZoo", size=size, bold=True, least=400),
            Label("Arcade", size=size, bold=True, colour="focus", least=400),
            None if is_low else Paragraph(_("Play any game with friends or AI"), colour="muted"),
        ]
        return Column([
            Row(name[:2], stacks=False) if is_low else Column(name, gap=0), Column(buttons, gap=8),
        ], gap=12 if is_low else 24, grow=2)  # fmt: skip

    def _place(self, label: str, route: Route, hint: str) -> Button:
        return Button(label, lambda: self._visit(route, label), hint=hint)

    def _side(self) -> Widget:
        """The game that the first button starts, and other ones."""
        hint = _("Training runs: curves, opponent pool, controls")
        return Column([
            self._pane,
            Paragraph(self._prompt, bold=True, align="centre"),
            Paragraph(self._prompt_words, size=themes.SMALL, colour="muted", align="centre"),
            TrainingStrip(lambda: self.services.trainer_text, lambda: self._visit(routes.Runs()), hint=hint),
            Grid(self._cards(), cell=200, most=2) if self.services.ready else None,
        ], grow=3)  # fmt: skip

    def _cards(self) -> list[Widget]:
        """Today's opponent, the favourites, then the games played last."""
        cards: list[Widget] = []
        if (today := self._today) is not None:
            detail = _("Beaten: the {level} AI") if self._today_done else _("AI: {level}")
            hint = _("The same challenge for all players today; a new one tomorrow")
            title, detail = _(today.spec.title), detail.format(level=_(LEVEL_WORDS[today.level]))
            picture = self._picture_of(today.spec)
            cards.append(
                GameCard(_("Today’s challenge"), title, self._meet_today, picture=picture, detail=detail, hint=hint)
            )
        games, shelf = self.services.library.games, self.services.shelf
        captions = {spec.id: (_("Favourite"), spec) for spec in shelf.favourites(games)}
        captions |= {spec.id: (_("Recently played"), spec) for spec in shelf.recent(games) if spec.id not in captions}
        others = [entry for game, entry in captions.items() if game != self.game]
        return [*cards, *(self._card(*entry) for entry in others[: CARDS - len(cards)])]

    def _card(self, caption: str, spec: GameSpec) -> GameCard:
        return GameCard(
            caption, _(spec.title), lambda: self._visit(routes.Game(spec)), picture=self._picture_of(spec),
            hint=_(spec.summary),
        )  # fmt: skip

    def _picture_of(self, spec: GameSpec) -> Callable[[Size], pygame.Surface | None]:
        """Return what reads the picture of a game, which the page of all games makes."""
        if self._pictures is None:
            from arcade.scenes.home.game_pictures import GamePictures  # imports numpy

            self._pictures = GamePictures(self.services)
        return partial(self._pictures.get, spec)

    def handle(self, event: InputEvent) -> bool | None:
        self._touched_at = None
        return super().handle(event)

    @property
    def _by(self) -> SeatChoice:
        """The device used last, as the player's seat."""
        return seat_choice_of(self.engine.last_device.word)

    def start(self, event: MenuInput) -> None:
        self._play()

    def back(self) -> None:
        """Return to the first button: Esc or B pressed once too often must not close the arcade."""
        self._forget_wanted()
        if self.focus.focused is self._play_button:
            self.engine.say(_("To close the arcade, choose Quit"))
        else:
            self.focus.focus(self._play_button)

    def _quit_unless_woken(self) -> None:
        """Quit, but by no click on attract mode, which hid the button."""
        if not self._sleeps:
            quit_arcade(self.engine, self.services)

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self.services.setup.best_of = 1  # one press, one match

    def resume(self) -> None:
        self.services.setup.best_of = 1
        self._starting = self._touched_at = self._read_on = None
        self._forget_wanted()
        self._last = self._last_game()
        self.refresh()

    def update(self, now: float) -> None:
        super().update(now)
        self._sleeps = False
        self._frames += 1
        if self._frames == 2:  # the first frame is shown: now there is time to import
            self.services.warm_up()
        if self.services.ready:
            self._when_ready(now)
            self._attract(now)

    def _last_game(self) -> str:
        """Return the game to continue; "" for none, and where the arcade was opened with a game."""
        is_plain = self.services.opening.featured == WindowOptions().featured
        return self.services.shelf.last if is_plain else ""

    def _prompt(self) -> str:
        if self._starting is None and self._lineup is None:
            if self.focus.focused is not self._play_button:
                return self.game_title
            return self.engine.bindings.fill_in(_("Press {enter}, {space} or a gamepad's {a} to play"))
        return _("Starting …")

    def _prompt_words(self) -> str:
        """The keys of the default game, or the summary of another one."""
        if self.game == WindowOptions().featured:
            return _(KEYS)
        spec = self.services.library.find(self.game)
        return _(spec.summary) if spec is not None else ""

    def _play(self) -> None:
        self._forget_wanted()
        self._starting = self._by

    def _visit(self, route: Route, label: str = "") -> None:
        """Open a page; where the games are still loading, as soon as they are there."""
        self._starting = self._lineup = None
        if self.services.ready:
            self._forget_wanted()
            self.engine.push(route)
        else:
            self._wanted = route
            self.engine.say(_("{page} opens as soon as the games are loaded").format(page=label), about="wanted page")

    def _forget_wanted(self) -> None:
        self._wanted = None
        self.engine.toasts.forget(about="wanted page")

    def _settings(self) -> None:
        self._forget_wanted()
        self.engine.push(routes.Settings())

    def _attract(self, now: float) -> None:
        """Show AI matches after a while without input."""
        self._touched_at = now if self._touched_at is None else self._touched_at
        is_left = now - self._touched_at > ATTRACT_AFTER
        if is_left and self.engine.scene is self and self.engine.settings.attract:
            self._sleeps = True
            self.engine.push(routes.Attract())

    def _when_ready(self, now: float) -> None:
        """Show the game, or start it if a player pressed for it."""
        if self._wanted is not None and self.engine.scene is self:
            self._visit(self._wanted)
            return
        if self._read_on != date.today():
            self._read_player()
        spec = self._playable()
        if self._starting is None and self._lineup is None:
            self._pane.show(spec, now)
        elif spec.id not in self.services.library.snapshots:
            self.services.library.refresh_snapshots(spec.id)  # the next frames look again
        else:
            self._start(spec)

    def _playable(self) -> GameSpec:
        """Return the game to continue, or the featured one where it cannot be played any more."""
        from arcade.games import missing  # games take longer to import than the title may

        featured = self.services.library.featured
        assert featured is not None
        found = self.services.library.find(self.game) if self._last else featured
        if found is None or (self._last and missing(found)):
            self._last = ""
            self.refresh()
            return featured
        self.services.shelf.note_title(found.id, found.title)  # of games played before titles were noted
        return found

    def _start(self, spec: GameSpec) -> None:
        from arcade.scenes.match_start import open_quick_match  # games take longer to import than the title may

        device, lineup = self._starting or self._by, self._lineup
        self._starting = self._lineup = None
        open_quick_match(self, spec, device, lineup, repeats=bool(self._last))

    def _meet_today(self) -> None:
        assert self._today is not None
        spec, level = self._today.spec, SeatChoice("level", self._today.level)
        lineup = dict.fromkeys(spec.agents, level) | {spec.agents[0]: self._by}
        self.engine.push(routes.Match(spec, lineup))

    def _read_player(self) -> None:
        """Read the player's matches in the worker, for today's opponent."""
        day = self._read_on = date.today()

        def show(sheet: PlayerSheet) -> None:
            from arcade.session.player.suggestions import is_done

            self._today = today = sheet.today(self.services.library.games, day)
            self._today_done = today is not None and is_done(today, sheet.history, day)
            if self.engine.scene is self:
                self.refresh()

        self.services.players.read(self.services.people.owner.name, show)
