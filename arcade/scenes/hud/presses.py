"""The keys or buttons of a control on one device, as sources and as drawn caps."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from arcade.engine.input.key_bindings import DeviceBindings
from arcade.engine.input.sources import source_label
from arcade.engine.ui import theme
from arcade.games.controls import ControlRow
from arcade.scenes.hud.piece import beside
from arcade.scenes.pictograms import button_cap, cross_cap, key_cap, part_of, stick_cap

Alternative = tuple[str, ...]  # sources that belong together, such as W, A, S and D

DIRECTIONS = ("up", "left", "down", "right")


def presses(rows: Sequence[ControlRow], bindings: DeviceBindings, *, most: int = 2) -> tuple[Alternative, ...]:
    """Return the alternatives for one row, or for the rows of one group.

    At most `most` for each control, as the halves of a whole keyboard, or a pad's cross and stick.
    """
    if len(rows) > 1:
        firsts = sorted((row.controls[0] for row in rows if row.controls), key=_place)
    elif set(DIRECTIONS) <= set(rows[0].controls):
        firsts = list(DIRECTIONS)
    else:
        sources = [source for control in rows[0].controls for source in bindings.sources.get(control, ())[:most]]
        return tuple((source,) for source in dict.fromkeys(sources))
    return tuple(zip(*(bindings.sources.get(control, ())[:most] for control in firsts), strict=False))


def _place(control: str) -> int:
    return DIRECTIONS.index(control) if control in DIRECTIONS else len(DIRECTIONS)


def draw_presses(kind: str, alternatives: Sequence[Alternative], *, size: int) -> pygame.Surface:
    """Draw the caps of all alternatives, with "or" between them; `kind` is that of the bindings."""
    pictures: list[pygame.Surface] = []
    for alternative in alternatives:
        if pictures:
            pictures.append(theme.text("or", size=max(14, size // 2), colour=theme.FAINT))
        pictures.append(_draw(kind, alternative, size))
    return beside(pictures, gap=max(4, size // 6))


def _draw(kind: str, sources: Alternative, size: int) -> pygame.Surface:
    if kind == "keyboard" and set(sources) == set(DIRECTIONS):
        return key_cap("Arrows", size=size)  # one cap instead of four leaves room for the alternative W A S D
    if kind == "keyboard":
        return beside([key_cap(source_label(kind, source), size=size) for source in sources], gap=2)
    parts = dict.fromkeys(_part(source) for source in sources)
    return beside([_draw_part(part, sources, size) for part in parts], gap=2)


def _part(source: str) -> str:
    return "cross" if source in DIRECTIONS else part_of(source)


def _draw_part(part: str, sources: Alternative, size: int) -> pygame.Surface:
    ways = "".join(_WAYS[source] for source in sources if _part(source) == part and part in _MOVING)
    match part:
        case "cross":
            return cross_cap(ways, size=size)
        case "stick":
            return stick_cap(ways, size=size)
        case "rstick":
            return stick_cap(ways, letter="R", size=size)
        case "a" | "b" | "x" | "y":
            return button_cap(part.upper(), size=size)
    return key_cap(part.removeprefix("button ").upper(), size=size)


_MOVING = ("cross", "stick", "rstick")
_WAYS = {way: way[0] for way in DIRECTIONS} | {
    f"{stick}{half}": way for stick in ("", "r") for half, way in (("x-", "l"), ("x+", "r"), ("y-", "u"), ("y+", "d"))
}
"""Source → the first letter of its direction."""
