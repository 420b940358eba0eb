"""The controls of one person on a card: what can be done, on keys, on a pad and with the mouse."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from arcade.engine import theme
from arcade.engine.layouts import Layout
from arcade.games.controls import ControlRow
from arcade.games.spec import GameSpec
from arcade.scenes.hud.presses import draw_presses, presses
from arcade.scenes.hud.seat_cards import SeatCard
from arcade.scenes.pictograms import PARTS, icon, mouse_picture, pad_picture, part_of
from arcade.scenes.pictograms.pad import HEIGHT, WIDTH

CAP = 34
WORDS, KEYS, PAD = 0, 210, 420
"""Where the columns begin."""

APART = 560
"""Where the drawn pad begins."""

LABEL = 112
"""Pixels for the words beside the pad."""

MOST = 9
"""Lines of the table; where there are more, groups are told as one."""

Line = tuple[str, tuple[ControlRow, ...]]


def draw_card(canvas: pygame.Surface, area: pygame.Rect, spec: GameSpec, card: SeatCard) -> None:
    """All of it in `area`, which is at least 1080 x 480 pixels."""
    colour = theme.team_colour(spec.team_of(card.agents[0]))
    lines = card_lines(card)
    _draw_table(canvas, area, lines, card, colour)
    place = pygame.Rect(area.left + APART, area.top + 30, area.w - APART, 230)
    _draw_pad(canvas, place, lines, card.pad, colour)
    if card.controls.mouse:
        _draw_mouse(canvas, pygame.Rect(place.left, place.bottom + 40, place.w, 100), card.controls.mouse, colour)


def card_lines(card: SeatCard) -> list[Line]:
    """What the table tells, line by line: (words, rows that it stands for)."""
    crowded = len(card.controls.rows) > MOST
    lines: list[Line] = []
    for words, rows in card.groups().items():
        if crowded or len(rows) > 2:
            lines.append((words, rows))
        else:
            lines += [(row.words, (row,)) for row in rows]
    return lines[:MOST]


def _draw_table(
    canvas: pygame.Surface, area: pygame.Rect, lines: Sequence[Line], card: SeatCard, colour: theme.Colour
) -> None:
    for left, layout, words in ((KEYS, card.keyboard, "Keyboard"), (PAD, card.pad, "Gamepad")):
        own = layout is card.own
        ink = colour if own else theme.FAINT
        at = (area.left + left, area.top)
        theme.draw_text(canvas, f"{words}  (yours)" if own and card.choice.is_human else words, at, size=theme.SMALL,
                        bold=own, colour=ink)  # fmt: skip
    step = min(54, (area.h - 40) // max(1, len(lines)))
    for place, (words, rows) in enumerate(lines):
        middle = area.top + 56 + place * step
        picture = theme.paragraph(words, width=KEYS - 16, size=theme.SMALL, bold=True)
        canvas.blit(picture, picture.get_rect(midleft=(area.left, middle)))
        for left, room, layout in ((KEYS, PAD - KEYS, card.keyboard), (PAD, APART - PAD, card.pad)):
            _draw_caps(canvas, (area.left + left, middle), rows, layout, room=room - 14)


def _draw_caps(
    canvas: pygame.Surface, at: tuple[int, int], rows: Sequence[ControlRow], layout: Layout, *, room: int
) -> None:
    """As many ways to do it as there is room for."""
    ways = presses(rows, layout)
    for count in range(len(ways), 0, -1):
        picture = draw_presses(layout.kind, ways[:count], size=CAP)
        if picture.get_width() <= room or count == 1:
            canvas.blit(picture, picture.get_rect(midleft=at))
            return
    theme.draw_text(canvas, "no key" if layout.kind == "keyboard" else "no button", at, size=theme.SMALL,
                    colour=theme.FAINT, anchor="midleft")  # fmt: skip


def _draw_pad(
    canvas: pygame.Surface, area: pygame.Rect, lines: Sequence[Line], layout: Layout, colour: theme.Colour
) -> None:
    """The pad, and beside it what its parts do, each told once a side."""
    words = pad_words(lines, layout)
    lit = frozenset(part for parts in words.values() for part in parts)
    picture = pad_picture(lit, size=area.h, line=theme.MUTED, light=colour)
    where = canvas.blit(picture, picture.get_rect(center=area.center))
    for is_left in (True, False):
        labels = {
            one: [part for part in parts if (PARTS[part][0] < WIDTH / 2) == is_left] for one, parts in words.items()
        }
        bottom = area.top - 20
        for one, parts in sorted(labels.items(), key=lambda label: [PARTS[part][1] for part in label[1]]):
            if parts:
                spots = [_spot(part, where) for part in parts]
                bottom = _draw_label(canvas, one, spots, area, is_left=is_left, below=bottom)


def _spot(part: str, pad: pygame.Rect) -> tuple[float, float]:
    return pad.left + PARTS[part][0] * pad.w / WIDTH, pad.top + PARTS[part][1] * pad.h / HEIGHT


def _draw_label(
    canvas: pygame.Surface,
    words: str,
    spots: Sequence[tuple[float, float]],
    area: pygame.Rect,
    *,
    is_left: bool,
    below: int,
) -> int:
    """Words level with their parts, or under the words before, and a line to each; returns where they end."""
    picture = theme.paragraph(words, width=LABEL, size=16)
    rect = picture.get_rect(centery=round(sum(y for _, y in spots) / len(spots)))
    rect.top = max(rect.top, below + 4)
    if is_left:
        rect.right = area.left + LABEL
    else:
        rect.left = area.right - LABEL
    start = (rect.right + 6, rect.centery) if is_left else (rect.left - 6, rect.centery)
    for spot in spots:
        pygame.draw.aaline(canvas, theme.INK, start, spot)
    canvas.blit(picture, rect)
    return rect.bottom


def pad_words(lines: Sequence[Line], layout: Layout) -> dict[str, list[str]]:
    """What the pad does, in words, and the parts that do it; rows of a group are told as one."""
    found: dict[str, list[str]] = {}
    for _, rows in lines:
        for row in rows:
            parts = found.setdefault(row.group or row.words, [])
            sources = [source for alternative in presses((row,), layout) for source in alternative]
            parts += [part for part in map(part_of, sources) if part in PARTS and part not in parts]
    return found


def _draw_mouse(canvas: pygame.Surface, area: pygame.Rect, words: str, colour: theme.Colour) -> None:
    picture = mouse_picture(size=area.h, line=theme.MUTED, light=colour)
    where = canvas.blit(picture, picture.get_rect(midleft=(area.left + 90, area.centery)))
    text = theme.paragraph(words, width=area.right - where.right - 30)
    canvas.blit(text, text.get_rect(midleft=(where.right + 24, area.centery)))


def card_title(spec: GameSpec, card: SeatCard, names: Sequence[str]) -> str:
    """Whose controls they are: ``Ann: left_0, left_1``."""
    seats = ", ".join(str(agent) for agent in card.agents[:4]) + (" …" if len(card.agents) > 4 else "")
    who = ", ".join(dict.fromkeys(names))
    return f"{who}: {seats}" if who else seats


def card_icon(spec: GameSpec, card: SeatCard) -> pygame.Surface:
    """The device that the card is of, in its team's colour."""
    return icon(card.choice, size=28, colour=theme.team_colour(spec.team_of(card.agents[0])))
