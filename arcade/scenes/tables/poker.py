"""PokerTable: hole cards, community cards, bets and winnings of Leduc and Texas hold'em."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pygame

from agents.seats.controller import AgentID
from arcade.controls.cursor_controller import CursorController
from arcade.engine.input.events import PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Theme
from arcade.games.spec import GameSpec
from arcade.language import N_, _, ngettext
from arcade.match.stage.tick import View
from arcade.scenes.tables import playing_cards as cards
from arcade.scenes.tables.card_table import CHALK, CHALK_DIM, CardTable, bar_height, button_size, draw_button
from arcade.scenes.tables.card_words import card_names
from arcade.scenes.tables.lettering import (
    MOST,
    block,
    fitting,
    grown,
    largest,
    largest_block,
    line_height,
    units,
    width_of,
)

_LONGEST_ACTION = N_("small blind")  # plates keep room for it, and so their size
_LEAST_CARD = 54
_CHOICES = {
    "fold": N_("Fold"), "check": N_("Check"), "call": N_("Call {chips}"), "raise": N_("Raise: put in {chips}"),
    "raise half the pot": N_("Raise half the pot: {chips}"), "raise the pot": N_("Raise the pot: {chips}"),
    "all in": N_("All in: {chips}"),
}  # fmt: skip
_SAID = {
    "small blind": N_("small blind"), "big blind": N_("big blind"), "call": N_("calls"), "raise": N_("raises"),
    "fold": N_("folds"), "check": N_("checks"), "stays in": N_("stays in"), "+ ½ pot": N_("+ ½ pot"),
    "+ pot": N_("+ pot"), "all in": N_("all in"), "folded": N_("folded"),
}  # fmt: skip
"""What a seat did last → on its plate."""

_CATEGORIES = {
    "high card": N_("high card"), "pair": N_("a pair"), "two pairs": N_("two pairs"),
    "three of a kind": N_("three of a kind"), "straight": N_("a straight"), "flush": N_("a flush"),
    "full house": N_("a full house"), "four of a kind": N_("four of a kind"), "straight flush": N_("a straight flush"),
}  # fmt: skip
"""What a seat holds at the showdown → in words."""

_PLATE_EDGE = 34, 16  # units of a plate's margins, across and down
_SLOT = 240  # least width of a seat
Title = Callable[[AgentID], str]  # of a seat
Plates = tuple[tuple[str, str, str], ...]  # of each seat: its name, last action and chips


_SIDE, _POT = 28, 105  # between the cards on the board and the pot, and the least room for it
_LEAST_FACTS = 40  # units of the room for the number of the hand and the blinds


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

    def show(self, canvas: pygame.Surface, area: pygame.Rect, view: View, chooser: CursorController | None) -> None:
        felt, theme = self.draw_felt(canvas, area), self.theme
        current, view = view, self._shown(view, chooser)
        self.shown = view
        seats = view["seats"]
        near = self.near([seat["agent"] for seat in seats])
        slot = (felt.w - theme.px(40)) // max(_edges(len(seats)))
        plan = _plan(theme, tuple(_plate_words(seat, self.title) for seat in seats), seats[0]["held"], slot, felt.h)
        for step, room in enumerate(_rooms(theme, felt, len(seats), plan.high)):
            self._draw_seat(canvas, room, seats[(near + step) % len(seats)], view, plan)
        between = min(theme.px(170), felt.h - 2 * plan.high - theme.px(36))
        self._draw_board(canvas, felt, view, between if plan.stacked else plan.high)
        news = _news(view, self.title)
        if chooser is not None and chooser.confirms:
            self._draw_next(canvas, area, news)
        else:
            self.draw_bar(canvas, area, current, chooser, words=[_choice(one) for one in view["choices"]], news=news)

    def pointer(self, event: PointerInput, chooser: CursorController) -> bool:
        """Continue with the next hand by a click anywhere; else as all tables."""
        if chooser.confirms and event.kind == "press" and event.button == 1:
            chooser.confirms = False
            return True
        return super().pointer(event, chooser)

    def spoken(self, view: View) -> str:
        """Name the cards in sight, the pot, and the action and chips of each seat."""
        parts = [
            _("{seat} holds {cards}").format(seat=self.title(seat["agent"]), cards=card_names(seat["hand"]))
            for seat in view["seats"]
            if seat["hand"]
        ]
        board = card_names(view["board"])
        parts.append(_("On the table: {cards}").format(cards=board) if board else _("No cards on the table yet"))
        parts.append(_("{chips} chips in the pot").format(chips=view["pot"]))
        for seat in view["seats"]:
            _name, action, chips = _plate_words(seat, self.title)
            words = ", ".join(filter(None, (action, chips.replace("  ·  ", ", "))))
            parts.append(f"{self.title(seat['agent'])}: {words}")
        return ". ".join([*parts, *([_news(view, self.title)] if view["over"] else [])])

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
        theme, around, words = self.theme, self.theme.px(24), _("Next hand")
        rect = pygame.Rect(0, 0, min(theme.px(grown(theme, 220)), area.w // 3), bar_height(theme) - around)
        rect.midright = area.right - around, area.bottom - bar_height(theme) // 2
        draw_button(canvas, theme, rect, words, size=button_size(theme, (words,), rect), chosen=True)
        room = rect.left - area.left - 2 * around
        size = largest(theme, (news,), room, most=grown(theme, themes.BODY), bold=True)
        at = (area.left + around, rect.centery)
        theme.draw_text(canvas, news, at, size=size, colour=CHALK, bold=True, anchor="midleft", width=room)

    def _draw_board(self, canvas: pygame.Surface, felt: pygame.Rect, view: View, high: int) -> None:
        size, board = view["board_size"], view["board"]
        theme = self.theme
        widest = (felt.w - 2 * theme.px(_SIDE + _POT)) // size - theme.gap
        high = min(high, high * max(1, widest) // cards.card_width(high))
        wide = cards.card_width(high)
        left = felt.centerx - (size * (wide + theme.gap) - theme.gap) // 2
        counting = _winning_cards(view)
        for place in range(size):
            picture = cards.face(theme, board[place], high) if place < len(board) else cards.gap(high)
            where = canvas.blit(picture, (left + place * (wide + theme.gap), felt.centery - high // 2))
            if place < len(board) and board[place] in counting:
                _mark(canvas, theme, where)
        _draw_pot(canvas, theme, str(view["pot"]), (left - theme.px(_SIDE), felt.centery), high)
        right = felt.centerx * 2 - left + theme.px(_SIDE)
        room = pygame.Rect(right, felt.centery - high // 2, felt.right - right - theme.px(16), high)
        _draw_facts(canvas, theme, view, room)

    def _draw_seat(
        self, canvas: pygame.Surface, room: pygame.Rect, seat: Mapping[str, Any], view: View, plan: _Plan
    ) -> None:
        """Draw the seat's cards, and its plate beside or below them."""
        plate, hand = pygame.Rect((0, 0), plan.plate), seat["held"] * (cards.card_width(plan.card) + self.theme.px(8))
        if plan.stacked:
            left = room.centerx - hand // 2
            plate.midbottom = room.midbottom
        else:
            left = room.centerx - (hand + plate.w) // 2
            plate.midleft = (left + hand, room.centery)
        self._draw_hand(canvas, (left, room.top), seat, plan.card, _winning_cards(view))
        self._draw_plate(canvas, plate, seat, size=plan.size, on_turn=view["turn"] == seat["agent"])

    def _draw_hand(
        self, canvas: pygame.Surface, corner: tuple[int, int], seat: Mapping[str, Any], high: int,
        counting: frozenset[str],
    ) -> None:  # fmt: skip
        """Draw the cards; those of `counting` are marked."""
        for place in range(seat["held"]):
            if seat["folded"] and not seat["hand"]:
                picture = cards.gap(high)
            else:
                picture = cards.face(self.theme, seat["hand"][place], high) if seat["hand"] else cards.back(high)
            left = corner[0] + place * (cards.card_width(high) + self.theme.px(8))
            where = canvas.blit(picture, (left, corner[1]))
            if counting.intersection(seat["hand"][place : place + 1]):
                _mark(canvas, self.theme, where)

    def _draw_plate(
        self, canvas: pygame.Surface, plate: pygame.Rect, seat: Mapping[str, Any], *, size: int, on_turn: bool
    ) -> None:  # fmt: skip
        theme, edge = self.theme, self.theme.px(10)
        colour = self.seat_colour(seat["agent"])
        theme.draw_panel(canvas, plate, edge=colour if on_turn else None)
        bar = (plate.left, plate.top + edge, theme.px(7), plate.h - 2 * edge)
        pygame.draw.rect(canvas, colour, bar, border_radius=theme.px(3))
        name, action, words = _plate_words(seat, self.title)
        name = name if on_turn else self.title(seat["agent"])
        left, right, small = plate.left + theme.px(18), plate.right - theme.px(12), _smaller(size)
        top = plate.centery - (line_height(theme, size, bold=True) + line_height(theme, small)) // 2
        base = top + line_height(theme, size, bold=True)
        drawn = theme.draw_text(canvas, name, (left, top), size=size, bold=True, width=right - left)
        room, at = max(theme.px(20), right - drawn.right - theme.px(8)), (right, base - 1)
        theme.draw_text(canvas, action, at, size=small, colour=theme.colours.ink, anchor="bottomright", width=room)
        theme.draw_text(canvas, words, (left, base), size=small, colour=theme.colours.muted, width=right - left)


