"""CardTable: the felt, the seats around it, and the legal actions as buttons below."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from agents.seats.controller import Action, AgentID
from arcade.controls.cursor_controller import CursorController
from arcade.engine.ui import theme
from arcade.games.spec import GameSpec
from arcade.match.stage.tick import View
from arcade.scenes.tables.lettering import block, grown, largest, largest_block
from arcade.scenes.tables.table import GameTable

FELT, FELT_EDGE = (24, 66, 54), (16, 44, 37)
CHALK, CHALK_DIM = (245, 240, 232), (190, 204, 196)
"""The cloth is dark in every palette, and what is written on it light."""

_BUTTON, _WIDEST, _AROUND = 52, 260, 24
"""Height of a button and its largest width, and what the bar that it lies in has around it; pixels at scale 1."""

_TALLER = 1.5  # times that a button grows at most in height: its words have two lines then, or one that fills it


class CardTable(GameTable):
    """What the tables of cards have in common."""

    offers = True
    smallest = (720, 480)

    def __init__(self, spec: GameSpec) -> None:
        super().__init__(spec)
        self._asked: tuple[View, CursorController] | None = None  # who chose last, and from what

    def draw_felt(self, canvas: pygame.Surface, area: pygame.Rect) -> pygame.Rect:
        """The cloth on all of `area`, and what of it is free above the bar of actions."""
        pygame.draw.rect(canvas, FELT_EDGE, area)
        felt = pygame.Rect(area.left, area.top, area.w, area.h - bar_height()).inflate(-16, -12)
        pygame.draw.rect(canvas, FELT, felt, border_radius=min(felt.h // 3, 120))
        return felt

    def near(self, seats: Sequence[AgentID]) -> int:
        """Which of the seats sits at the lower edge: that of whoever plays here, else the first."""
        return next((place for place, agent in enumerate(seats) if agent in self.people), 0)

    def draw_bar(
        self, canvas: pygame.Surface, area: pygame.Rect, view: View, chooser: CursorController | None, *,
        words: Sequence[str], news: str, pictured: bool = False,
    ) -> None:  # fmt: skip
        """The legal actions side by side at the foot of `area`, else what was chosen of them, else the `news`.

        `words` name each action of the game as it is now; where `pictured`, buttons have room for a square at their
        left.
        """
        self.hits = []
        answer = self.answer(view, chooser)
        middle = (area.centerx, area.bottom - bar_height() // 2)
        if chooser is not None and chooser.options:
            self._draw_options(canvas, area, words, chooser, pictured=pictured)
        elif answer is not None:
            rect = pygame.Rect(0, 0, grown(_WIDEST), bar_height() - _AROUND)
            rect.center = middle
            draw_button(canvas, rect, words[answer], size=button_size((words[answer],), rect), chosen=True)
        else:
            size = largest((news,), area.w - 40, most=grown(theme.BODY))
            theme.draw_text(canvas, news, middle, size=size, colour=CHALK_DIM, anchor="center", width=area.w - 40)

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
        self, canvas: pygame.Surface, area: pygame.Rect, words: Sequence[str], chooser: CursorController, *,
        pictured: bool,
    ) -> None:  # fmt: skip
        names = [words[o.action] if o.action < len(words) else o.words for o in chooser.options]
        wide = min(grown(_WIDEST), (area.w - 32) // len(names) - theme.GAP)
        rect = pygame.Rect(0, area.bottom - bar_height() + _AROUND // 2, wide, bar_height() - _AROUND)
        rect.left = area.centerx - (len(names) * (wide + theme.GAP) - theme.GAP) // 2
        left = rect.h if pictured else 0
        size = button_size(tuple(names), rect, left=left)
        for index, name in enumerate(names):
            draw_button(canvas, rect, name, size=size, left=left, chosen=index == chooser.cursor)
            self.hits.append((rect, index))
            rect = rect.move(wide + theme.GAP, 0)


def bar_height() -> int:
    """Pixels that the actions take at the foot of a table."""
    return grown(_BUTTON, most=_TALLER) + _AROUND


def button_size(names: tuple[str, ...], rect: pygame.Rect, *, left: int = 0) -> int:
    """Pixels of the text on buttons of that size, the same for all of them; `left` of each is taken."""
    return largest_block(names, rect.w - left - 12, rect.h - 4, most=grown(theme.BODY), bold=True)


def draw_button(
    canvas: pygame.Surface, rect: pygame.Rect, words: str, *,
    size: int, left: int = 0, chosen: bool = False, legal: bool = True,
) -> None:  # fmt: skip
    """One action; the chosen one is filled and ringed, one that is not legal stands back."""
    fill = theme.FOCUS if chosen and legal else theme.RAISED if legal else theme.PANEL
    ink = theme.GROUND if chosen and legal else theme.INK if legal else theme.FAINT
    theme.draw_panel(canvas, rect, fill=fill)
    picture = block(words, rect.w - left - 6, size=size, colour=ink, bold=legal)
    canvas.blit(picture, picture.get_rect(center=(rect.centerx + left // 2, rect.centery)))
    if chosen:
        theme.draw_focus(canvas, rect)
