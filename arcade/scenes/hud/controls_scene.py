"""Controls: what every person at the screen can do, over the game that stands."""

from __future__ import annotations

from collections.abc import Mapping

import pygame

from agents.controller import AgentID, SeatChoice
from arcade.engine import theme
from arcade.engine.events import InputEvent, KeyInput, MenuInput
from arcade.engine.widgets import Button, Widget
from arcade.games.spec import GameSpec
from arcade.match.match import Match
from arcade.scenes.hud.card import card_icon, card_title, draw_card
from arcade.scenes.hud.seat_cards import SeatCard, seat_cards
from arcade.scenes.lobby import Lobby
from arcade.scenes.screen import Screen

BOX = pygame.Rect(50, 40, 1180, 610)


class ControlsScene(Screen):
    """A card for each person, one at a time; closed by F1, Esc, B or its button."""

    transparent = True
    legend = "L, R, Page Up, Page Down: another player    Esc, B or F1: go on"

    def __init__(
        self, lobby: Lobby, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice], match: Match | None = None
    ) -> None:
        super().__init__(lobby)
        self._spec, self._match = spec, match
        self.cards = seat_cards(spec, lineup, lobby.engine.layouts, match)
        self.page = 0

    @property
    def card(self) -> SeatCard:
        """The one on the screen."""
        return self.cards[self.page]

    def widgets(self) -> list[Widget]:
        right, top = BOX.right - 24, BOX.bottom - 68
        close = Button((right - 200, top, 200, 48), "Go on", self.engine.pop, primary=True, hint="Back to the game")
        if len(self.cards) == 1:
            return [close]
        return [
            close,
            Button((right - 420, top, 200, 48), "Next player", lambda: self.turn(1), hint="The next one's controls"),
            Button((right - 640, top, 200, 48), "Player before", lambda: self.turn(-1), hint="The last one's controls"),
        ]

    def turn(self, by: int) -> None:
        """Another person's card."""
        self.page = (self.page + by) % len(self.cards)

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, KeyInput) and event.pressed and event.name == "f1":
            self.back()
            return None
        if isinstance(event, MenuInput) and event.action in ("next", "previous"):
            self.turn(1 if event.action == "next" else -1)
            return None
        return super().handle(event)

    def start(self, event: MenuInput) -> None:
        self.engine.pop()

    def draw(self, canvas: pygame.Surface) -> None:
        theme.dim(canvas)
        theme.draw_panel(canvas, BOX, edge=theme.EDGE)
        spec, card, left = self._spec, self.card, BOX.left + 32
        picture = card_icon(spec, card)
        canvas.blit(picture, picture.get_rect(midleft=(left, BOX.top + 42)))
        at = (left + picture.get_width() + 14, BOX.top + 42)
        names = [self._match.mapping[agent].label for agent in card.agents] if self._match is not None else []
        words = card_title(spec, card, names if card.choice.is_human else [])
        theme.draw_text(canvas, words, at, size=theme.LARGE, bold=True, anchor="midleft", width=700)
        if len(self.cards) > 1:
            at = (BOX.right - 32, BOX.top + 42)
            count = f"{self.page + 1} of {len(self.cards)}"
            theme.draw_text(canvas, count, at, colour=theme.MUTED, anchor="midright")
        at = (left, BOX.top + 76)
        theme.draw_text(canvas, spec.summary, at, size=theme.SMALL, colour=theme.MUTED, width=BOX.w - 64)
        draw_card(canvas, pygame.Rect(left, BOX.top + 124, BOX.w - 64, BOX.h - 210), spec, card)
        self.focus.draw(canvas)
