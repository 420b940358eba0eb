"""The rules of a game as lines of a page."""

from __future__ import annotations

from arcade.engine.ui import theme as themes
from arcade.engine.ui.texts import Paragraph, ReadLine
from arcade.engine.ui.widget import Widget
from arcade.games.spec import GameSpec


class RulesLine(ReadLine, Paragraph):
    """A part of the rules."""


def rules_lines(spec: GameSpec) -> list[Widget]:
    """Return a line for each part of the rules, none where they are not known."""
    return [RulesLine(line, size=themes.SMALL) for line in spec.rules.lines()] if spec.rules else []
