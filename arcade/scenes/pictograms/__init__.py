"""Small drawn pictures: icons of players, key caps, a pad and a mouse."""

from arcade.scenes.pictograms.caps import button_cap, cross_cap, key_cap, stick_cap
from arcade.scenes.pictograms.devices import icon
from arcade.scenes.pictograms.pad import PARTS, mouse_picture, pad_picture, part_of

__all__ = [
    "PARTS", "button_cap", "cross_cap", "icon", "key_cap", "mouse_picture", "pad_picture", "part_of", "stick_cap"
]  # fmt: skip
