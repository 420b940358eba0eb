"""The way to the pages of a training, by any hand."""

from __future__ import annotations

from typing import Any

from arcade.engine.ui.cards import Card
from arcade.scenes.training.run_scene import RunScene


def open_run(sitting: Any, hand: Any, row: int = 0) -> RunScene:
    """Open the page of a run, by its place in the list."""
    hand.choose("Training")
    sitting.until(lambda: sitting.engine.scene.runs, "the runs")
    sitting.frame(2)
    cards = [widget for widget in sitting.engine.scene.focus.widgets if isinstance(widget, Card)]
    hand.choose(cards[row].label)
    scene = sitting.engine.scene
    assert sitting.on == "RunScene"
    return scene
