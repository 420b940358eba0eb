"""CardTable: base of card games: a felt with buttons for the legal actions."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from agents.seats.controller import Action, AgentID
from arcade.controls.boards import SlotsBoard
from arcade.controls.cursor_controller import CursorController
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Theme
from arcade.games.spec import GameSpec
from arcade.match.stage.tick import View
from arcade.scenes.tables.lettering import block, grown, largest, largest_block
from arcade.scenes.tables.table import GameTable

FELT, FELT_EDGE = (24, 66, 54), (16, 44, 37)  # dark in every palette
CHALK, CHALK_DIM = (245, 240, 232), (190, 204, 196)  # text on the felt
_BUTTON, _WIDEST, _AROUND = 52, 260, 24  # a button's height and largest width, the bar's margins; units
_TALLER = 1.5  # most times that a button grows in height, for two lines or one that fills it


class CardTable(GameTable):
    """The base of all card tables."""

    offers = True
    smallest = (720, 480)

    def __init__(self, spec: GameSpec) -> None:
        super().__init__(spec)
        self._asked: tuple[View, CursorController] | None = None  # the last view that offered a choice, and its chooser

    def draw_felt(self, canvas: pygame.Surface, area: pygame.Rect) -> pygame.Rect:
        """Draw the felt on `area`; returns its part above the action bar."""
        theme = self.theme
        pygame.draw.rect(canvas, FELT_EDGE, area)
        felt = pygame.Rect(area.left, area.top, area.w, area.h - bar_height(theme))
        felt.inflate_ip(-theme.px(16), -theme.px(12))
        pygame.draw.rect(canvas, FELT, felt, border_radius=min(felt.h // 3, theme.px(120)))
        return felt

    def title(self, agent: AgentID) -> str:
        """Return the name of the player in a seat, whose title is only a number; else that title."""
        return self.names.get(agent) or super().title(agent)

    def near(self, seats: Sequence[AgentID]) -> int:
        """Return the index of the seat at the lower edge: one played at this screen, else the first."""
        return next((place for place, agent in enumerate(seats) if agent in self.people), 0)

    def draw_bar(
        self, canvas: pygame.Surface, area: pygame.Rect, view: View, chooser: CursorController | None, *,
        words: Sequence[str], news: str, pictured: bool = False,
    ) -> None:  # fmt: skip
        """Draw the legal actions at the foot of `area`, else the chosen one, else the `news`.

        `words` name every action of the game; `pictured` buttons have room for a square at their left.
        """
        self.hits = []
        theme, answer = self.theme, self.answer(view, chooser)
        middle = (area.centerx, area.bottom - bar_height(theme) // 2)
        if chooser is not None and chooser.options:
            self._draw_options(canvas, area, words, chooser, pictured=pictured)
        elif answer is not None:
            rect = pygame.Rect(0, 0, theme.px(grown(theme, _WIDEST)), bar_height(theme) - theme.px(_AROUND))
            rect.center = middle
            size = button_size(theme, (words[answer],), rect)
            draw_button(canvas, theme, rect, words[answer], size=size, chosen=True)
        else:
            room = area.w - theme.px(40)
            size = largest(theme, (news,), room, most=grown(theme, themes.BODY))
            theme.draw_text(canvas, news, middle, size=size, colour=CHALK_DIM, anchor="center", width=room)

    def answer(self, view: View, chooser: CursorController | None) -> Action | None:
        """Return the person's choice until the game plays it; None without one, and in the views of other seats."""
        if chooser is not None:
            self._asked = (view, chooser)
        elif self._asked is not None and self._asked[0] is view:
            return self._asked[1].act()
        return None

    def _draw_options(
        self, canvas: pygame.Surface, area: pygame.Rect, words: Sequence[str], chooser: CursorController, *,
        pictured: bool,
    ) -> None:  # fmt: skip
        theme, buttons = self.theme, _buttons(words, chooser)
        names, gap, around = [name for name, _index in buttons], theme.gap, theme.px(_AROUND)
        wide = min(theme.px(grown(theme, _WIDEST)), (area.w - theme.px(32)) // len(names) - gap)
        rect = pygame.Rect(0, area.bottom - bar_height(theme) + around // 2, wide, bar_height(theme) - around)
        rect.left = area.centerx - (len(names) * (wide + gap) - gap) // 2
        left = rect.h if pictured else 0
        size = button_size(theme, tuple(names), rect, left=left)
        for name, index in buttons:
            chosen = index is not None and index == chooser.cursor.index
            draw_button(canvas, theme, rect, name, size=size, left=left, chosen=chosen, legal=index is not None)
            if index is not None:
                self.hits.append((rect, index))
            rect = rect.move(wide + gap, 0)


def _buttons(words: Sequence[str], chooser: CursorController) -> list[tuple[str, int | None]]:
    """Return the buttons from the left: the words and the index of the option, None for an illegal one."""
    options, board = chooser.options, chooser.cursor.board
    if not isinstance(board, SlotsBoard):
        return [(words[one.action] if one.action < len(words) else one.label, i) for i, one in enumerate(options)]
    legal = {option.path[0][0]: index for index, option in enumerate(options)}
    found = [(legal.get(place), slot) for place, slot in enumerate(board.slots)]
    return [(words[slot[0] if index is None else options[index].action], index) for index, slot in found]


def bar_height(theme: Theme) -> int:
    """Return the height of the action bar in pixels."""
    return theme.px(grown(theme, _BUTTON, most=_TALLER) + _AROUND)


def button_size(theme: Theme, names: tuple[str, ...], rect: pygame.Rect, *, left: int = 0) -> int:
    """Return the common text size of buttons with `left` pixels taken."""
    wide, high = rect.w - left - theme.px(12), rect.h - theme.px(4)
    return largest_block(theme, names, wide, high, most=grown(theme, themes.BODY), bold=True)


def draw_button(
    canvas: pygame.Surface, theme: Theme, rect: pygame.Rect, words: str, *,
    size: int, left: int = 0, chosen: bool = False, legal: bool = True,
) -> None:  # fmt: skip
    """Draw an action: the chosen one filled and ringed, an illegal one faint."""
    colours = theme.colours
    fill = colours.focus if chosen and legal else colours.raised if legal else colours.panel
    ink = colours.ground if chosen and legal else colours.ink if legal else colours.faint
    theme.draw_panel(canvas, rect, fill=fill)
    picture = block(theme, words, rect.w - left - theme.px(6), size=size, colour=ink, bold=legal)
    canvas.blit(picture, picture.get_rect(center=(rect.centerx + left // 2, rect.centery)))
    if chosen:
        theme.draw_focus(canvas, rect)
