"""Walks a page by arrows alone, as keys and pads do: from every widget to every other one."""

from __future__ import annotations

from collections.abc import Iterator

from arcade.engine.ui.controls import Choice, Slider, Toggle
from arcade.engine.ui.focus import Focus
from arcade.engine.ui.widget import Widget
from arcade.scenes.replay.scrub import ScrubBar
from arcade.scenes.training.field_row import FieldRow

MOST_PRESSES = 30
"""Steps from any widget of a page to any other; those that change a value or move in a list are not counted."""

TURNED_SIDEWAYS = (Choice, Slider, Toggle, ScrubBar, FieldRow)
"""Widgets that left and right change, and never leave."""


def too_far(focus: Focus) -> Iterator[str]:
    """Yield "from → to" for widgets that arrows do not lead to within MOST_PRESSES; the focus stays where it is."""
    before, widgets = focus.focused, focus.widgets
    steps = {widget: _steps(focus, widget) for widget in widgets}
    for start in widgets:
        reached = {start}
        edge = {start}
        for _press in range(MOST_PRESSES):
            edge = {there for here in edge for there in steps[here]} - reached
            reached |= edge
        yield from (f"{_name(start)} → {_name(widget)}" for widget in widgets if widget not in reached)
    if before is not None:
        focus.focus(before, silently=True)


def _steps(focus: Focus, widget: Widget) -> list[Widget]:
    """Return the widgets that one press leads to."""
    focus.focus(widget, silently=True)  # scrolls it into view
    ways = ("up", "down") if isinstance(widget, TURNED_SIDEWAYS) else ("up", "down", "left", "right")
    found = (focus.neighbour(widget, way, wrap=True) for way in ways)
    return [there for there in found if there is not None]


def _name(widget: Widget) -> str:
    return widget.label or widget.key or type(widget).__name__
