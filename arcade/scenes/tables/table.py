"""GameTable: base of game tables: draws the view of one seat, handles the mouse."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping

import pygame

from agents.seats.controller import Action, AgentID
from arcade.controls.cursor import Cursor, Option
from arcade.controls.cursor_controller import CursorController, Refusal
from arcade.engine.input.events import PointerInput
from arcade.engine.ui.theme import Colour, Size, Theme
from arcade.games.seat_colours import seat_colour
from arcade.games.spec import GameSpec, load_entry
from arcade.games.texts import translated
from arcade.language import _
from arcade.match.stage.tick import View
from arcade.scenes.tables.lettering import table_theme


class GameTable(ABC):
    """The table of one match.  A scene calls, in this order::

        table = make_table(spec)                             # None: the game has no table
        table.people = ["player_1"]                          # once, and when seats change hands
        table.draw(canvas, theme, area, view, chooser)       # once a frame
        used = table.pointer(event, chooser)                 # each mouse event, while `chooser` is due
        words = table.why(view, refusal)                     # when a press was refused

    `view` is the result of ``GameSpec.table`` for the seat on the screen; `chooser` the person to move, or None.
    """

    offers = False  # True: the legal actions are buttons on the table, and need no list beside it
    smallest: Size = (720, 520)  # units of the whole table; in a smaller area they become smaller
    can_flip = False  # whether the players look at it from two sides
    flipped = False  # shown from the other side than usual
    shown: View | None = None  # drawn in place of the newest view: a hand that is over and not confirmed yet
    tells_moves = True  # whether the newest moves are beside it: not where a panel has them all
    theme: Theme  # of the newest `draw`: units as large as at scale 1, or smaller

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self.hits: list[tuple[pygame.Rect, int]] = []  # the buttons of the legal actions, with their option indices
        self.people: Iterable[AgentID] = ()  # the seats played at this screen; a board turns its near side to one
        self.names: Mapping[AgentID, str] = {}  # of the players of all seats

    def draw(
        self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect, view: View, chooser: CursorController | None
    ) -> None:
        """Fill `area`, with the legal actions of `chooser` lit."""
        self.theme = table_theme(theme, area.size, self.smallest)
        self.show(canvas, area, view, chooser)

    @abstractmethod
    def show(self, canvas: pygame.Surface, area: pygame.Rect, view: View, chooser: CursorController | None) -> None:
        """Fill `area`, in the look of `self.theme`."""

    def pointer(self, event: PointerInput, chooser: CursorController) -> bool:
        """Point with the mouse, play with a click; return whether the event was for the table."""
        index = next((index for rect, index in self.hits if rect.collidepoint(event.pos)), None)
        if index is None or index >= len(chooser.options):
            return False
        if event.kind == "move":
            chooser.cursor.point(index)
        elif event.kind == "press" and event.button == 1:
            chooser.choose(index)
        return True

    def title(self, agent: AgentID) -> str:
        """Return what people read for a seat here."""
        return self.spec.seat_title(agent)

    def seat_colour(self, agent: AgentID) -> Colour:
        """Return the colour of a seat, as all around the table shows it."""
        return seat_colour(self.spec, agent, self.theme.colours.teams)

    def move_name(self, agent: AgentID, action: Action) -> str:
        """Return a move in the game's notation, for games whose view has no `moves`."""
        names = self.spec.names_of(agent)
        return translated(names[action]) if isinstance(action, int) and 0 <= action < len(names) else str(action)

    def option_name(self, view: View, option: Option) -> str:
        """Return a legal action in the notation of the list of moves."""
        return option.label

    def spoken(self, view: View) -> str:
        """Describe what lies on the table, for the narrator; "" for a table that cannot."""
        return ""

    def spoken_cursor(self, view: View, cursor: Cursor) -> str:
        """Name what the cursor is on, for the narrator."""
        return "" if cursor.index is None else self.option_name(view, cursor.options[cursor.index])

    def why(self, view: View, refusal: Refusal) -> str:
        """Explain to the player why a press was refused."""
        return _("That is not allowed now")


_TABLES: Mapping[str, str] = {  # imported when their game is shown
    "arcade.games.tables.boards:view_chess": "arcade.scenes.tables.chess:ChessTable",
    "arcade.games.tables.boards:view_connect_four": "arcade.scenes.tables.in_a_row:ConnectFourTable",
    "arcade.games.tables.boards:view_go": "arcade.scenes.tables.go:GoTable",
    "arcade.games.tables.hanabi:view": "arcade.scenes.tables.hanabi:HanabiTable",
    "arcade.games.tables.poker:view_holdem": "arcade.scenes.tables.poker:PokerTable",
    "arcade.games.tables.poker:view_leduc": "arcade.scenes.tables.poker:PokerTable",
    "arcade.games.tables.rps:view": "arcade.scenes.tables.rps:RpsTable",
    "arcade.games.tables.boards:view_tictactoe": "arcade.scenes.tables.in_a_row:TicTacToeTable",
}


def make_table(spec: GameSpec) -> GameTable | None:
    """Make the game's table; None for a game without one, or with one from elsewhere."""
    entry = _TABLES.get(spec.table)
    return load_entry(entry)(spec) if entry else None
