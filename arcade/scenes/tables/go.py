"""GoTable: a wooden board of any size with the newest stone, ko and a Pass button."""

from __future__ import annotations

from collections.abc import Iterator

import pygame

from agents.seats.controller import AgentID
from arcade.controls.boards import Place
from arcade.controls.cursor_controller import CursorController, Refusal
from arcade.engine.ui import theme as themes
from arcade.games.tables.notation import move_rows
from arcade.language import _, local_number
from arcade.match.stage.tick import View
from arcade.scenes.tables.board import ROWS, BoardTable, disc, paint_lines, paint_player, plate_height, ring
from arcade.scenes.tables.lettering import grown, largest_block

_WOOD, _LINE = (216, 174, 112), (74, 54, 34)
_STONES = {"b": ((38, 36, 42), (92, 90, 98), (16, 15, 18)), "w": ((222, 218, 210), (255, 255, 252), (120, 112, 104))}
_PASS_WIDTH = 6  # places


class GoTable(BoardTable):
    """The middles of the places are the crossings."""

    columns = rows = 19
    foot, edge = 1.9, 0.125
    can_flip = True
    column_labels, rows_numbered = "ABCDEFGHJKLMNOPQRSTUVWXYZ", True  # without I, by Go's custom

    def pieces_on(self, view: View) -> Iterator[tuple[AgentID, str]]:
        for index, letter in enumerate(view["stones"]):
            if letter != ".":
                yield self.spec.agents["bw".index(letter)], self.place_name(index)

    def take(self, view: View) -> None:
        self.columns = self.rows = view["size"]

    def rect_of(self, place: Place) -> pygame.Rect:
        if place[1] < self.rows:
            return super().rect_of(place)
        gap = max(self.theme.px(26), self.cell) if self.has_labels else self.theme.px(4) + round(self.edge * self.cell)
        room = self.size[1] - self.grid.bottom - gap - self.theme.px(2)
        button = pygame.Rect(0, 0, _PASS_WIDTH * self.cell, max(1, min(self._pass_height, room)))
        button.midtop = self.grid.centerx, self.grid.bottom + gap
        return button

    @property
    def _pass_height(self) -> int:
        """The height of the button, where there is room."""
        return max(self.theme.px(30), round(self.cell * 1.1))

    def place_at(self, pos: tuple[int, int]) -> Place | None:
        at = (pos[0] - self.origin[0], pos[1] - self.origin[1])
        if self.rect_of((0, self.rows)).collidepoint(at):
            return 0, self.rows
        return super().place_at(pos)

    def paint_board(self, picture: pygame.Surface) -> None:
        pygame.draw.rect(picture, _WOOD, self.frame, border_radius=6)
        first, last = self.rect_of((0, 0)).center, self.rect_of((self.columns - 1, self.rows - 1)).center
        for line in range(self.columns):
            x, y = self.rect_of((line, line)).center
            width = 2 if line in (0, self.columns - 1) else 1
            pygame.draw.line(picture, _LINE, (x, first[1]), (x, last[1]), width)
            pygame.draw.line(picture, _LINE, (first[0], y), (last[0], y), width)
        star = disc(max(5, self.cell // 4), _LINE)
        for place in _stars(self.columns):
            self.put(picture, star, place)

    def paint(self, picture: pygame.Surface, view: View, chooser: CursorController | None) -> None:
        for index, letter in enumerate(view["stones"]):
            if letter != ".":
                self.put(picture, self._stone(letter), self.place_of(index))
        if view["last"] >= 0:
            colour = self.theme.colours.teams[1] if view["stones"][view["last"]] == "b" else (190, 80, 20)
            self.put(picture, ring(max(8, self.cell // 2), colour, width=0.16), self.place_of(view["last"]))
        if view["ko"] >= 0:
            square = pygame.Rect(0, 0, self.cell // 3, self.cell // 3)
            square.center = self.rect_of(self.place_of(view["ko"])).center
            pygame.draw.rect(picture, (150, 40, 30), square, width=2)
        self._paint_pass(picture, chooser)

    def paint_choice(self, picture: pygame.Surface, chooser: CursorController) -> None:
        """Preview the stone under the cursor, or cross out an illegal place; most places are legal."""
        at, rect = chooser.cursor.at, self.rect_of(chooser.cursor.at)
        if at[1] < self.rows and at in chooser.cursor.lit:
            ghost = self._stone("b" if chooser.seat == self.spec.agents[0] else "w").copy()
            ghost.set_alpha(150)
            self.put(picture, ghost, at)
        elif at[1] < self.rows:
            pygame.draw.line(picture, (225, 60, 40), rect.topleft, rect.bottomright, 3)
            pygame.draw.line(picture, (225, 60, 40), rect.bottomleft, rect.topright, 3)
        pygame.draw.rect(picture, (20, 20, 20), rect.inflate(4, 4), width=2, border_radius=4)
        pygame.draw.rect(picture, self.theme.colours.focus, rect, width=3, border_radius=4)

    def paint_side(self, picture: pygame.Surface, left: pygame.Rect, right: pygame.Rect) -> None:
        view, theme = self.view, self.theme
        top, high = self.grid.top, plate_height(theme)
        for agent, letter in zip(self.spec.agents, "bw", strict=True):
            box = pygame.Rect(left.left + theme.gap, top, left.w - theme.gap, high)
            sign, turn = self._stone(letter, high * 2 // 3), self.turn_colour(agent)
            plate = paint_player(picture, theme, box, self.spec.seat_title(agent), sign, turn=turn)
            taken = view["captured"][agent]
            words = _("Captured: {count}").format(count=taken)
            below = pygame.Rect(plate.left, plate.bottom + theme.px(4), box.w, high)
            paint_lines(picture, theme, [words], below)
            top = below.bottom
        room = pygame.Rect(right.left, self.grid.top, right.w - theme.gap, right.h)
        paint_lines(picture, theme, self._news(view), room)

    def why(self, view: View, refusal: Refusal) -> str:
        column, row = refusal.path[-1]
        name, index = f"{self.column_labels[column]}{self.rows - row}", row * self.columns + column
        if view["stones"][index] != ".":
            return _("{point} is taken").format(point=name)
        if index == view["ko"]:
            return _("Ko: {point} may not be taken back at once; play elsewhere first").format(point=name)
        return _("A stone on {point} would have no liberties left").format(point=name)

    def _news(self, view: View) -> list[str]:
        lines = [_("Komi {points}").format(points=local_number(f"{view['komi']:g}"))]
        if view["passed"] and view["turn"]:
            other = next(agent for agent in self.spec.agents if agent != view["turn"])
            lines.append(_("{player} passed").format(player=self.spec.seat_title(other)))
        if not view["turn"] and view["score"]:
            words = _("Black wins by {points}") if view["score"] > 0 else _("White wins by {points}")
            lines.append(words.format(points=f"{abs(view['score']):g}"))
        lines += move_rows(view["moves"])[-ROWS:] if self.tells_moves else []
        return lines

    def _stone(self, letter: str, size: int = 0) -> pygame.Surface:
        fill, shine, edge = _STONES[letter]
        return disc(size or max(4, self.cell - 1), fill, shine=shine, edge=edge)

    def _paint_pass(self, picture: pygame.Surface, chooser: CursorController | None) -> None:
        theme, button = self.theme, self.rect_of((0, self.rows))
        is_due = chooser is not None
        if not is_due and button.h < self._pass_height:
            return  # in a preview
        theme.draw_panel(
            picture, button, fill=theme.colours.raised if is_due else theme.colours.panel, edge=theme.colours.edge
        )
        ink = theme.colours.ink if is_due else theme.colours.faint
        size = largest_block(theme, (_("Pass"),), button.w - 8, button.h, most=grown(theme, themes.SMALL))
        theme.draw_text(picture, _("Pass"), button.center, size=size, colour=ink, anchor="center")


def _stars(size: int) -> list[Place]:
    """Return the star points: the 4-4 points (3-3 on small boards), sides and middle where odd."""
    if size < 7:
        return []
    edge = 3 if size > 11 else 2
    lines = [edge, size // 2, size - 1 - edge] if size % 2 else [edge, size - 1 - edge]
    return [(column, row) for column in lines for row in lines]
