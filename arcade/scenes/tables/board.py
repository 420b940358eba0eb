"""BoardTable: the grid of a board game with its labels, cursor, legal places, mouse input and smooth marks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import pygame

from agents.seats.controller import AgentID
from arcade import language
from arcade.controls.boards import Place
from arcade.controls.cursor import Cursor
from arcade.controls.cursor_controller import CursorController
from arcade.engine.input.events import Point, PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Colour, Theme
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.match.stage.tick import View
from arcade.scenes.pictograms.pen import Pen
from arcade.scenes.tables.lettering import grown, units
from arcade.scenes.tables.table import GameTable

LABELLED = 20  # units of a place; rows and columns of smaller places have no labels
SIDE = 96  # units beside the board for players and news; a narrower side stays empty
ROWS = 10  # of the newest moves beside the board
TILE: Colour = (128, 112, 104)  # behind pieces beside the board: light and dark ones stand out from it


class BoardTable(GameTable):
    """A grid of square places in the middle of its area, repainted only when something changes."""

    smallest = (0, 0)
    columns, rows = 8, 8
    column_labels = ""  # a letter a column, from the left
    rows_numbered = False  # from the bottom up
    foot = 0.0  # room below the board, in places
    edge = 0.0  # width of the board's frame, in places

    def __init__(self, spec: GameSpec) -> None:
        super().__init__(spec)
        self.cell = 0  # pixels a place
        self.origin: Point = (0, 0)  # of the picture on the canvas
        self.grid = pygame.Rect(0, 0, 0, 0)  # the places, without labels
        self.size = 0, 0  # of the picture
        self.turned = False  # seen from the second player's side
        self.view: View = {}
        self.before: View = {}  # the view before this one
        self._margin, self._label = 0, 0  # pixels around the places, and of the labels' text
        self._picture: pygame.Surface | None = None
        self._painted: tuple[Any, ...] = ()
        self._pressed: Place | None = None  # where a drag began
        self._pointed: Point | None = None  # where the mouse is, while a piece hangs on it

    def spoken(self, view: View) -> str:
        """Name each side's pieces with their places: "White: king e1, rook h1. Black: king e8"."""
        sides: dict[AgentID, list[str]] = {agent: [] for agent in self.spec.agents}
        for agent, words in self.pieces_on(view):
            sides[agent].append(words)
        nothing = _("nothing")
        listed = (f"{self.spec.seat_title(agent)}: {', '.join(all_) or nothing}" for agent, all_ in sides.items())
        return ". ".join(listed)

    def spoken_cursor(self, view: View, cursor: Cursor) -> str:
        """Name the piece and the place: "White: pawn e2", "e4"; beside the board the action: "pass"."""
        column, row = self.aim(cursor.at)
        if cursor.asking or row >= self.rows:
            return super().spoken_cursor(view, cursor)
        place = self.place_name(row * self.columns + column)
        here = (f"{self.title(agent)}: {words}" for agent, words in self.pieces_on(view)
                if words == place or words.endswith(f" {place}"))  # fmt: skip
        return next(here, place)

    def aim(self, place: Place) -> Place:
        """Return the place that a press on `place` is for."""
        return place

    def pieces_on(self, view: View) -> Iterator[tuple[AgentID, str]]:
        """Yield the seat of each piece, and the piece with its place in words."""
        return iter(())

    def place_name(self, index: int) -> str:
        """Name a place as players do: "e4"."""
        row, column = divmod(index, self.columns)
        return f"{self.column_labels[column]}{self.rows - row}"

    def show(self, canvas: pygame.Surface, area: pygame.Rect, view: View, chooser: CursorController | None) -> None:
        if view is not self.view:
            self.before, self.view = self.view, view
            self.take(view)
        self.turned = self.seen_from_behind() != self.flipped
        if chooser is not None:
            chooser.cursor.turned = self.turned
        choice = () if chooser is None else (chooser.seat, chooser.cursor.at, chooser.cursor.path, chooser.cursor.lit)
        look = (view, area.size, self.turned, self.theme, language.version, self._lifted(chooser), *choice)
        if self._picture is None or look[1:] != self._painted[1:] or look[0] is not self._painted[0]:
            self._painted = look
            self._paint(area, chooser)
        assert self._picture is not None
        canvas.blit(self._picture, area)
        self.origin = area.topleft
        self._draw_dragged(canvas, chooser)

    def place_at(self, pos: Point) -> Place | None:
        """Return the place at `pos` of the last canvas; None beside the board."""
        if not self.cell:
            return None
        x, y = pos[0] - self.origin[0] - self.grid.left, pos[1] - self.origin[1] - self.grid.top
        column, row = x // self.cell, y // self.cell
        on_board = 0 <= column < self.columns and 0 <= row < self.rows
        return self._turn((column, row)) if on_board else None

    def pointer(self, event: PointerInput, chooser: CursorController) -> bool:
        """Press a place with a click, or both ends of a drag; the right button takes a press back."""
        place = self.answer_at(event.pos) if chooser.cursor.asking else self.place_at(event.pos)
        if event.kind == "press" and event.button == 3:
            chooser.cancel()
            return True
        if event.kind == "press" and event.button == 1 and (place is not None or chooser.cursor.asking):
            self._pressed, self._pointed = place, None
            chooser.press((-1, -1) if place is None else place)  # beside the answers: take the square back
        elif event.kind == "release" and event.button == 1 and not chooser.cursor.asking:
            self._drop(place, chooser)
        elif event.kind == "move":
            self._pointed = event.pos
            if place is not None:
                chooser.point_at(place)
        return place is not None and event.kind != "wheel"  # that turns the list of moves

    @abstractmethod
    def paint_board(self, picture: pygame.Surface) -> None:
        """Paint the empty board."""

    @abstractmethod
    def paint(self, picture: pygame.Surface, view: View, chooser: CursorController | None) -> None:
        """Paint the pieces; the cursor and the legal places follow."""

    def take(self, view: View) -> None:
        """Note a new view before it is drawn."""

    def piece_at(self, place: Place) -> pygame.Surface | None:
        """Return the picture of the piece that can be dragged from a place."""
        return None

    def _lifted(self, chooser: CursorController | None) -> Place | None:
        """Return the place from which a piece hangs on the mouse: paint it empty."""
        is_held = chooser is not None and self._pressed is not None and chooser.cursor.path == (self._pressed,)
        return self._pressed if is_held and self._pointed is not None else None

    def _draw_dragged(self, canvas: pygame.Surface, chooser: CursorController | None) -> None:
        """Draw the piece that hangs on the mouse under the pointer."""
        place = self._lifted(chooser)
        piece = self.piece_at(place) if place is not None else None
        if piece is not None and self._pointed is not None:
            canvas.blit(piece, piece.get_rect(center=self._pointed))

    def seen_from_behind(self) -> bool:
        """Return whether the second player's side is the near one."""
        return False

    def answer_at(self, pos: Point) -> Place | None:
        """Return the answer at `pos` to an open question."""
        return None

    def turn_colour(self, agent: AgentID) -> Colour | None:
        """Return the colour of the seat while it is to move, else None."""
        return self.seat_colour(agent) if self.view["turn"] == agent else None

    def paint_side(self, picture: pygame.Surface, left: pygame.Rect, right: pygame.Rect) -> None:
        """Paint players and news beside the board, where there is room."""

    def rect_of(self, place: Place) -> pygame.Rect:
        """Return the place's square in the picture."""
        column, row = self._turn(place)
        return pygame.Rect(self.grid.left + column * self.cell, self.grid.top + row * self.cell, self.cell, self.cell)

    @property
    def frame(self) -> pygame.Rect:
        """The board in the picture, with its frame."""
        return self.grid.inflate(round(2 * self.edge * self.cell), round(2 * self.edge * self.cell))

    def place_of(self, index: int) -> Place:
        """Return the place with an index counted row by row."""
        return index % self.columns, index // self.columns

    def put(self, picture: pygame.Surface, piece: pygame.Surface, place: Place) -> None:
        """Draw a piece in the middle of a place."""
        picture.blit(piece, piece.get_rect(center=self.rect_of(place).center))

    def paint_lit(self, picture: pygame.Surface, place: Place) -> None:
        """Mark a legal place with a dot."""
        self.put(picture, disc(max(6, self.cell // 4), self.theme.colours.green, edge=(20, 60, 46)), place)

    def _drop(self, place: Place | None, chooser: CursorController) -> None:
        """End a drag: press the place under the mouse."""
        taken_up, self._pressed, self._pointed = self._pressed, None, None
        if place not in (None, taken_up) and taken_up is not None and chooser.cursor.path == (taken_up,):
            chooser.press(place)

    def _paint(self, area: pygame.Rect, chooser: CursorController | None) -> None:
        if self._picture is None or self._picture.get_size() != area.size:
            self._picture = pygame.Surface(area.size)
        picture = self._picture
        picture.fill(self.theme.colours.ground)
        self._lay_out(area.size)
        self.paint_board(picture)
        self._paint_labels(picture)
        self.paint(picture, self.view, chooser)
        if chooser is not None:
            self.paint_choice(picture, chooser)
        gap = self._margin + self.theme.px(8) + round(self.edge * self.cell)
        left = pygame.Rect(0, 0, self.grid.left - gap, area.h)
        right = pygame.Rect(self.grid.right + gap, 0, area.w - self.grid.right - gap, area.h)
        if min(left.w, right.w) >= self.theme.px(SIDE):
            self.paint_side(picture, left, right)

    def paint_choice(self, picture: pygame.Surface, chooser: CursorController) -> None:
        """Paint the legal places and the cursor."""
        for place in chooser.cursor.lit:
            self.paint_lit(picture, place)
        here, focus = self.rect_of(chooser.cursor.at), self.theme.colours.focus
        pygame.draw.rect(picture, focus, here, width=max(3, self.cell // 16), border_radius=4)

    def _lay_out(self, size: tuple[int, int]) -> None:
        theme, self.size = self.theme, size
        self._margin, self._label = theme.px(4), themes.SMALLEST
        for _round in range(2):  # the labels' room depends on the size of the places, and the reverse
            across, down = size[0] - 2 * self._margin, size[1] - 2 * self._margin
            columns, rows = self.columns + 2 * self.edge, self.rows + 2 * self.edge + self.foot
            self.cell = max(1, int(min(across / columns, down / rows)))
            if self.cell >= theme.px(LABELLED) and (self.column_labels or self.rows_numbered):
                self._label = max(themes.SMALLEST, min(grown(theme, themes.SMALL), units(theme, self.cell / 2)))
                self._margin = theme.px(self._label + 8)
        self.grid = pygame.Rect(0, 0, self.columns * self.cell, self.rows * self.cell)
        self.grid.center = size[0] // 2, round((size[1] - self.foot * self.cell) / 2)

    def _turn(self, place: Place) -> Place:
        if not self.turned:
            return place
        return self.columns - 1 - place[0], self.rows - 1 - place[1]

    @property
    def has_labels(self) -> bool:
        """Whether the places are large enough for the names of rows and columns."""
        return self._margin >= self.theme.px(self._label)

    def _paint_labels(self, picture: pygame.Surface) -> None:
        theme = self.theme
        if not self.has_labels:
            return
        look: dict[str, Any] = {"size": self._label, "colour": theme.colours.muted, "anchor": "center"}
        gap = self._margin // 2 + theme.px(2) + round(self.edge * self.cell)
        for column, letter in enumerate(self.column_labels[: self.columns]):
            x = self.rect_of((column, 0)).centerx
            theme.draw_text(picture, letter, (x, self.grid.bottom + gap), **look)
            theme.draw_text(picture, letter, (x, self.grid.top - gap), **look)
        for row in range(self.rows if self.rows_numbered else 0):
            number, y = str(self.rows - row), self.rect_of((0, row)).centery
            theme.draw_text(picture, number, (self.grid.left - gap, y), **look)
            theme.draw_text(picture, number, (self.grid.right + gap, y), **look)


def paint_player(
    picture: pygame.Surface, theme: Theme, box: pygame.Rect, name: str, sign: pygame.Surface, *,
    turn: Colour | None, low: bool = False,
) -> pygame.Rect:  # fmt: skip
    """Draw a player's sign and name at the top of `box`, or at its foot where `low`.

    They are framed in the colour of `turn` and bold while it is the player's turn, None otherwise.
    """
    high, size = plate_height(theme), grown(theme, themes.SMALL)
    beside = min(box.w, high * 7 // 2) - high - theme.px(12)
    named = theme.fit(name, width=beside, height=high, size=size, bold=True)[0] > 0
    wide = high + beside + theme.px(12) if named else high  # without room for the name only the sign
    plate = pygame.Rect(box.left, box.bottom - high if low else box.top, wide, high)
    theme.draw_panel(picture, plate, edge=turn)
    gap = theme.px(4)
    tile = pygame.Rect(plate.left + gap, plate.top + gap, high - 2 * gap, high - 2 * gap)
    pygame.draw.rect(picture, TILE, tile, border_radius=max(0, theme.radius - gap))
    picture.blit(sign, sign.get_rect(center=tile.center))
    if named:
        at = tile.right + theme.px(8), plate.centery
        theme.draw_text(
            picture, name, at, size=size, bold=turn is not None, anchor="midleft", width=beside, height=high - gap
        )
    return plate


def plate_height(theme: Theme) -> int:
    """Return the height of a player's plate in pixels; it grows with the text."""
    return theme.px(44 * min(theme.scale, 1.5))


def paint_lines(picture: pygame.Surface, theme: Theme, lines: Iterable[str], box: pygame.Rect) -> None:
    """Draw lines from the top of `box`, as large as its width allows; empty ones are left out."""
    y = box.top
    for line in filter(None, lines):
        size, room = grown(theme, themes.SMALL), box.bottom - y
        drawn = theme.draw_text(picture, line, (box.left, y), size=size, width=box.w, height=room)
        y = drawn.bottom + theme.px(4)


@lru_cache(maxsize=128)
def disc(size: int, fill: Colour, *, edge: Colour | None = None, shine: Colour | None = None) -> pygame.Surface:
    """Draw a disc of `size` pixels with an `edge` around it and a `shine` on its upper left."""
    pen = Pen(2, 2, pixels=size, colour=edge or fill).disc((1, 1), 1)
    pen.ink(fill).disc((1, 1), 0.9 if edge else 1)
    for step in range(8 if shine else 0):  # nested spots, each a little lighter
        share = (step + 1) / 8
        red, green, blue, _ = pygame.Color(fill).lerp(shine or fill, share)
        pen.ink((red, green, blue)).disc((1 - 0.28 * share, 1 - 0.3 * share), 0.86 - 0.78 * share)
    return pen.picture()


@lru_cache(maxsize=128)
def ring(size: int, colour: Colour, *, width: float = 0.12) -> pygame.Surface:
    """Draw a circle of `size` pixels, its line `width` of that."""
    return Pen(1, 1, pixels=size, colour=colour).disc((0.5, 0.5), 0.5, line=width).picture()


@lru_cache(maxsize=16)
def cross(size: int, colour: Colour) -> pygame.Surface:
    """Draw two slanting strokes with round ends."""
    start, end = 0.08, 0.92
    pen = Pen(1, 1, pixels=size, colour=colour).stroke([(start, start), (end, end)], line=0.16)
    return pen.stroke([(start, end), (end, start)], line=0.16).picture()
