"""Draws Hanabi's hands, with the hints as pips, and the middle of the table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Any

import pygame

from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Colour, Theme
from arcade.language import _
from arcade.match.stage.tick import View
from arcade.scenes.tables.card_table import CHALK, CHALK_DIM, FELT_EDGE
from arcade.scenes.tables.hanabi_cards import COLOURS, firework_card, firework_pile, known_card, pip
from arcade.scenes.tables.hanabi_words import short_name
from arcade.scenes.tables.lettering import block, fitting, grown, largest, largest_block, line_height, units, width_of
from arcade.scenes.tables.playing_cards import SHAPE, card_width

_COLUMN = 190  # units for the player's name
_CARDS = 5  # in a whole hand
_SLOTS = 5  # colours, and ranks
_LEAST_CARD = 44


@dataclass(frozen=True, slots=True)
class _Plan:
    """The layout of a card in a hand, in pixels."""

    card: int  # height
    size: int  # of the text, in units
    slot: int  # width and height of a pip
    is_beside: bool  # the pips are at the right of the card instead of below it


def draw_hand(
    canvas: pygame.Surface, theme: Theme, row: pygame.Rect, seat: Mapping[str, Any], title: str, said: str, *,
    colour: Colour, on_turn: bool, lit: Collection[int] = (),
) -> list[pygame.Rect]:  # fmt: skip
    """Draw the title of a seat and its last move, then the cards, those at `lit` in a frame; returns their places.

    The seat has a bar of its colour, and a frame while it is to move.
    """
    column, edge = theme.px(grown(theme, _COLUMN, most=1.1)), theme.px(6)
    room = pygame.Rect(row.left + 3 * edge, row.top + edge, column - 4 * edge, row.h - edge)
    _draw_holder(canvas, theme, room, title, said, on_turn=on_turn)
    bar = pygame.Rect(row.left + edge, row.top + 2 * edge, theme.px(7), row.h - 3 * edge)
    pygame.draw.rect(canvas, colour, bar, border_radius=theme.px(3))
    if on_turn:
        frame = pygame.Rect(row.left, row.top + edge // 2, row.w, row.h - edge)
        pygame.draw.rect(canvas, colour, frame, theme.px(3), border_radius=theme.px(10))
    cell = (row.w - column - edge) // max(_CARDS, len(seat["hand"]))
    plan, rooms = _plan(theme, cell, row.h), []
    for place, card in enumerate(seat["hand"]):
        room = pygame.Rect(row.left + column + place * cell, row.top + edge, cell, row.h - 2 * edge)
        at = _draw_card(canvas, theme, room, card, str(place + 1), plan)
        if place in lit:
            frame = at.inflate(theme.px(6), theme.px(6))
            pygame.draw.rect(canvas, theme.colours.focus, frame, theme.px(3), border_radius=theme.px(6))
        rooms.append(room)
    return rooms


def draw_middle(canvas: pygame.Surface, theme: Theme, row: pygame.Rect, view: View) -> None:
    """Draw the fireworks, the remaining tokens, lives and deck, and the discards."""
    pygame.draw.rect(canvas, FELT_EDGE, row)
    piles = len(view["fireworks"])
    share = max(0.4, 0.58 - 0.12 * (theme.scale - 1))  # larger text leaves less room for the piles
    edge = theme.px(10)
    high = max(1, min(row.h - 2 * edge, theme.px(130), round((row.w * share / piles - edge) / SHAPE)))
    step = card_width(high) + edge
    for place, pile in enumerate(view["fireworks"]):
        canvas.blit(firework_pile(theme, pile, high), (row.left + 2 * edge + place * step, row.centery - high // 2))
    left = row.left + 3 * edge + piles * step
    room = pygame.Rect(left, row.top + edge, row.right - left - edge, row.h - 2 * edge)
    wide = room.w * 2 // 5
    _draw_grid(canvas, theme, pygame.Rect(room.left, room.top, wide, room.h), _counts(view), bold=True)
    _draw_grid(canvas, theme, pygame.Rect(room.left + wide, room.top, room.w - wide, room.h), _discards(view))


def _draw_holder(
    canvas: pygame.Surface, theme: Theme, room: pygame.Rect, title: str, said: str, *, on_turn: bool
) -> None:
    name = f"▶ {title}"
    size = largest(theme, (name,), room.w, most=min(grown(theme, themes.BODY), units(theme, room.h / 3)), bold=True)
    words = name if on_turn else title
    drawn = theme.draw_text(canvas, words, room.topleft, size=size, bold=True, width=room.w)
    below = drawn.bottom + theme.px(2)
    longest = _("Told {player}: {value}").format(player=title, value=_("yellow"))  # keeps the size from move to move
    size = largest_block(theme, (said, longest), room.w, room.bottom - below, most=grown(theme, themes.SMALL))
    muted = theme.colours.muted
    canvas.blit(block(theme, said, room.w, size=size, colour=muted, centred=False), (room.left, below))


def _draw_card(
    canvas: pygame.Surface, theme: Theme, room: pygame.Rect, card: Mapping[str, str], number: str, plan: _Plan
) -> pygame.Rect:
    """Draw the card, its number, its hints and what it may still be; returns its place."""
    gap = theme.px(6)
    is_seen = bool(card["card"])
    picture = (
        firework_card(theme, card["card"], plan.card)
        if is_seen
        else known_card(theme, card["colour"], card["rank"], plan.card)
    )
    left = room.left + width_of(theme, number, plan.size) + gap
    place = picture.get_rect(midleft=(left, room.centery)) if plan.is_beside else picture.get_rect(midtop=room.midtop)
    at = canvas.blit(picture, place)
    corner, faint = (at.left - gap // 2, at.bottom), theme.colours.faint
    theme.draw_text(canvas, number, corner, size=plan.size, colour=faint, anchor="bottomright")
    if is_seen:
        _draw_told(canvas, theme, at, card, plan.slot)
    slots = pygame.Rect(0, 0, _SLOTS * plan.slot, 2 * plan.slot)
    if plan.is_beside:
        slots.midleft = at.right + gap, at.centery
    else:
        slots.midtop = at.centerx, at.bottom + gap
    _draw_possible(canvas, theme, slots, card, plan)
    return at


def _draw_told(canvas: pygame.Surface, theme: Theme, at: pygame.Rect, card: Mapping[str, str], size: int) -> None:
    """Draw the hints that the holder has about an open card as pips on its upper corners."""
    if card["colour"]:
        canvas.blit(pip(theme, card["colour"], size), (at.left - size // 3, at.top - size // 4))
    if card["rank"]:
        canvas.blit(pip(theme, card["rank"], size), (at.right - size * 2 // 3, at.top - size // 4))


def _draw_possible(
    canvas: pygame.Surface, theme: Theme, slots: pygame.Rect, card: Mapping[str, str], plan: _Plan
) -> None:
    """Draw the colours and the ranks that the holder cannot rule out, each in its own slot."""
    for place, letter in enumerate(COLOURS):
        if letter in card["colours"]:
            canvas.blit(pip(theme, letter, max(1, plan.slot - 1)), (slots.left + place * plan.slot, slots.top))
    for place, rank in enumerate("12345"):
        middle = slots.left + place * plan.slot + plan.slot // 2, slots.top + plan.slot * 3 // 2
        ink = theme.colours.ink if rank in card["ranks"] else theme.colours.edge
        if rank in card["ranks"]:
            theme.draw_text(canvas, rank, middle, size=plan.size, colour=ink, anchor="center")


@lru_cache(16)
def _plan(theme: Theme, cell: int, high: int) -> _Plan:
    """Find the largest text that leaves room for a card, then the largest card."""
    least = max(theme.px(_LEAST_CARD), high * 2 // 5)

    def best(size: int) -> _Plan:
        slot = min(line_height(theme, size), (cell - theme.px(4)) // _SLOTS)
        plans = (_Plan(_card_height(theme, cell, high, size, slot, side), size, slot, side) for side in (False, True))
        return max(plans, key=lambda plan: plan.card)

    return best(fitting(grown(theme, themes.SMALL, most=2), lambda size: best(size).card >= least))


def _card_height(theme: Theme, cell: int, high: int, size: int, slot: int, is_beside: bool) -> int:
    """Return the height left for a card with its number and pips; 1 without room for them."""
    number = width_of(theme, "5", size) + theme.px(8)
    if is_beside:
        across = cell - _SLOTS * slot - number - theme.px(8)
        return max(1, min(high - theme.px(16), round(across / SHAPE))) if 2 * slot <= high - theme.px(8) else 1
    if slot < line_height(theme, size) and size > themes.SMALLEST:
        return 1
    across = cell - 2 * number
    return max(1, min(high - theme.px(20) - 2 * slot, round(across / SHAPE)))


_Line = tuple[str, Colour]


def _counts(view: View) -> list[_Line]:
    lives = COLOURS["R" if view["lives"] < 2 else "G"]
    return [
        (_("Score {count}").format(count=view["score"]), CHALK),
        (_("Hints {count} of {most}").format(count=view["tokens"], most=view["max_tokens"]), COLOURS["B"]),
        (_("Lives {count} of {most}").format(count=view["lives"], most=view["max_lives"]), lives),
        (_("Deck {count}").format(count=view["deck"]), CHALK_DIM),
    ]


def _discards(view: View) -> list[_Line]:
    lines = [(_("Discarded"), CHALK_DIM)]
    for letter, colour in COLOURS.items():
        ranks = sorted(card[1] for card in view["discards"] if card[0] == letter)
        lines.append((f"{short_name(letter)} {''.join(ranks) or '–'}", colour))
    return lines


def _draw_grid(
    canvas: pygame.Surface, theme: Theme, room: pygame.Rect, lines: list[_Line], *, bold: bool = False
) -> None:
    """Draw lines in one column, or in two where their text becomes larger."""
    words = tuple(line for line, _colour in lines)

    def size_in(columns: int) -> int:
        most = min(grown(theme, themes.SMALL), units(theme, room.h / ceil(len(lines) / columns) / 1.25))
        return largest(theme, words, room.w // columns - theme.px(10), most=most, bold=bold)

    columns = max((1, 2), key=size_in)
    size, rows, wide = size_in(columns), ceil(len(lines) / columns), room.w // columns
    for place, (line, colour) in enumerate(lines):
        at = (room.left + place // rows * wide, room.top + place % rows * (room.h // rows))
        inside = wide - theme.px(6)
        theme.draw_text(canvas, line, at, size=size, bold=bold, colour=colour, width=inside, height=room.h // rows)
