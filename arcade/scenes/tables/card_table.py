"""CardTable: the felt, the seats around it, and the legal actions as buttons below."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from agents.controller import Action, AgentID
from arcade.engine import theme
from arcade.engine.choosing import CursorController
from arcade.games.spec import GameSpec
from arcade.match.tick import View
from arcade.scenes.tables.table import Table

FELT, FELT_EDGE = (24, 66, 54), (16, 44, 37)
CHALK, CHALK_DIM = (245, 240, 232), (190, 204, 196)
"""The cloth is dark in every palette, and what is written on it light."""

BUTTON, BAR = 52, 76
"""Height of a button, and of the bar that it lies in."""

_WIDEST = 260


class CardTable(Table):
    """What the tables of cards have in common."""

    offers = True

    def __init__(self, spec: GameSpec) -> None:
        super().__init__(spec)
        self._asked: tuple[View, CursorController] | None = None  # who chose last, and from what

    def draw_felt(self, canvas: pygame.Surface, area: pygame.Rect) -> pygame.Rect:
        """The cloth on all of `area`, and what of it is free above the bar of actions."""
        pygame.draw.rect(canvas, FELT_EDGE, area)
        felt = pygame.Rect(area.left, area.top, area.w, area.h - BAR).inflate(-16, -12)
        pygame.draw.rect(canvas, FELT, felt, border_radius=min(felt.h // 3, 120))
        return felt

    def near(self, seats: Sequence[AgentID]) -> int:
        """Which of the seats sits at the lower edge: that of whoever plays here, else the first."""
        return next((place for place, agent in enumerate(seats) if agent in self.people), 0)

    def draw_bar(
        self, canvas: pygame.Surface, area: pygame.Rect, view: View, chooser: CursorController | None, *,
        words: Sequence[str], news: str,
    ) -> None:  # fmt: skip
        """The legal actions side by side at the foot of `area`, else what was chosen of them, else the `news`.

        `words` name each action of the game as it is now.
        """
        self.hits = []
        answer = self.answer(view, chooser)
        middle = (area.centerx, area.bottom - BAR // 2)
        if chooser is not None and chooser.options:
            self._draw_options(canvas, area, words, chooser)
        elif answer is not None:
            rect = pygame.Rect(0, 0, _WIDEST, BUTTON)
            rect.center = middle
            draw_button(canvas, rect, words[answer], chosen=True)
        else:
            theme.draw_text(canvas, news, middle, colour=CHALK_DIM, anchor="center", width=area.w - 40)

    def answer(self, view: View, chooser: CursorController | None) -> Action | None:
        """What the person has chosen and the game has not yet taken up, None where nothing waits.

        A view of another looker is another view: nobody is shown what somebody else chose.
        """
        if chooser is not None:
            self._asked = (view, chooser)
        elif self._asked is not None and self._asked[0] is view:
            return self._asked[1].act()
        return None

    def _draw_options(
        self, canvas: pygame.Surface, area: pygame.Rect, words: Sequence[str], chooser: CursorController
    ) -> None:
        count = len(chooser.options)
        wide = min(_WIDEST, (area.w - 32) // count - theme.GAP)
        left = area.centerx - (count * (wide + theme.GAP) - theme.GAP) // 2
        for index, option in enumerate(chooser.options):
            rect = pygame.Rect(left + index * (wide + theme.GAP), area.bottom - (BAR + BUTTON) // 2, wide, BUTTON)
            name = words[option.action] if option.action < len(words) else option.words
            draw_button(canvas, rect, name, chosen=index == chooser.cursor)
            self.hits.append((rect, index))


def draw_button(
    canvas: pygame.Surface,
    rect: pygame.Rect,
    words: str,
    *,
    chosen: bool = False,
    legal: bool = True,
    size: int = theme.BODY,
) -> None:
    """One action; the chosen one is filled and ringed, one that is not legal stands back."""
    fill = theme.FOCUS if chosen and legal else theme.RAISED if legal else theme.PANEL
    ink = theme.GROUND if chosen and legal else theme.INK if legal else theme.FAINT
    theme.draw_panel(canvas, rect, fill=fill)
    theme.draw_text(canvas, words, rect.center, size=size, colour=ink, bold=legal, anchor="center", width=rect.w - 6)
    if chosen:
        theme.draw_focus(canvas, rect)
