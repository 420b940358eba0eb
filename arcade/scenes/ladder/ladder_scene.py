"""LadderScene: the tabs of one game's ladder."""

from __future__ import annotations

from collections.abc import Callable

from agents.files import home
from agents.ladder.ratings.views import VIEWS
from agents.ladder.ratings.views.built_in import RATINGS, SCORES
from arcade.engine.input.events import InputEvent
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Panel, Row, Spacer
from arcade.engine.ui.texts import Paragraph
from arcade.engine.ui.widget import Widget
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.ladder.cycles_page import CyclesPage
from arcade.scenes.ladder.pages import GridPage, LadderPage, TablePage
from arcade.scenes.ladder.player_pages import CoursePage, PairPage
from arcade.scenes.screen import Screen, TabbedScreen
from arcade.session.ladder_book import LadderBook
from arcade.session.services import Services

DRAWN = ("ratings", "history", "matrix", "cross-play", "cycles")
"""The views with a page of their own; any other is shown as a table."""

HOW = N_(
    "Every finished match rates its players, people and AI alike: play one against AI or with a friend, hold a "
    "tournament, or train. The snapshots of a training are placed automatically."
)


class LadderScene(TabbedScreen[LadderPage]):
    """New results are shown as they come."""

    heading = N_("Ladder")

    def __init__(self, services: Services, route: routes.Ladder) -> None:
        super().__init__(services, route)
        self._pair = PairPage(self.meet, self._ask)
        self.pages = (
            TablePage(self.meet, RATINGS, SCORES, title=N_("Ratings"), plain=True), CoursePage(self.meet),
            GridPage(self.meet), self._pair, CyclesPage(self.meet),
            *(TablePage(self.meet, view) for view in VIEWS if view.name not in DRAWN),
        )  # fmt: skip
        self.page = self.pages[0]
        self._content: Widget = Spacer()  # of the page, below the tabs
        self._was_rated = False
        self._noticed = ""  # what was said about the file
        self._named = ""  # the game whose snapshots have names
        self.book = LadderBook(
            services.worker, home() / "ladder.sqlite", services.library, game=route.game, changed=self._show_book
        )  # fmt: skip

    def actions(self) -> list[Widget]:
        hint = _("AI players against each other, rated on the ladder")
        tournament = Button(_("Tournament"), self._hold_tournament, hint=hint, key="tournament")
        if not self.book.games:
            return [tournament]
        title = self.book.title(self.book.game)
        game = Button(title, self._ask_game, hint=_("Show the ladder of another game"), key="game")
        runs = Button(_("Training runs"), self._show_runs, hint=_("Trainings of this game"), key="runs")
        return [game, runs, tournament]

    def _show_runs(self) -> None:
        self.engine.push(routes.Runs(self.book.game))

    def head(self) -> Widget | None:
        return super().head() if self._is_rated and not self.book.trouble else None

    def body(self) -> Widget:
        if self._is_rated and not self.book.trouble:
            self._content = super().body()
            return self._content
        notice = Paragraph(self._notice, colour="warning" if self.book.trouble else "ink")
        is_empty = self.book.read and not self.book.trouble and (self.book.sheet or not self.book.games)
        play = Button(_("All games"), self._play, primary=True, hint=_("Choose a game and play the first match"))
        self._content = Panel(Column([notice, Row([play]) if is_empty else None], gap=24))
        return self._content

    def leave(self) -> None:
        self.book.close()

    def handle(self, event: InputEvent) -> bool | None:
        return super().handle(event) if self._is_rated else Screen.handle(self, event)

    def update(self, now: float) -> None:
        super().update(now)
        self.book.update(now)

    def meet(self, name: str, other: str) -> None:
        """Show the matches of two players against each other."""
        self._pair.show(name, other)
        self.turn_to(self._pair)

    @property
    def _notice(self) -> str:
        """The text in place of a page: an error, progress, or the way to the first ratings."""
        book = self.book
        title = book.title(book.game)
        if book.trouble or not book.read:
            return book.trouble or _("Reading the ladder …")
        if not book.games:
            return book.notice or _("No ratings yet.") + f"\n\n{_(HOW)}"
        if book.sheet is None:
            return _("Rating {game} …").format(game=title)
        return _("No rated match of {game} yet.").format(game=title) + f"\n\n{_(HOW)}"

    @property
    def _is_rated(self) -> bool:
        return self.book.sheet is not None and bool(self.book.sheet.names)

    @property
    def fitting(self) -> list[LadderPage]:
        return [page for page in self.pages if page.fits(self.book.sheet)]

    def _show_book(self) -> None:
        """Show new ratings on all pages; the focus stays where it is."""
        was_rated, self._was_rated = self._was_rated, self._is_rated
        if self._is_rated and self.book.notice not in ("", self._noticed):
            self._noticed = self.book.notice
            self.engine.say(self._noticed)
        for page in self.pages:
            page.set_sheet(self.book.sheet)
        if self.page not in self.fitting:
            self.page = self.pages[0]
        self.refresh()
        if not was_rated:
            self._focus_page()
        if self.book.game != self._named:
            self._named = self.book.game
            self.services.library.refresh_snapshots(self._named, done=self.book.name_again)

    def _focus_page(self) -> None:
        """Focus the first widget of the page, behind the tabs."""
        first = next((widget for widget in self._content.walk() if widget.can_focus), None)
        if first is not None:
            self.focus.focus(first, silently=True)

    def turn_to(self, page: LadderPage) -> None:
        super().turn_to(page)
        if self.focus.focused is None or self.focus.focused.key != "tabs":
            self._focus_page()

    def _ask_game(self) -> None:
        games = self.book.games
        titles = [self.book.title(game) for game in games]
        index = games.index(self.book.game) if self.book.game in games else 0
        self._ask(_("Game"), titles, index, lambda index: self._choose(games[index]))

    def _choose(self, game: str) -> None:
        self.book.choose(game)
        self._show_book()

    def _ask(self, title: str, options: list[str], index: int, done: Callable[[int], None]) -> None:
        self.engine.push(routes.Pick(title, options, index, done))

    def _hold_tournament(self) -> None:
        self.engine.push(routes.Tournament(self.services.library.find(self.book.game)))

    def _play(self) -> None:
        self.engine.pop()
        self.engine.return_to(routes.Games())
