"""GameTable: how one game is drawn from what a seat may know, and played with the mouse."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING

import pygame

from agents.seats.controller import AgentID
from arcade.controls.cursor_controller import CursorController, Refusal
from arcade.engine.input.events import Point, PointerInput
from arcade.games.spec import GameSpec

if TYPE_CHECKING:
    from arcade.match.stage.tick import View


class GameTable(ABC):
    """The drawing of one match's table.  Whoever shows it calls, in this order::

        table = make_table(spec)                             # None: the game has no table
        table.people = ["player_1"]                          # once, and when seats change hands
        where = table.draw(canvas, area, view, chooser)      # once a frame
        used = table.pointer(event, chooser)                 # each mouse event, while `chooser` is due
        words = table.why(view, refusal)                     # when a press was refused

    `view` is what ``GameSpec.table`` gave for the seat that looks; `chooser` the person whose move is due, None
    while nobody at this screen is asked.
    """

    offers = False
    """True: the legal actions are buttons on the table itself, so nobody needs a list of them beside it."""

    smallest: tuple[int, int] = (720, 520)
    """Pixels that it needs for its words to be read; in less room a picture of it is shown."""

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self.hits: list[tuple[pygame.Rect, int]] = []  # where the legal actions were drawn last, by option index
        self.people: Iterable[AgentID] = ()  # the seats played at this screen; a board turns its near side to one

    @abstractmethod
    def draw(
        self, canvas: pygame.Surface, area: pygame.Rect, view: View, chooser: CursorController | None = None
    ) -> pygame.Rect:
        """Draw it within `area`, with what `chooser` may do lit; returns where it lies."""

    def option_at(self, pos: Point) -> int | None:
        """The index in the chooser's `options` of what lies at `pos`; None where nothing does."""
        return next((index for rect, index in self.hits if rect.collidepoint(pos)), None)

    def pointer(self, event: PointerInput, chooser: CursorController) -> bool:
        """Point with the mouse, play with a click; True where the event was for the table."""
        index = self.option_at(event.pos)
        if index is None or index >= len(chooser.options):
            return False
        if event.kind == "move":
            chooser.point(index)
        elif event.kind == "press" and event.button == 1:
            chooser.choose(index)
        return True

    def why(self, view: View, refusal: Refusal) -> str:
        """Why a press was refused, in words for the player."""
        return "That is not allowed now"
