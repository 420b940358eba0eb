"""PokerTable: hole cards, community cards, bets and winnings of Leduc and Texas hold'em."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pygame

from arcade.controls.cursor_controller import CursorController
from arcade.engine.input.events import PointerInput
from arcade.engine.ui import theme
from arcade.games.seat_colours import seat_colour
from arcade.games.spec import GameSpec
from arcade.match.stage.tick import View
from arcade.scenes.tables import playing_cards as cards
from arcade.scenes.tables.card_table import CHALK, CHALK_DIM, CardTable, bar_height, button_size, draw_button
from arcade.scenes.tables.lettering import fitting, grown, largest, line_height, width_of

_NEXT = "Next hand"
_LONGEST_ACTION = "small blind"  # plates keep room for it, and so their size
_LEAST_CARD = 54
_PLATE_EDGE = 34, 16  # a plate's margins, across and down
_SLOT = 240  # least width of a seat


@dataclass(frozen=True, slots=True)
class _Plan:
    """The layout of a seat, in pixels."""

    high: int  # of the seat
    card: int  # height of its cards
    plate: tuple[int, int]
    size: int  # of the name; other text is smaller
    stacked: bool  # the cards lie above the plate instead of beside it


class PokerTable(CardTable):
    """The player at this screen sits at the lower edge, the others in turn around the table."""

    def __init__(self, spec: GameSpec) -> None:
        super().__init__(spec)
        self.smallest = max(720, _SLOT * max(_edges(spec.seats)) + 60), 480
        self._held = self._seen = 1  # hands whose predecessor was shown to a person until a press, and was confirmed

    def draw(self, canvas: pygame.Surface, area: pygame.Rect, view: View, chooser: CursorController | None) -> None:
        felt = self.draw_felt(canvas, area)
        current, view = view, self._shown(view, chooser)
        seats = view["seats"]
        near = self.near([seat["agent"] for seat in seats])
        slot = (felt.w - 40) // max(_edges(len(seats)))
        plan = _plan(tuple(_plate_words(seat, self.spec) for seat in seats), seats[0]["held"], slot, felt.h)
        for step, room in enumerate(_rooms(felt, len(seats), plan.high)):
            self._draw_seat(canvas, room, seats[(near + step) % len(seats)], view, plan)
        between = min(170, felt.h - 2 * plan.high - 36)
        self._draw_board(canvas, felt, view, between if plan.stacked else plan.high)
        news = _news(view, self.spec)
        if chooser is not None and chooser.confirms:
            self._draw_next(canvas, area, news)
        else:
            self.draw_bar(canvas, area, current, chooser, words=view["words"], news=news)

    def pointer(self, event: PointerInput, chooser: CursorController) -> bool:
        """Continue with the next hand by a click anywhere; else as all tables."""
        if chooser.confirms and event.kind == "press" and event.button == 1:
            chooser.confirms = False
            return True
        return super().pointer(event, chooser)

    def _shown(self, view: View, chooser: CursorController | None) -> View:
        """Return the view with the hand to show: the finished one until a person confirms it, or the next one begins.

        Nothing waits where no person has been asked yet, as in a replay.
        """
        if view["finished"] is None or view["number"] <= self._seen:
            return view
        if chooser is not None and self._held != view["number"]:
            self._held, chooser.confirms = view["number"], True
        elif chooser is not None and not chooser.confirms:
            self._seen = view["number"]
            return view
        return view if view["begun"] and self._asked is None and chooser is None else {**view, **view["finished"]}

    def _draw_next(self, canvas: pygame.Surface, area: pygame.Rect, news: str) -> None:
        """Draw how the hand ended, and the button that deals the next one."""
        self.hits = []
        rect = pygame.Rect(0, 0, min(grown(220), area.w // 3), bar_height() - 24)
        rect.midright = area.right - 24, area.bottom - bar_height() // 2
        draw_button(canvas, rect, _NEXT, size=button_size((_NEXT,), rect), chosen=True)
        room = rect.left - area.left - 48
        size = largest((news,), room, most=grown(theme.BODY), bold=True)
        at = (area.left + 24, rect.centery)
        theme.draw_text(canvas, news, at, size=size, colour=CHALK, bold=True, anchor="midleft", width=room)

    def _draw_board(self, canvas: pygame.Surface, felt: pygame.Rect, view: View, high: int) -> None:
        size, board = view["board_size"], view["board"]
        wide = cards.card_width(high)
        left = felt.centerx - (size * (wide + theme.GAP) - theme.GAP) // 2
        for place in range(size):
            picture = cards.face(board[place], high) if place < len(board) else cards.gap(high)
            canvas.blit(picture, (left + place * (wide + theme.GAP), felt.centery - high // 2))
        _draw_pot(canvas, str(view["pot"]), (left - 28, felt.centery), high)
        right = felt.centerx * 2 - left + 28
        _draw_facts(canvas, view, pygame.Rect(right, felt.centery - high // 2, felt.right - right - 16, high))

    def _draw_seat(
        self, canvas: pygame.Surface, room: pygame.Rect, seat: Mapping[str, Any], view: View, plan: _Plan
    ) -> None:
        """Draw the seat's cards, and its plate beside or below them."""
        plate, hand = pygame.Rect((0, 0), plan.plate), seat["held"] * (cards.card_width(plan.card) + 8)
        if plan.stacked:
            left = room.centerx - hand // 2
            plate.midbottom = room.midbottom
        else:
            left = room.centerx - (hand + plate.w) // 2
            plate.midleft = (left + hand, room.centery)
        self._draw_hand(canvas, (left, room.top), seat, plan.card)
        self._draw_plate(canvas, plate, seat, size=plan.size, on_turn=view["turn"] == seat["agent"])

    def _draw_hand(self, canvas: pygame.Surface, corner: tuple[int, int], seat: Mapping[str, Any], high: int) -> None:
        for place in range(seat["held"]):
            if seat["folded"] and not seat["hand"]:
                picture = cards.gap(high)
            else:
                picture = cards.face(seat["hand"][place], high) if seat["hand"] else cards.back(high)
            canvas.blit(picture, (corner[0] + place * (cards.card_width(high) + 8), corner[1]))

    def _draw_plate(
        self, canvas: pygame.Surface, plate: pygame.Rect, seat: Mapping[str, Any], *, size: int, on_turn: bool
    ) -> None:  # fmt: skip
        theme.draw_panel(canvas, plate, fill=theme.PANEL, edge=theme.FOCUS if on_turn else None)
        colour = seat_colour(self.spec, seat["agent"], theme.TEAMS)
        pygame.draw.rect(canvas, colour, (plate.left, plate.top + 10, 7, plate.h - 20), border_radius=3)
        name, action, words = _plate_words(seat, self.spec)
        name = name if on_turn else self.spec.seat_title(seat["agent"])
        left, right, small = plate.left + 18, plate.right - 12, _smaller(size)
        top = plate.centery - (line_height(size, bold=True) + line_height(small)) // 2
        base = top + line_height(size, bold=True)
        drawn = theme.draw_text(canvas, name, (left, top), size=size, bold=True, width=right - left)
        room, at = max(20, right - drawn.right - 8), (right, base - 1)
        theme.draw_text(canvas, action, at, size=small, colour=theme.INK, anchor="bottomright", width=room)
        theme.draw_text(canvas, words, (left, base), size=small, colour=theme.MUTED, width=right - left)


