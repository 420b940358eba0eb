"""Games: a grid of tiles with search, filters, favourites and recent games."""

from __future__ import annotations

from functools import partial

import pygame

from arcade import language
from arcade.engine.input.events import InputEvent, KeyInput, MenuInput, TextInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button, TextField
from arcade.engine.ui.layout import Column, Grid, Row
from arcade.engine.ui.tabs import Tabs
from arcade.engine.ui.theme import Size
from arcade.engine.ui.tiles import TileGrid, TileText
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.games import GameSpec, missing
from arcade.language import N_, _, ngettext
from arcade.scenes import routes
from arcade.scenes.foot import WIDE
from arcade.scenes.home.cards import JobsButton
from arcade.scenes.home.game_pictures import GamePictures
from arcade.scenes.screen import Screen
from arcade.session.game_filters import FILTERS, GameFilter, counts
from arcade.session.game_list import ORDERS, GameList, opponent_text, short_facts
from arcade.session.people import seat_choice_of
from arcade.session.seating import last_lineup, open_seating, opponent_of
from arcade.session.services import Services

LONGEST = 120
"""Letters of a hint that fit into two lines at the foot."""

SHELVES = (N_("All games"), N_("Favourites"), N_("Recent"))
EMPTY = (
    N_("No game matches. Clear the search or the filters."),
    N_("No favourites here yet. Press F2, or Select on a gamepad, on a game."),
    N_("No recent games here."),
)


