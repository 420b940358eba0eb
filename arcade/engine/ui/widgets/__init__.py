"""Widgets: controls for keys, one gamepad or the mouse alone.

A scene puts widgets into a `Focus` group, hands it every MenuInput and PointerInput, and draws it.
"""

from arcade.engine.ui.widgets.basic import UNPLACED, Area, Button, PaintedWidget, Press, Widget, column
from arcade.engine.ui.widgets.rows import Choice, Row, Slider, TextField, Toggle

__all__ = [
    "UNPLACED", "Area", "Button", "Choice", "PaintedWidget", "Press", "Row", "Slider", "TextField", "Toggle", "Widget",
    "column",
]  # fmt: skip