def _edges(count: int) -> tuple[int, int]:
    """Return the numbers of seats at the lower and the upper edge."""
    lower = count // 2 | 1 if count > 3 else 1
    return lower, max(1, count - lower)


def _rooms(felt: pygame.Rect, count: int, high: int) -> list[pygame.Rect]:
    """Return the seats' places, the near one first, then clockwise."""

    def slots(many: int, top: int) -> list[pygame.Rect]:
        wide = (felt.w - 40) // many
        return [pygame.Rect(felt.left + 20 + place * wide, top, wide, high) for place in range(many)]

    lower, upper = _edges(count)
    below, above = slots(lower, felt.bottom - 10 - high), slots(upper, felt.top + 10)
    middle = lower // 2
    return [below[middle], *below[:middle][::-1], *above[: count - lower], *below[middle + 1 :][::-1]]


@theme.kept(64)
def _plan(plates: tuple[tuple[str, str, str], ...], held: int, slot: int, felt: int) -> _Plan:
    """Put the cards beside the plates, or above them where that leaves more room for text."""
    beside = min(170, felt * 2 // 7)
    hand = held * (cards.card_width(beside) + 8)
    size, plate = _plate_size(plates, slot - hand - 8, beside)
    if plate[0] + hand <= slot and size >= min(grown(theme.BODY), 30):
        return _Plan(beside, beside, plate, size, stacked=False)
    above = min(200, felt * 345 // 1000)
    size, plate = _plate_size(plates, slot - 8, above - _LEAST_CARD - 6)
    plate = min(plate[0], slot - 8), plate[1]
    return _Plan(above, above - plate[1] - 6, plate, size, stacked=True)


def _plate_size(plates: tuple[tuple[str, str, str], ...], width: int, height: int) -> tuple[int, tuple[int, int]]:
    """Return the largest text size at which every plate fits, and the plates' size."""

    def fits(size: int) -> bool:
        wide, high = _plate_needs(plates, size)
        return wide <= width and high <= height

    size = fitting(grown(theme.BODY), fits)
    return size, _plate_needs(plates, size)


def _plate_needs(plates: tuple[tuple[str, str, str], ...], size: int) -> tuple[int, int]:
    small = _smaller(size)
    action = width_of(_LONGEST_ACTION, small)
    first = max(width_of(n, size, bold=True) + 10 + max(action, width_of(a, small)) for n, a, _ in plates)
    wide = max(first, *(width_of(words, small) for _, _, words in plates))
    return wide + _PLATE_EDGE[0], line_height(size, bold=True) + line_height(small) + _PLATE_EDGE[1]


def _smaller(size: int) -> int:
    return max(theme.SMALLEST, round(size * theme.SMALL / theme.BODY))


def _plate_words(seat: Mapping[str, Any], spec: GameSpec) -> tuple[str, str, str]:
    """Return the name as shown while the seat is to act, its last action and its chips."""
    if seat["won"] is not None:
        chips = f"wins {seat['won']}" if seat["won"] > 0 else f"loses {-seat['won']}" if seat["won"] else "even"
    else:
        chips = f"{seat['bet']} in"
    if seat["stack"] is not None:
        chips = f"{chips}  ·  {seat['stack']} left"
    return f"▶ {spec.seat_title(seat['agent'])}", "folded" if seat["folded"] else seat["said"], chips


def _draw_pot(canvas: pygame.Surface, chips: str, at: tuple[int, int], high: int) -> None:
    """Draw the pot above its heading, at most as high as the cards."""
    share = min(grown(100) / 100, (high + 16) / (theme.TITLE + theme.SMALL) / 1.25)
    large, small = round(theme.TITLE * max(1, share)), round(theme.SMALL * max(1, share))
    top = at[1] - (line_height(large, bold=True) + line_height(small)) // 2
    below = theme.draw_text(canvas, chips, (at[0], top), size=large, colour=CHALK, bold=True, anchor="topright").bottom
    theme.draw_text(canvas, "in the pot", (at[0], below), size=small, colour=CHALK_DIM, anchor="topright")


def _news(view: View, spec: GameSpec) -> str:
    """Return the state of the game, for the foot."""
    if not view["over"]:
        return f"{spec.seat_title(view['turn'])} is to act"
    winners = [spec.seat_title(seat["agent"]) for seat in view["seats"] if (seat["won"] or 0) > 0]
    if not view["showdown"]:
        return f"All others folded: {winners[0]} wins" if winners else "All others folded: the cards stay down"
    if not winners:
        return "Showdown: the pot is shared"
    return f"Showdown: {winners[0]} wins" if len(winners) == 1 else f"Showdown: {', '.join(winners)} win"


def _draw_facts(canvas: pygame.Surface, view: View, room: pygame.Rect) -> None:
    """Draw the number of the hand in the session and the blinds, where there is room."""
    small, big = view["blinds"]
    lines = [f"Hand {view['number']} of {view['hands']}"] if view["hands"] > 1 else []
    lines.append(f"Blinds {small} and {big}")
    size = largest(tuple(lines), room.w, most=min(grown(theme.SMALL), room.h // 3))
    if room.w < 60:
        return
    top = room.centery - len(lines) * line_height(size) // 2
    for place, line in enumerate(lines):
        at = (room.left, top + place * line_height(size))
        theme.draw_text(canvas, line, at, size=size, colour=CHALK_DIM, width=room.w)
