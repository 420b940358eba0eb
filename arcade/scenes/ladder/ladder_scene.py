"""LadderScene: the tabs of one game's ladder."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from agents.files import home
from agents.ladder.ratings.views import VIEWS, facts_text
from agents.ladder.ratings.views.built_in import RATINGS, SCORES
from arcade.engine.input.events import InputEvent
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.engine.window.scene import Host
from arcade.scenes import routes
from arcade.scenes.ladder.pages import AREA, GridPage, LadderPage, TablePage
from arcade.scenes.ladder.player_pages import CoursePage, PairPage, RingsPage
from arcade.scenes.screen import Screen, TabbedScreen
from arcade.session.ladder_book import LadderBook
from arcade.session.services import Services

DRAWN = ("ratings", "history", "matrix", "cross-play", "cycles")
"""The views with a page of their own; any other is shown as a table."""

GAME = pygame.Rect(700, 28, 408, 48)
HOW = (
    "Every finished match rates its players, people and AI alike.\n\n"
    "Finish a match: against AI, or with a friend.\n"
    "Run a tournament: arcade ladder run GAME --entrant scripted --entrant random\n"
    "Train: the snapshots of a run are placed automatically."
)


class LadderScene(TabbedScreen[LadderPage]):
    """New results are shown as they come."""

    heading = "Ladder"
    first_tab = pygame.Rect(AREA.left, 92, 170, 46)

    def __init__(self, services: Services, route: routes.Ladder) -> None:
        super().__init__(services, route)
        self._pair = PairPage(self.meet, self._ask)
        self.pages = (
            TablePage(self.meet, RATINGS, SCORES), CoursePage(self.meet), GridPage(self.meet), self._pair,
            RingsPage(self.meet), *(TablePage(self.meet, view) for view in VIEWS if view.name not in DRAWN),
        )  # fmt: skip
        self.page = self.pages[0]
        self.book = LadderBook(
            services.worker, home() / "ladder.sqlite", services.library.games, game=route.game, changed=self._show_book
        )  # fmt: skip

    def widgets(self) -> list[Widget]:
        back = self.back_button()
        title = f"Game: {self.book.title(self.book.game)}"
        game = Button(GAME, title, self._ask_game, hint="Show the ladder of another game")
        others: list[Widget] = [game, back] if self.book.games else [back]
        if not self._is_rated:
            is_empty = self.book.read and not self.book.trouble and (self.book.sheet or not self.book.games)
            rect, hint = (AREA.left + 40, AREA.bottom - 88, 260, 56), "Choose a game and play the first match"
            play = Button(rect, "All games", self._play, primary=True, hint=hint)
            return [play, *others] if is_empty else others
        return [*self.tabs(), *others, *self.page.widgets()]

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self._focus_page()

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

    def draw_page(self, canvas: pygame.Surface) -> None:
        book = self.book
        if book.sheet is not None and self._is_rated and not book.trouble:
            at, words = (AREA.left, 162), "  ·  ".join(facts_text(book.sheet.standings))
            theme.draw_text(canvas, words, at, size=theme.SMALL, colour=theme.MUTED, anchor="midleft", width=AREA.w)
            self.page.draw(canvas)
            return
        theme.draw_panel(canvas, AREA)
        colour = theme.WARNING if book.trouble else None
        notice = theme.paragraph(self._notice, width=AREA.w - 80, colour=colour)
        canvas.blit(notice, (AREA.left + 40, AREA.top + 36))

    @property
    def _notice(self) -> str:
        """The text in place of a page: an error, progress, or the way to the first ratings."""
        book = self.book
        title = book.title(book.game)
        if book.trouble or not book.read:
            return book.trouble or "Reading the ladder …"
        if not book.games:
            return f"No ratings yet.\n\n{HOW}"
        return f"Rating {title} …" if book.sheet is None else f"No rated match of {title} yet.\n\n{HOW}"

    @property
    def _is_rated(self) -> bool:
        return self.book.sheet is not None and bool(self.book.sheet.names)

    @property
    def fitting(self) -> list[LadderPage]:
        return [page for page in self.pages if page.fits(self.book.sheet)]

    def _show_book(self) -> None:
        """Show new ratings on all pages; the focus stays where it is."""
        was_rated = len(self.focus.widgets) > 3
        for page in self.pages:
            page.set_sheet(self.book.sheet)
        if self.page not in self.fitting:
            self.page = self.pages[0]
        self.refresh()
        if not was_rated:
            self._focus_page()

    def _focus_page(self) -> None:
        """Focus the first widget of the page, behind the tabs."""
        own = self.page.widgets()
        first = next((widget for widget in self.focus.widgets if widget in own), self.focus.widgets[0])
        self.focus.focus(first, silently=True)

    def _ask_game(self) -> None:
        games = self.book.games
        titles = [self.book.title(game) for game in games]
        index = games.index(self.book.game) if self.book.game in games else 0
        self._ask("Game", titles, index, lambda index: self._choose(games[index]))

    def _choose(self, game: str) -> None:
        self.book.choose(game)
        self._show_book()

    def _ask(self, title: str, options: list[str], index: int, done: Callable[[int], None]) -> None:
        self.engine.push(routes.Pick(title, options, index, done))

    def _play(self) -> None:
        self.engine.pop()
        self.engine.return_to(routes.Games())
