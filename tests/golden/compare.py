"""Compares a picture with the approved one, with a tolerance for what differs between machines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

SIZE = (640, 360)
COLOURS = 64
"""Of a stored picture's palette; both sides are reduced before they are compared."""

MEAN_DIFFERENCE = 1.5
"""Of all channels, 0 to 255, at most."""

CHANGED, CHANGED_SHARE = 48, 0.005
"""A pixel counts as another from this difference of a channel on; so many of all may."""

FOLDER = Path(__file__).parent / "pictures"
FAILED = Path(__file__).parents[2] / "golden-failures"


def reduced(picture: Image.Image) -> Image.Image:
    """Half the size and few colours, as it is stored."""
    small = picture.convert("RGB").resize(SIZE, Image.Resampling.BOX)
    return small.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def save(name: str, picture: Image.Image) -> None:
    """Approve `picture`."""
    FOLDER.mkdir(exist_ok=True)
    reduced(picture).save(FOLDER / f"{name}.png", optimize=True)


def difference(name: str, picture: Image.Image) -> str:
    """How `picture` differs from the approved one, "" where it does not; both are saved side by side if so."""
    path = FOLDER / f"{name}.png"
    if not path.exists():
        return f"expected an approved picture {path.name}; approve this one with: make golden"
    now, approved = reduced(picture).convert("RGB"), Image.open(path).convert("RGB")
    distance = np.abs(_pixels(now) - _pixels(approved))
    mean, share = float(distance.mean()), float((distance.max(axis=2) >= CHANGED).mean())
    if mean <= MEAN_DIFFERENCE and share <= CHANGED_SHARE:
        return ""
    beside = _side_by_side(name, approved, now)
    return (
        f"expected a mean difference <= {MEAN_DIFFERENCE} in {name} and <= {CHANGED_SHARE:.1%} of its pixels changed, "
        f"got: {mean:.2f} and {share:.1%}; see {beside} (approved, now), and approve the new one with: make golden"
    )


def _pixels(picture: Image.Image) -> NDArray[np.int16]:
    return np.asarray(picture, np.int16)


def _side_by_side(name: str, approved: Image.Image, now: Image.Image) -> Path:
    FAILED.mkdir(exist_ok=True)
    both = Image.new("RGB", (2 * SIZE[0] + 8, SIZE[1]))
    both.paste(approved, (0, 0))
    both.paste(now, (SIZE[0] + 8, 0))
    both.save(path := FAILED / f"{name}.png")
    return path