def _winning_cards(view: View) -> frozenset[str]:
    """Return the cards that won at the showdown; those of a shared pot are all winners'."""
    most = max((seat["won"] or 0 for seat in view["seats"]), default=0)
    seats = [seat for seat in view["seats"] if seat["best"] is not None and (seat["won"] or 0) >= min(most, 1)]
    return frozenset(card for seat in seats for card in seat["best"]["cards"])


def _mark(canvas: pygame.Surface, theme: Theme, card: pygame.Rect) -> None:
    """Frame a card that won."""
    pygame.draw.rect(canvas, theme.colours.focus, card.inflate(theme.px(4), theme.px(4)), theme.px(4), theme.px(6))


def _edges(count: int) -> tuple[int, int]:
    """Return the numbers of seats at the lower and the upper edge."""
    lower = count // 2 | 1 if count > 3 else 1
    return lower, max(1, count - lower)


def _rooms(theme: Theme, felt: pygame.Rect, count: int, high: int) -> list[pygame.Rect]:
    """Return the seats' places, the near one first, then clockwise."""

    def slots(many: int, top: int) -> list[pygame.Rect]:
        wide = (felt.w - theme.px(40)) // many
        return [pygame.Rect(felt.left + theme.px(20) + place * wide, top, wide, high) for place in range(many)]

    lower, upper = _edges(count)
    below, above = slots(lower, felt.bottom - theme.px(10) - high), slots(upper, felt.top + theme.px(10))
    middle = lower // 2
    return [below[middle], *below[:middle][::-1], *above[: count - lower], *below[middle + 1 :][::-1]]


