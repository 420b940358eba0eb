"""Draws Hanabi's cards (colours also named), hands with hints, and fireworks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Any

import pygame

from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Colour, Theme
from arcade.match.stage.tick import View
from arcade.scenes.tables.card_table import CHALK, CHALK_DIM, FELT_EDGE
from arcade.scenes.tables.lettering import block, fitting, grown, largest, largest_block, line_height, units, width_of
from arcade.scenes.tables.playing_cards import SHAPE, card_width, gap, plate

COLOURS: Mapping[str, tuple[str, Colour]] = {
    "R": ("red", (240, 104, 92)),
    "Y": ("yellow", (240, 214, 80)),
    "G": ("green", (84, 196, 128)),
    "W": ("white", (236, 234, 228)),
    "B": ("blue", (104, 168, 240)),
}

_LONGEST = max((name for name, _ in COLOURS.values()), key=len)
_INK, _EDGE = (24, 22, 27), (120, 112, 104)
_BACK, _BACK_LINE = (58, 54, 74), (112, 104, 140)


@lru_cache(128)
def firework_card(theme: Theme, card: str, height: int) -> pygame.Surface:
    """Return the face of a card such as "R3" (colour, rank); do not draw on it."""
    name, fill = COLOURS[card[0]]
    picture = plate(height, fill, _EDGE)
    below = _name_on(theme, name, height)
    share = theme.px(below[1]) / height
    size = max(themes.SMALLEST, units(theme, height * min(0.56, 0.92 - share)))
    _write(picture, theme, card[1], size, (0.5, min(0.42, (0.98 - share) / 2)))
    _write(picture, theme, *below, (0.5, 0.98 - share * 0.6))
    return picture


@lru_cache(16)
def firework_back(height: int) -> pygame.Surface:
    """Return the back of a card."""
    picture = plate(height, _BACK, _EDGE)
    middle = pygame.Vector2(picture.get_width() / 2, height / 2)
    for step in range(8):
        turned = pygame.Vector2(height * 0.26, 0).rotate(step * 45)
        pygame.draw.aaline(picture, _BACK_LINE, middle + turned * 0.35, middle + turned)
        pygame.draw.circle(picture, _BACK_LINE, middle + turned, max(2, height // 40))
    return picture


@lru_cache(64)
def firework_pile(theme: Theme, pile: str, height: int) -> pygame.Surface:
    """Return a firework such as "R3": its highest card; the outline of an empty one (R0)."""
    if pile[1] != "0":
        return firework_card(theme, pile, height)
    name, colour = COLOURS[pile[0]]
    picture = gap(height, colour).copy()
    _write(picture, theme, *_name_on(theme, name, height), (0.5, 0.5), colour)
    return picture


def _name_on(theme: Theme, name: str, height: int) -> tuple[str, int]:
    """Return a colour's name, or its letter on a narrow card, and the text size for all colours."""
    wide = round(card_width(height) * 0.9)
    size = largest(theme, (_LONGEST,), wide, most=units(theme, height * min(0.3, 0.16 * theme.scale)), bold=True)
    if width_of(theme, _LONGEST, size, bold=True) <= wide:
        return name, size
    return name[0].upper(), max(themes.SMALLEST, units(theme, height * 0.3))


def _write(
    picture: pygame.Surface, theme: Theme, words: str, size: int, at: tuple[float, float], colour: Colour = _INK
) -> None:
    text = theme.text(words, size=size, colour=colour, bold=True)
    middle = (round(picture.get_width() * at[0]), round(picture.get_height() * at[1]))
    picture.blit(text, text.get_rect(center=middle))


_COLUMN = 190  # pixels for the player's name
_CARDS = 5  # in a whole hand

_LEAST_CARD = 44


@dataclass(frozen=True, slots=True)
class _Plan:
    """The layout of a card in a hand, in pixels."""

    card: int  # height
    size: int  # of the text
    lines: int  # of text: 2 or 3 below the card, 4 beside it


def draw_hand(
    canvas: pygame.Surface, theme: Theme, row: pygame.Rect, seat: Mapping[str, Any], title: str, *, on_turn: bool
) -> None:
    """Draw the title of a seat and last move, then the cards."""
    column, edge = theme.px(grown(theme, _COLUMN, most=1.1)), theme.px(6)
    room = pygame.Rect(row.left + 3 * edge, row.top + edge, column - 4 * edge, row.h - edge)
    _draw_holder(canvas, theme, room, title, seat["said"], on_turn=on_turn)
    cell = (row.w - column - edge) // max(_CARDS, len(seat["hand"]))
    plan = _plan(theme, cell, row.h)
    for place, card in enumerate(seat["hand"]):
        room = pygame.Rect(row.left + column + place * cell, row.top + edge, cell, row.h - 2 * edge)
        _draw_card(canvas, theme, room, card, str(place + 1), plan)


def draw_middle(canvas: pygame.Surface, theme: Theme, row: pygame.Rect, view: View) -> None:
    """Draw the fireworks, the remaining tokens, lives and deck, and the discards."""
    pygame.draw.rect(canvas, FELT_EDGE, row)
    piles = len(view["fireworks"])
    share = max(0.4, 0.58 - 0.12 * (theme.scale - 1))  # larger text leaves less room for the piles
    edge = theme.px(10)
    high = min(row.h - 2 * edge, theme.px(130), round((row.w * share / piles - edge) / SHAPE))
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
    colour = theme.team_colour(0) if on_turn else theme.colours.ink
    words = name if on_turn else title
    below = theme.draw_text(canvas, words, room.topleft, size=size, bold=True, colour=colour, width=room.w).bottom + 2
    said = said or "no move yet"
    longest = f"told {title}: colour yellow"  # keeps the text size from move to move
    size = largest_block(theme, (said, longest), room.w, room.bottom - below, most=grown(theme, themes.SMALL))
    canvas.blit(block(theme, said, room.w, size=size, colour=theme.colours.muted, centred=False), (room.left, below))


