"""Colours as people see them: three common kinds of colour blindness, and how far two colours are apart."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from arcade.palettes import Colour

SIGHTS = {
    "usual": np.eye(3),
    "protanopia": np.array([
        [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998],
    ]),
    "deuteranopia": np.array([
        [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881],
    ]),
    "tritanopia": np.array([
        [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900],
    ]),
}  # fmt: skip
"""What each kind makes of linear RGB, at full severity: Machado, Oliveira and Fernandes 2009, supplement."""

_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.119192, 0.9503041]]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])  # D65


def contrast(one: Colour, other: Colour) -> float:
    """WCAG 2.2's contrast ratio, 1 … 21."""
    dark, light = sorted(float(_linear(colour) @ _TO_XYZ[1]) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def nearest(colours: list[Colour]) -> float:
    """CIEDE2000 between the two of them that are nearest, whoever looks; 1 can just be seen side by side."""
    pairs = list(combinations(colours, 2))
    return min(distance(_lab(one, sight), _lab(other, sight)) for one, other in pairs for sight in SIGHTS.values())


def _linear(colour: Colour) -> NDArray[np.float64]:
    part = np.asarray(colour) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def _lab(colour: Colour, sight: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIE L*a*b* of what somebody sees of an sRGB colour."""
    seen = np.clip(sight @ _linear(colour), 0, 1)
    share = _TO_XYZ @ seen / _WHITE
    x, y, z = np.where(share > 216 / 24389, np.cbrt(share), (24389 / 27 * share + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def distance(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """CIEDE2000, after Sharma, Wu and Dalal 2005, equations 2 to 22."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * np.sqrt(mean**7 / (mean**7 + 25**7))
    c1, c2 = np.hypot(a1 * stretch, b1), np.hypot(a2 * stretch, b2)
    h1, h2 = np.arctan2(b1, a1 * stretch), np.arctan2(b2, a2 * stretch)
    turn = (h2 - h1 + np.pi) % (2 * np.pi) - np.pi if c1 * c2 else 0.0
    hue = h1 + turn / 2 if c1 * c2 else h1 + h2
    lightness, chroma = (l1 + l2) / 2 - 50, (c1 + c2) / 2
    waves = [(-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63)]
    t = 1 + sum(size * np.cos(times * hue + np.radians(shift)) for size, times, shift in waves)
    degrees = np.degrees(hue) % 360
    rotation = (
        -2 * np.sqrt(chroma**7 / (chroma**7 + 25**7)) * np.sin(np.radians(60 * np.exp(-(((degrees - 275) / 25) ** 2))))
    )
    dl = (l2 - l1) / (1 + 0.015 * lightness**2 / np.sqrt(20 + lightness**2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * np.sqrt(c1 * c2) * np.sin(turn / 2) / (1 + 0.015 * chroma * t)
    return float(np.sqrt(dl**2 + dc**2 + dh**2 + rotation * dc * dh))