@lru_cache(64)
def _plan(theme: Theme, plates: Plates, held: int, slot: int, felt: int) -> _Plan:
    """Put the cards beside the plates, or above them where that leaves more room for text."""
    gap = theme.px(8)
    beside = min(theme.px(170), felt * 2 // 7)
    hand = held * (cards.card_width(beside) + gap)
    size, plate = _plate_size(theme, plates, slot - hand - gap, beside)
    if plate[0] + hand <= slot and size >= min(grown(theme, themes.BODY), 30):
        return _Plan(beside, beside, plate, size, stacked=False)
    above = min(theme.px(200), felt * 345 // 1000)
    size, plate = _plate_size(theme, plates, slot - gap, above - theme.px(_LEAST_CARD + 6))
    plate = min(plate[0], slot - gap), plate[1]
    return _Plan(above, above - plate[1] - theme.px(6), plate, size, stacked=True)


def _plate_size(theme: Theme, plates: Plates, width: int, height: int) -> tuple[int, tuple[int, int]]:
    """Return the largest text size at which every plate fits, and the plates' size."""

    def fits(size: int) -> bool:
        wide, high = _plate_needs(theme, plates, size)
        return wide <= width and high <= height

    size = fitting(grown(theme, themes.BODY), fits)
    return size, _plate_needs(theme, plates, size)


def _plate_needs(theme: Theme, plates: Plates, size: int) -> tuple[int, int]:
    def wide(words: str) -> int:
        return width_of(theme, words, _smaller(size))

    names = [width_of(theme, name, size, bold=True) + theme.px(10) for name, _action, _chips in plates]
    action = max(wide(_(_LONGEST_ACTION)), *(wide(words) for _name, words, _chips in plates))
    most = max(max(names) + action, *(wide(chips) for _name, _action, chips in plates))
    across, down = map(theme.px, _PLATE_EDGE)
    return most + across, line_height(theme, size, bold=True) + line_height(theme, _smaller(size)) + down


def _smaller(size: int) -> int:
    return max(themes.SMALLEST, round(size * themes.SMALL / themes.BODY))


def _plate_words(seat: Mapping[str, Any], title: Title) -> tuple[str, str, str]:
    """Return the name as shown while the seat is to act, its last action and its chips."""
    won, said = seat["won"], "folded" if seat["folded"] else seat["said"]
    if won is None:
        chips = _("{chips} in").format(chips=seat["bet"])
    elif won:
        chips = (_("wins {chips}") if won > 0 else _("loses {chips}")).format(chips=abs(won))
    else:
        chips = _("even")
    if seat["stack"] is not None:
        left = _("{chips} left").format(chips=seat["stack"])
        chips = f"{chips}  ·  {left}"
    best = seat["best"]
    words = _SAID.get(said, said) if best is None else _CATEGORIES[best["category"]]
    return f"▶ {title(seat['agent'])}", _(words), chips


def _choice(choice: tuple[str, int]) -> str:
    """Return the text of an action's button."""
    action, chips = choice
    return _(_CHOICES[action]).format(chips=chips)


def _draw_pot(canvas: pygame.Surface, theme: Theme, chips: str, at: tuple[int, int], high: int) -> None:
    """Draw the pot above its heading, at most as high as the cards."""
    share = min(min(theme.scale, MOST), units(theme, high + 16) / (themes.TITLE + themes.SMALL) / 1.25)
    large, small = round(themes.TITLE * max(1, share)), round(themes.SMALL * max(1, share))
    top = at[1] - (line_height(theme, large, bold=True) + line_height(theme, small)) // 2
    below = theme.draw_text(canvas, chips, (at[0], top), size=large, colour=CHALK, bold=True, anchor="topright").bottom
    theme.draw_text(canvas, _("in the pot"), (at[0], below), size=small, colour=CHALK_DIM, anchor="topright")


def _news(view: View, title: Title) -> str:
    """Return the state of the game, for the foot."""
    if not view["over"]:
        return _("{seat} to move").format(seat=title(view["turn"]))
    winners = [seat for seat in view["seats"] if (seat["won"] or 0) > 0]
    if not view["showdown"] and winners and len(view["seats"]) == 2:
        loser = next(seat for seat in view["seats"] if seat is not winners[0])
        return _("{loser} folds: {winner} wins").format(loser=title(loser["agent"]), winner=title(winners[0]["agent"]))
    if not view["showdown"]:
        words = _("All others folded: {players} wins") if winners else _("All others folded: the cards stay down")
    elif winners:
        words = ngettext("Showdown: {players} wins with {hand}", "Showdown: {players} win with {hand}", len(winners))
    else:
        words = _("Showdown: the pot is shared")
    players = ", ".join(title(seat["agent"]) for seat in winners)
    return words.format(players=players, hand=_hand_words(winners[0]) if winners else "")


def _hand_words(seat: Mapping[str, Any]) -> str:
    """Return what a seat holds, and the ranks of the cards that count: "a straight (J 10 9 8 7)"."""
    if (best := seat["best"]) is None:
        return ""
    ranks, words = ["10" if card[1] == "T" else card[1] for card in best["cards"]], _CATEGORIES[best["category"]]
    return f"{_(words)} ({' '.join(ranks)})"


def _draw_facts(canvas: pygame.Surface, theme: Theme, view: View, room: pygame.Rect) -> None:
    """Draw the number of the hand in the session and the blinds, where there is room."""
    small, big = view["blinds"]
    lines = (
        [_("Hand {number} of {count}").format(number=view["number"], count=view["hands"])] if view["hands"] > 1 else []
    )
    lines.append(_("Blinds {small} and {big}").format(small=small, big=big))
    if room.w < theme.px(_LEAST_FACTS):
        return
    most = min(grown(theme, themes.SMALL), units(theme, room.h / 3))
    size = largest(theme, tuple(lines), room.w, most=most)
    if any(width_of(theme, line, size) > room.w for line in lines):  # each needs two lines in a small picture
        words = "\n".join(lines)
        size = largest_block(theme, (words,), room.w, room.h, most=most)
        picture = block(theme, words, room.w, size=size, colour=CHALK_DIM, centred=False)
        canvas.blit(picture, picture.get_rect(midleft=room.midleft))
        return
    top = room.centery - len(lines) * line_height(theme, size) // 2
    for place, line in enumerate(lines):
        at = (room.left, top + place * line_height(theme, size))
        theme.draw_text(canvas, line, at, size=size, colour=CHALK_DIM, width=room.w)
