"""Widgets: what can be seen and pressed, by keys, one pad or the mouse alone.

A scene puts widgets into a `Focus` group, hands it every MenuInput and PointerInput, and draws it.
"""

from arcade.engine.ui.widgets.base import Area, Widget, beginning, draw_ring
from arcade.engine.ui.widgets.plain import Button, Label, Panel, Press
from arcade.engine.ui.widgets.rows import Choice, Row, Slider, TextField, Toggle

__all__ = [
    "Area", "Button", "Choice", "Label", "Panel", "Press", "Row", "Slider", "TextField", "Toggle", "Widget",
    "beginning", "draw_ring",
]  # fmt: skip
