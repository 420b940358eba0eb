"""Palettes of the screens: night, daylight, high contrast.

The team colours differ for the common kinds of colour blindness, which a test simulates; the first two are a blue and
an orange (Okabe and Ito 2008).
"""

from __future__ import annotations

from dataclasses import dataclass

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """Text is readable, 4.5:1, on `ground`, `panel` and `raised`, but for `faint` on `raised`."""

    ground: Colour  # behind everything
    panel: Colour
    raised: Colour  # a control on a panel
    edge: Colour
    well: Colour  # behind the pictures of games
    ink: Colour  # text
    muted: Colour  # second text
    faint: Colour  # third text, and disabled controls
    focus: Colour  # around the focused control
    green: Colour  # all is well
    yellow: Colour  # it waits
    warning: Colour
    teams: tuple[Colour, ...]  # eight, in the order of GameSpec.teams


NIGHT = Palette(
    ground=(24, 22, 27), panel=(38, 35, 42), raised=(54, 50, 59), edge=(96, 90, 104), well=(10, 9, 12),
    ink=(245, 240, 232), muted=(184, 176, 168), faint=(152, 144, 142), focus=(240, 160, 48), green=(64, 190, 150),
    yellow=(240, 228, 100), warning=(255, 120, 90),
    teams=(
        (86, 180, 233), (240, 160, 48), (30, 250, 165), (255, 201, 221),
        (250, 236, 40), (202, 210, 255), (182, 174, 168), (208, 133, 179),
    ),
)  # fmt: skip

DAYLIGHT = Palette(
    ground=(240, 236, 228), panel=(252, 250, 246), raised=(230, 224, 214), edge=(150, 141, 128), well=(206, 199, 187),
    ink=(34, 30, 40), muted=(74, 68, 70), faint=(100, 94, 94), focus=(160, 72, 0), green=(0, 108, 80),
    yellow=(108, 90, 0), warning=(150, 10, 40),
    teams=(
        (0, 90, 200), (160, 72, 0), (0, 52, 36), (63, 0, 73),
        (59, 55, 6), (31, 0, 186), (0, 7, 19), (23, 99, 67),
    ),
)  # fmt: skip

CONTRAST = Palette(
    ground=(0, 0, 0), panel=(16, 16, 18), raised=(40, 40, 46), edge=(150, 150, 160), well=(0, 0, 0),
    ink=(255, 255, 255), muted=(222, 222, 222), faint=(184, 184, 184), focus=(255, 170, 0), green=(0, 230, 150),
    yellow=(255, 255, 60), warning=(255, 130, 110),
    teams=(
        (90, 190, 255), (255, 170, 0), (0, 255, 144), (255, 200, 222),
        (249, 247, 23), (186, 148, 200), (178, 190, 174), (0, 185, 116),
    ),
)  # fmt: skip

PALETTES: dict[str, Palette] = {"night": NIGHT, "daylight": DAYLIGHT, "high contrast": CONTRAST}  # by setting
