"""Game selection: search, sort, and a live preview of the selected game."""

from __future__ import annotations

import pygame

from agents.engines.engine import present_seats
from arcade.engine.input.events import MOUSE, InputEvent, KeyInput, MenuInput, PointerInput, TextInput
from arcade.engine.ui import theme
from arcade.engine.ui.menus import Item, ListMenu
from arcade.engine.ui.widgets import Button, Choice, Widget
from arcade.engine.window.scene import Host
from arcade.games import GameSpec, missing
from arcade.scenes import routes
from arcade.scenes.home.preview_pane import PreviewPane
from arcade.scenes.screen import Screen
from arcade.session.game_list import ORDERS, GameList, kind_of, opponent_text, players_of
from arcade.session.services import Services

SEARCH = pygame.Rect(theme.MARGIN, 92, 270, 46)
ORDER = pygame.Rect(theme.MARGIN + 282, 92, 178, 46)
LIST = pygame.Rect(theme.MARGIN, 152, 460, 46 * 11)
PICTURE = pygame.Rect(560, 114, 660, 400)
DETAILS = pygame.Rect(550, 560, 680, 100)


class SelectScene(Screen):
    """Typing searches; left and right sort, Tab or the shoulder buttons jump to the next group."""

    legend = (
        "Type: search    Left, right: sort    {tab} or {l}, {r}: next group    "
        "{enter}, {a} or click: choose    {esc} or {b}: back"
    )

    def __init__(self, services: Services, route: routes.Games) -> None:
        super().__init__(services, route)
        self._choose = route.choose
        self.heading = "Games" if route.choose is None else "Game to train"
        self.selection = GameList(services.library.games, selected=services.opening.featured)
        self._pane = PreviewPane(services, PICTURE)
        self._missing: dict[str, str] = {}
        self._opponents: dict[tuple[str, tuple[str, ...]], str] = {}  # by game and snapshots
        self._list = ListMenu(LIST, [])
        self._order = Choice(ORDER, "", ["by family"])
        self._by = MOUSE

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        engine.text_entry = True
        self.show_found()

    def resume(self) -> None:
        self.engine.text_entry = True

    def leave(self) -> None:
        self.engine.text_entry = False
        if self.services.preview is not None:
            self.services.preview.show(None, now=0.0)

    def widgets(self) -> list[Widget]:
        self._list = ListMenu(LIST, [], pick=self._pick, moved=self._moved)
        self._order = Choice(
            ORDER, "", [f"by {order.name}" for order in ORDERS], index=ORDERS.index(self.selection.order),
            change=self._sort, hint="Sort the games by family, players or teams",
        )  # fmt: skip
        ladder = Button((1240 - 252, 28, 120, 48), "Ladder", self._ladder, hint="Ratings of players at this game")
        return [self._list, self._order, ladder, self.back_button("To the title")]

    @property
    def spec(self) -> GameSpec | None:
        """The game that is selected."""
        return self.selection.selected

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, MenuInput):
            self._by = event.device
        elif isinstance(event, PointerInput) and event.kind == "press":
            self._by = MOUSE
        match event:
            case TextInput(text=text):
                if self.selection.query or text.strip():  # else the Space that opened this page
                    self.selection.query += text
                    self.show_found()
            case KeyInput(pressed=True, name="backspace"):
                self.selection.query = self.selection.query[:-1]
                self.show_found()
            case MenuInput(action="next" | "previous"):
                self.selection.move_group(1 if event.action == "next" else -1)
                self._list.select(self.selection.index)
            case MenuInput(action="left" | "right") if self.focus.focused is self._list:
                self._order.step(1 if event.action == "right" else -1)
                self.engine.sound.play("move")
            case _:
                return super().handle(event)
        return None

    def back(self) -> None:
        """Clear the search, then leave the page."""
        if self.selection.query:
            self.selection.query = ""
            self.show_found()
        else:
            super().back()

    def update(self, now: float) -> None:
        super().update(now)
        if self.engine.scene is self:
            spec = self.spec
            self._pane.show(spec, now, lacking=self._lacks(spec) if spec else "No game matches")

    def draw_page(self, canvas: pygame.Surface) -> None:
        query, box = self.selection.query, SEARCH
        text, colour = query or "type to search", theme.INK if query else theme.FAINT
        theme.draw_panel(canvas, box, fill=theme.PANEL, edge=theme.EDGE)
        theme.draw_text(canvas, text, (box.left + 18, box.centery), colour=colour, anchor="midleft", width=box.w - 110)
        count = f"{len(self.selection.found)} of {len(self.services.library.games)}"
        at = (box.right - 16, box.centery)
        theme.draw_text(canvas, count, at, size=theme.SMALL, colour=theme.FAINT, anchor="midright")
        self._pane.draw(canvas)
        if self.spec is not None:
            self._draw_details(canvas, self.spec)

    def _draw_details(self, canvas: pygame.Surface, spec: GameSpec) -> None:
        at = (DETAILS.left, DETAILS.top - 18)
        title = theme.draw_text(canvas, spec.title, at, size=theme.LARGE, bold=True, width=420)
        beside = (title.right + 16, title.bottom - 5)
        theme.draw_text(canvas, spec.id, beside, size=theme.SMALL, colour=theme.FAINT, anchor="bottomleft")
        summary = theme.paragraph(spec.summary, width=DETAILS.w, size=theme.BODY, colour=theme.MUTED)
        foot = (at[0], canvas.blit(summary, (at[0], at[1] + 40)).bottom + 6)
        words = "  ·  ".join(filter(None, (facts(spec), self._opponent(spec))))
        theme.draw_text(canvas, words, foot, size=theme.SMALL, colour=theme.BLUE, width=DETAILS.w)

    def _opponent(self, spec: GameSpec) -> str:
        """Return whom a newcomer meets; looked up once, and again when the snapshots were read."""
        library = self.services.library
        snapshots = library.names(spec.id)
        if (spec.id, snapshots) not in self._opponents:
            if spec.id not in library.snapshots:
                library.refresh_snapshots(spec.id)
            words = opponent_text(library.player_names(spec), snapshots, present_seats(spec.id))
            self._opponents[spec.id, snapshots] = words
        return self._opponents[spec.id, snapshots]

    def show_found(self) -> None:
        """List what matches the search."""
        found, group = self.selection.found, self.selection.order.group
        rows = [Item(spec.title, detail=group(spec), enabled=not self._lacks(spec)) for spec in found]
        self._list.set_items(rows, index=self.selection.index)

    def _sort(self, index: int) -> None:
        self.selection.sort(ORDERS[index])
        self.show_found()

    def _ladder(self) -> None:
        self.engine.text_entry = False
        self.engine.push(routes.Ladder(self.spec.id if self.spec is not None else ""))

    def _lacks(self, spec: GameSpec) -> str:
        """What must be installed to play the game; looked up once."""
        if spec.id not in self._missing:
            self._missing[spec.id] = missing(spec)
        text = self._missing[spec.id]
        return f"To play it:\n{text}" if text.startswith("pip ") else text

    def _moved(self, index: int) -> None:
        self.selection.select(self.selection.found[index].id)
        self.engine.sound.play("move")

    def _pick(self, index: int) -> None:
        self.selection.select(self.selection.found[index].id)
        spec = self.spec
        if spec is None or self._lacks(spec):
            return
        if self._choose is None:
            self.engine.text_entry = False
            self.engine.push(routes.Seats(spec, self._by))
        else:
            self.engine.pop()
            self._choose(spec)


def facts(spec: GameSpec) -> str:
    """Seats, teams and pace in one line."""
    sides = " against ".join(str(len(team)) for team in spec.teams) if kind_of(spec) == "teams" else kind_of(spec)
    pace = "turn by turn" if spec.turn_based else f"{spec.fps:g} ticks a second"
    return f"{players_of(spec)}  ·  {sides}  ·  {pace}"
