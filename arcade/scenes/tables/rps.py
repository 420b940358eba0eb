"""RpsTable: the rounds of rock paper scissors, the last one large."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import pygame

from arcade.controls.cursor_controller import CursorController
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Theme
from arcade.games.seat_colours import seat_colour
from arcade.language import N_, _
from arcade.match.stage.tick import View
from arcade.scenes.pictograms.pen import Pen
from arcade.scenes.tables.card_table import CHALK, CHALK_DIM, CardTable
from arcade.scenes.tables.lettering import block, grown, largest, largest_block, units

_STONE, _STONE_DARK, _STONE_LIGHT = (150, 146, 142), (104, 100, 98), (190, 186, 180)
_SHEET, _SHEET_LINE = (250, 247, 240), (150, 160, 190)
_STEEL, _STEEL_DARK, _GRIP = (214, 220, 226), (120, 128, 138), (214, 92, 60)
_EDGE = (112, 116, 128)


class RpsTable(CardTable):
    """The near seat is on the left; both choices appear together."""

    def show(self, canvas: pygame.Surface, area: pygame.Rect, view: View, chooser: CursorController | None) -> None:
        felt = self.draw_felt(canvas, area)
        near = self.near(view["agents"])
        below = self._draw_head(canvas, felt, view)
        past = max(self.theme.px(62), felt.h // 7)
        room = pygame.Rect(felt.left, below, felt.w, felt.bottom - past - self.theme.px(30) - below)
        for side, place in ((-1, near), (1, 1 - near)):
            self._draw_side(canvas, room, view, place, side)
        self._draw_winner(canvas, room, view)
        self._draw_past(canvas, felt, view, near, past)
        words = [_sentence(move_text(move)) for move in view["moves"]]
        news = _("That was the last round") if view["over"] else _("Waiting for the other player …")
        self.draw_bar(canvas, area, view, chooser, words=words, news=news, pictured=True)
        for rect, index in self.hits:
            move = view["moves"][index]
            if move in _DRAW:
                edge = self.theme.px(6)
                canvas.blit(hand_picture(move, rect.h - 2 * edge), (rect.left + 2 * edge, rect.top + edge))

    def spoken(self, view: View) -> str:
        """Name the number of the round, and what each player chose in the newest finished one."""
        parts = [_round_words(view)]
        for agent, move in zip(view["agents"], view["rounds"][0] if view["rounds"] else (), strict=False):
            parts.append(f"{self.title(agent)}: {move_text(move)}")
        return ". ".join([*parts, *filter(None, (self._winner_words(view),))])

    def _draw_head(self, canvas: pygame.Surface, felt: pygame.Rect, view: View) -> int:
        """Draw the progress of the match; returns its lower edge."""
        words, theme = _round_words(view), self.theme
        size = largest(theme, (words,), felt.w // 2, most=min(grown(theme, themes.BODY), units(theme, felt.h / 9)))
        at = (felt.centerx, felt.top + theme.px(10))
        return theme.draw_text(canvas, words, at, size=size, colour=CHALK_DIM, anchor="midtop").bottom + theme.px(6)

    def _draw_winner(self, canvas: pygame.Surface, room: pygame.Rect, view: View) -> None:
        words, theme = self._winner_words(view), self.theme
        if not words:
            return
        wide = room.w * 6 // 10 - _plate_size(theme, room)[0] - theme.px(20)
        size = largest_block(theme, (words,), wide, room.h, most=grown(theme, themes.LARGE), bold=True)
        picture = block(theme, words, wide, size=size, colour=CHALK, bold=True)
        canvas.blit(picture, picture.get_rect(center=room.center))

    def _winner_words(self, view: View) -> str:
        """Return who won the newest round; "" before the first is played."""
        if not view["rounds"]:
            return ""
        winner = view["winners"][0]
        if winner is None:
            return _("A draw")
        return _("{seat} wins the round").format(seat=self.title(view["agents"][winner]))

    def _draw_side(self, canvas: pygame.Surface, room: pygame.Rect, view: View, place: int, side: int) -> None:
        """Draw a player's newest move, the winner's in a ring."""
        theme, edge = self.theme, self.theme.px(8)
        plate = pygame.Rect((0, 0), _plate_size(theme, room))
        plate.center = (room.centerx + side * room.w * 3 // 10, room.centery)
        won = bool(view["winners"]) and view["winners"][0] == place
        theme.draw_panel(canvas, plate, edge=theme.colours.focus if won else None)
        agent = self.title(view["agents"][place])
        colour = seat_colour(self.spec, view["agents"][place], theme.colours.teams)
        most = min(grown(theme, themes.BODY), units(theme, plate.h / 6))
        size = largest(theme, (agent,), plate.w - 2 * edge, most=most, bold=True)
        at = (plate.centerx, plate.top + edge)
        name = theme.draw_text(canvas, agent, at, size=size, bold=True, colour=colour, anchor="midtop", width=plate.w)
        move = view["rounds"][0][place] if view["rounds"] else ""
        words = _wins(move) if won else move_text(move) if move else _("nothing yet")
        longest = (words, *map(_wins, view["moves"]))
        size = largest(
            theme, longest, plate.w - 2 * edge, most=min(grown(theme, themes.SMALL), units(theme, plate.h / 7))
        )
        at, wide = (plate.centerx, plate.bottom - edge), plate.w - edge
        muted = theme.colours.muted
        below = theme.draw_text(canvas, words, at, size=size, colour=muted, anchor="midbottom", width=wide)
        middle = (plate.centerx, (name.bottom + below.top) // 2)
        self._draw_move(canvas, move, middle, min(below.top - name.bottom, plate.w - 2 * edge))

    def _draw_past(self, canvas: pygame.Surface, felt: pygame.Rect, view: View, near: int, high: int) -> None:
        """Draw the rounds before the newest that the env stores, oldest on the left."""
        past = list(zip(view["rounds"], view["winners"], strict=True))[1:][::-1]
        if not past:
            return
        theme, gap = self.theme, self.theme.gap
        wide = min(theme.px(150), (felt.w - theme.px(40)) // len(past) - gap)
        left = felt.centerx - (len(past) * (wide + gap) - gap) // 2
        for place, (moves, winner) in enumerate(past):
            plate = pygame.Rect(left + place * (wide + gap), felt.bottom - high - theme.px(14), wide, high)
            theme.draw_panel(canvas, plate)
            for side, who in ((-1, near), (1, 1 - near)):
                middle = (plate.centerx + side * wide // 4, plate.centery)
                self._draw_move(canvas, moves[who], middle, min(high - theme.px(16), wide // 2 - gap))
                if winner == who:
                    mark = pygame.Rect(0, 0, theme.px(50), theme.px(4))
                    mark.midbottom = (middle[0], plate.bottom - 2)
                    pygame.draw.rect(canvas, theme.colours.focus, mark, border_radius=2)

    def _draw_move(self, canvas: pygame.Surface, move: str, middle: tuple[int, int], size: int) -> None:
        if move in _DRAW:
            picture = hand_picture(move, size)
            canvas.blit(picture, picture.get_rect(center=middle))
        elif move:
            theme = self.theme
            most = max(themes.SMALLEST, min(grown(theme, themes.SMALL), units(theme, size / 2)))
            words = move_text(move)
            letters = largest(theme, (words,), size, most=most, bold=True)
            theme.draw_text(canvas, words, middle, size=letters, bold=True, anchor="center", width=size + theme.px(20))


_MOVES = {
    "rock": N_("rock"), "paper": N_("paper"), "scissors": N_("scissors"), "lizard": N_("lizard"), "spock": N_("Spock"),
}  # fmt: skip


def move_text(move: str) -> str:
    """Return a move's name in the player's language."""
    return _(_MOVES.get(move, move))


def _round_words(view: View) -> str:
    number = min(view["played"] + 1, view["length"])
    return _("Round {number} of {count}").format(number=number, count=view["length"])


def _wins(move: str) -> str:
    return _("{move}  ·  wins").format(move=move_text(move))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _plate_size(theme: Theme, room: pygame.Rect) -> tuple[int, int]:
    high = min(theme.px(310), room.h)
    return min(max(theme.px(200), high * 9 // 10), room.w * 3 // 10), high


@lru_cache(32)
def hand_picture(move: str, size: int) -> pygame.Surface:
    """Draw "rock", "paper" or "scissors" in a square of `size` pixels."""
    pen = Pen(1, 1, pixels=size, colour=_STEEL)
    _DRAW[move](pen)
    return pen.picture()


def _draw_rock(pen: Pen) -> None:
    outline = ((0.1, 0.62), (0.2, 0.32), (0.42, 0.16), (0.7, 0.2), (0.9, 0.46), (0.86, 0.76), (0.6, 0.88), (0.26, 0.84))
    pen.ink(_STONE).shape(outline)
    pen.ink(_STONE_DARK).shape(((0.1, 0.62), (0.36, 0.66), (0.6, 0.88), (0.26, 0.84)))
    pen.shape(((0.68, 0.52), (0.9, 0.46), (0.86, 0.76), (0.6, 0.88), (0.36, 0.66)))
    pen.ink(_STONE_LIGHT).shape(((0.2, 0.32), (0.42, 0.16), (0.7, 0.2), (0.5, 0.36)))


def _outlined(pen: Pen, corners: Sequence[tuple[float, float]]) -> None:
    """Draw a light shape with an edge, which is seen on light buttons."""
    pen.shape(corners)
    pen.ink(_EDGE).stroke(corners, line=0.03, closed=True)


def _draw_paper(pen: Pen) -> None:
    _outlined(pen.ink(_SHEET), ((0.2, 0.08), (0.64, 0.08), (0.82, 0.26), (0.82, 0.92), (0.2, 0.92)))
    pen.ink(_SHEET_LINE).shape(((0.64, 0.08), (0.82, 0.26), (0.64, 0.26)))
    for y in (0.4, 0.52, 0.64, 0.76):
        pen.stroke([(0.3, y), (0.72, y)], line=0.025)


def _draw_scissors(pen: Pen) -> None:
    for sign in (1, -1):
        x = [0.5 + sign * offset for offset in (-0.18, -0.24, 0.12, 0.19)]
        _outlined(pen.ink(_STEEL), ((x[0], 0.06), (x[1], 0.14), (x[2], 0.64), (x[3], 0.58)))
        pen.ink(_GRIP).disc((0.5 + sign * 0.2, 0.76), 0.16, line=0.065)
    pen.ink(_STEEL_DARK).disc((0.5, 0.48), 0.035)


_DRAW = {"rock": _draw_rock, "paper": _draw_paper, "scissors": _draw_scissors}  # other moves are shown as text