class SelectScene(Screen):
    """Typing searches; F2 or a gamepad's Select marks favourites."""

    heading = N_("Games")
    legend = (("switch", N_("Favourite")), ("accept", N_("Choose")), ("back", N_("Back")))

    def __init__(self, services: Services, route: routes.Games) -> None:
        super().__init__(services, route)
        self._choose = route.choose
        self.heading = route.heading or self.heading
        games, recent = services.library.games, services.shelf.recent(services.library.games)
        last = services.setup.last_game or (recent[0].id if recent else services.opening.featured)
        self.selection = GameList(games, selected=last)
        self.selection.levelled = {spec.id for spec in games if spec.has_levels}
        self.pictures = GamePictures(services)
        self._shelf = 0
        self._missing: dict[str, str] = {}
        self._opponents: dict[tuple[object, ...], str] = {}  # by what they depend on

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        engine.text_entry = True
        self.focus.focus(self.grid, silently=True)
        self.services.worker.submit(self._find_levelled, done=self._take_levelled)

    def resume(self) -> None:
        self.engine.text_entry = True
        self._opponents.clear()  # others may have been chosen there
        self.refresh()

    def leave(self) -> None:
        self.engine.text_entry = False
        self.pictures.close()

    @property
    def spec(self) -> GameSpec | None:
        """The game that is selected."""
        return self.selection.selected

    # The page

    def actions(self) -> list[Widget]:
        if self._choose is not None:
            return []
        jobs = JobsButton(self.services.jobs, lambda: self.engine.push(routes.Jobs()))
        return [jobs, Button(_("Ladder"), self._ladder, hint=_("Ratings of players at the selected game"))]

    def body(self) -> Widget:
        found = self.selection.found
        self.grid = TileGrid(
            [self._tile(spec) for spec in found], picture=lambda place, size: self._picture(found[place], size),
            press=lambda place: self._pick(found[place]), moved=lambda place: self._moved(found[place]),
            hint_of=lambda place: self._hint(found[place]), index=self.selection.index, cell=270,
            empty=_(EMPTY[self._shelf]),
        )  # fmt: skip
        return Column([self._search_row(), self._filter_row(), self.grid], grow=1)

    def _search_row(self) -> Widget:
        count = len(self.selection.found)
        words = ngettext("Type to search {count} game", "Type to search {count} games", count).format(count=count)
        search = TextField(
            "", value=lambda: self.selection.query, press=self._press_search, key="search", grow=1,
            placeholder=words, hint=_("Type any part of a title, a family or a number of players"),
        )  # fmt: skip
        clear = Button(_("Clear"), self._clear, hint=_("Search for nothing"), key="clear")
        tabs = Tabs(
            [_(title) for title in SHELVES], index=self._shelf, turn=self._turn_to, hint=_("F2 marks a favourite")
        )
        return Row([search, clear if self.selection.query else None, tabs])

    def _filter_row(self) -> Widget:
        filters = [self._filter_button(one) for one in FILTERS]
        order = Button(_(self.selection.order.label), self._ask_order, hint=_("Sort the games"), key="order", height=42,
                       size=themes.SMALL)  # fmt: skip
        return Grid([*filters, order], cell=216, gap=8)

    def _filter_button(self, one: GameFilter) -> Button:
        chosen = self.selection.filters.get(one.name, "")
        label = one.option(chosen).label if chosen else one.label
        return Button(
            _(label), partial(self._ask_filter, one), chosen=bool(chosen), key=one.name, height=42, size=themes.SMALL,
            hint=_("Show only some of the games"),
        )  # fmt: skip

    def _tile(self, spec: GameSpec) -> TileText:
        mark = _("Favourite") if self.services.shelf.is_favourite(spec.id) else ""
        return TileText(_(spec.title), short_facts(spec), mark, enabled=not self._lacks(spec))

    def _picture(self, spec: GameSpec, size: Size) -> pygame.Surface | None:
        return self.pictures.get(spec, size)

    def _hint(self, spec: GameSpec) -> str:
        if lacks := self._lacks(spec):
            return lacks
        if self.theme.page[0] < WIDE:
            return self._opponent(spec) or _(spec.summary)
        words = "  ".join(filter(None, (_(spec.summary), self._opponent(spec))))
        return words if len(words) <= LONGEST else _(spec.summary)

    # Input

    def handle(self, event: InputEvent) -> bool | None:
        self.pictures.touch()
        match event:
            case TextInput(text=text):
                if self.selection.query or text.strip():  # else the Space that opened this page
                    self._search(self.selection.query + text)
            case KeyInput(pressed=True, name="backspace"):
                self._search(self.selection.query[:-1])
            case KeyInput(pressed=True, name="delete"):
                self._clear()
            case MenuInput(action="switch", repeated=False):
                self._mark()
            case MenuInput(action="down") if self.selection.query and self._is_at_foot:
                pass  # from what was typed down leads to the games found, where the focus is, and not round to the top
            case _:
                return super().handle(event)
        return None

    @property
    def _is_at_foot(self) -> bool:
        return self.focus.focused is self.grid and self.grid.in_last_row

    def back(self) -> None:
        """Clear the search, then leave the page."""
        if self.selection.query:
            self._clear()
        else:
            super().back()

    def update(self, now: float) -> None:
        super().update(now)
        if self.engine.scene is self:
            found = self.selection.found
            seen = [found[place] for place in self.grid.visible if place < len(found)]
            self.pictures.update(now, [spec for spec in (*seen, *found) if not self._lacks(spec)], self.theme)

    # Search, filters, order

    def _search(self, query: str) -> None:
        self.selection.search(query)
        self.show_found()
        clear = next((widget for widget in self.focus.widgets if widget.key == "clear"), None)
        target = self.grid if self.selection.found or clear is None else clear
        self.focus.focus(target, silently=True)  # typed text ends with Enter
        if field := next((widget for widget in self.focus.widgets if widget.key == "search"), None):
            self.tree.reveal(field)  # on a small page the tiles would push it out of sight
        self.read_focus(query)

    def _clear(self) -> None:
        self._search("")

    def _press_search(self) -> None:
        """A keyboard types at once; a gamepad needs keys on the screen."""
        if self.engine.last_device.kind == "gamepad":
            self.engine.push(routes.EnterText(_("Search"), self.selection.query, self._search, adds=True))
        elif self.engine.last_device.kind == "keyboard":
            self.focus.focus(self.grid)

    def show_found(self) -> None:
        """List what matches search and filters."""
        self.refresh()

    def _turn_to(self, shelf: int) -> None:
        self._shelf = shelf
        self._show_shelf()

    def _show_shelf(self) -> None:
        games, shelf = self.services.library.games, self.services.shelf
        ids = (None, shelf.favourites(games), shelf.recent(games))[self._shelf]
        self.selection.shelf = None if ids is None else [spec.id for spec in ids]
        self.show_found()

    def _ask_filter(self, one: GameFilter) -> None:
        left = counts(self.services.library.games, self.selection.filters, one.name, self.selection.levelled)
        names = ["", *(option.name for option in one.options)]
        words = [
            _("{option} ({count})").format(option=_(option.label), count=left[option.name]) for option in one.options
        ]
        now = names.index(self.selection.filters.get(one.name, ""))
        self.engine.push(
            routes.Pick(_(one.label), [_("All games"), *words], now, lambda at: self._filter(one, names[at]))
        )

    def _filter(self, one: GameFilter, option: str) -> None:
        self.selection.filters[one.name] = option
        self.show_found()

    def _ask_order(self) -> None:
        now = ORDERS.index(self.selection.order)
        self.engine.push(routes.Pick(_("Sort the games"), [_(order.label) for order in ORDERS], now, self._sort))

    def _sort(self, index: int) -> None:
        self.selection.sort(ORDERS[index])
        self.show_found()

    # Games

    def _find_levelled(self) -> set[str]:
        """In the worker: the games with snapshots, which play the difficulty levels."""
        return {card.game for card in self.services.library.store().list()}

    def _take_levelled(self, games: set[str]) -> None:
        self.selection.levelled = {*self.selection.levelled, *games}

    def _opponent(self, spec: GameSpec) -> str:
        """Return whom one meets; looked up once, and again when the snapshots were read or another page was shown."""
        library, device = self.services.library, self.engine.last_device.word
        snapshots, status = library.names(spec.id), self.services.trainer_status
        key = language.present(), spec.id, snapshots, status is not None and status.game == spec.id, device
        if key not in self._opponents:
            if spec.id not in library.snapshots:
                library.refresh_snapshots(spec.id)
            last = last_lineup(self.services, spec, seat_choice_of(device))
            met = opponent_of(open_seating(self.services, spec, last))
            self._opponents[key] = opponent_text(library.player_names(spec), met)
        return self._opponents[key]

    def _lacks(self, spec: GameSpec) -> str:
        """What must be installed to play the game; looked up once."""
        if spec.id not in self._missing:
            self._missing[spec.id] = missing(spec)
        text = self._missing[spec.id]
        return _("To play it: {command}").format(command=text) if text.startswith("pip ") else text

    def _moved(self, spec: GameSpec) -> None:
        self.selection.select(spec.id)
        self.engine.sound.play("move")

    def _mark(self) -> None:
        if (spec := self.spec) is not None:
            self.services.shelf.mark(spec.id, not self.services.shelf.is_favourite(spec.id))
            self._show_shelf()

    def _ladder(self) -> None:
        self._leave_for(routes.Ladder(self.spec.id if self.spec is not None else ""))

    def _pick(self, spec: GameSpec) -> None:
        if self._lacks(spec):
            return
        self.selection.select(spec.id)
        self.services.setup.last_game = spec.id
        if self._choose is None:
            self.selection.query = ""  # found: nothing of it is left on the way back
            self._leave_for(routes.Game(spec))
        else:
            self.engine.pop()
            self._choose(spec)

    def _leave_for(self, route: routes.Game | routes.Ladder) -> None:
        self.engine.text_entry = False
        self.pictures.close()
        self.engine.push(route)