def _draw_card(
    canvas: pygame.Surface, theme: Theme, room: pygame.Rect, card: Mapping[str, str], number: str, plan: _Plan
) -> None:
    gap = theme.px(6)
    picture = firework_card(theme, card["card"], plan.card) if card["card"] else firework_back(plan.card)
    if plan.lines == 4:
        at = canvas.blit(picture, picture.get_rect(midleft=room.midleft))
        words = pygame.Rect(at.right + gap, 0, room.right - at.right - gap, 4 * line_height(theme, plan.size))
        words.centery = room.centery
        lines = (number, *_facts(card, 3))
    else:
        at = canvas.blit(picture, picture.get_rect(midtop=room.midtop))
        corner = (at.left - gap, at.bottom)
        theme.draw_text(canvas, number, corner, size=plan.size, colour=theme.colours.faint, anchor="bottomright")
        words = pygame.Rect(room.left, at.bottom + 2, room.w, room.bottom - at.bottom)
        lines = _facts(card, plan.lines)
    _draw_lines(canvas, theme, words, lines, plan)


def _draw_lines(canvas: pygame.Surface, theme: Theme, room: pygame.Rect, lines: Iterable[str], plan: _Plan) -> None:
    """Draw the facts on a card, the hints in bold."""
    beside = plan.lines == 4
    for place, line in enumerate(lines):
        told = place == (1 if beside else 0)
        at = (room.left if beside else room.centerx, room.top + place * line_height(theme, plan.size))
        theme.draw_text(
            canvas, line, at, size=plan.size, bold=told, colour=theme.colours.ink if told else theme.colours.muted,
            anchor="topleft" if beside else "midtop", width=room.w,
        )  # fmt: skip


@lru_cache(16)
def _plan(theme: Theme, cell: int, high: int) -> _Plan:
    """Find the largest text that leaves room for a card, then the largest card."""
    least = max(theme.px(_LEAST_CARD), high * 2 // 5)

    def best(size: int) -> _Plan:
        return max(
            (_Plan(_card_height(theme, cell, high, size, n), size, n) for n in (2, 3, 4)), key=lambda plan: plan.card
        )

    return best(fitting(grown(theme, themes.SMALL, most=2), lambda size: best(size).card >= least))


def _card_height(theme: Theme, cell: int, high: int, size: int, lines: int) -> int:
    """Return the height left for a card beside so many lines; 1 without room for the text."""
    hint = max(width_of(theme, words, size, bold=True) for words in ("yellow 3", "not told"))
    together = lines * line_height(theme, size)
    if lines == 4:
        across = cell - max(hint, width_of(theme, "RYGWB", size)) - theme.px(16)
        return min(high - theme.px(16), round(across / SHAPE)) if together <= high - theme.px(8) else 1
    widest = max(hint, width_of(theme, "RYGWB 12345", size) if lines == 2 else 0)
    across = cell - 2 * (width_of(theme, "5", size) + theme.px(8))
    return min(high - theme.px(14) - together, round(across / SHAPE)) if widest <= cell - theme.px(8) else 1


def _facts(card: Mapping[str, str], lines: int) -> tuple[str, ...]:
    """Return the hints on a card, and the colours and ranks that remain possible."""
    colour = COLOURS[card["colour"]][0] if card["colour"] else ""
    hint = f"{colour} {card['rank']}".strip() or "not told"
    return (hint, f"{card['colours']} {card['ranks']}") if lines == 2 else (hint, card["colours"], card["ranks"])


_Line = tuple[str, Colour]


def _counts(view: View) -> list[_Line]:
    return [
        (f"Score {view['score']}", CHALK),
        (f"Hints {view['tokens']} of {view['max_tokens']}", COLOURS["B"][1]),
        (f"Lives {view['lives']} of {view['max_lives']}", COLOURS["R" if view["lives"] < 2 else "G"][1]),
        (f"Deck {view['deck']}", CHALK_DIM),
    ]


def _discards(view: View) -> list[_Line]:
    lines = [("Discarded", CHALK_DIM)]
    for letter, (_, colour) in COLOURS.items():
        ranks = sorted(card[1] for card in view["discards"] if card[0] == letter)
        lines.append((f"{letter} {''.join(ranks) or '–'}", colour))
    return lines


def _draw_grid(
    canvas: pygame.Surface, theme: Theme, room: pygame.Rect, lines: list[_Line], *, bold: bool = False
) -> None:
    """Draw lines in one column, or in two where their text becomes larger."""
    words = tuple(line for line, _ in lines)

    def size_in(columns: int) -> int:
        most = min(grown(theme, themes.SMALL), units(theme, room.h / ceil(len(lines) / columns) / 1.25))
        return largest(theme, words, room.w // columns - theme.px(10), most=most, bold=bold)

    columns = max((1, 2), key=size_in)
    size, rows, wide = size_in(columns), ceil(len(lines) / columns), room.w // columns
    for place, (line, colour) in enumerate(lines):
        at = (room.left + place // rows * wide, room.top + place % rows * (room.h // rows))
        theme.draw_text(canvas, line, at, size=size, bold=bold, colour=colour, width=wide - theme.px(6))
