"""Widgets: controls for keys, one gamepad or the mouse alone.

A scene puts widgets into a `Focus` group, hands it every MenuInput and PointerInput, and draws it.
"""

from arcade.engine.ui.widgets.basic import Area, Button, PaintedWidget, Press, Widget
from arcade.engine.ui.widgets.rows import Choice, Row, Slider, TextField, Toggle

__all__ = [
    "Area", "Button", "Choice", "PaintedWidget", "Press", "Row", "Slider", "TextField", "Toggle", "Widget",
]  # fmt: skip
