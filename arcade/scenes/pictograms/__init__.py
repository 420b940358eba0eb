"""Small drawn pictures: icons of players, key caps, a pad and a mouse."""

from arcade.scenes.pictograms.controls import (
    PARTS,
    button_cap,
    cross_cap,
    key_cap,
    mouse_picture,
    pad_picture,
    part_of,
    stick_cap,
)  # fmt: skip
from arcade.scenes.pictograms.devices import icon

__all__ = [
    "PARTS", "button_cap", "cross_cap", "icon", "key_cap", "mouse_picture", "pad_picture", "part_of", "stick_cap"
]  # fmt: skip
