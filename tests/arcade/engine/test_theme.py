"""Text that can be read, and pictures that are drawn anew with other colours."""

from __future__ import annotations

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

from pathlib import Path

import pytest

import arcade
from arcade.engine.ui import theme
from arcade.engine.ui.table import Column, DataTable
from arcade.palettes import PALETTES


@pytest.fixture(autouse=True)
def night():
    theme.forget_fonts()
    yield
    theme.use("night")
    theme.forget_fonts()


def test_text_too_small_to_read_is_refused():
    with pytest.raises(ValueError, match="expected text of 14 pixels or more, got: 13"):
        theme.text("tiny", size=13)


def test_another_palette_draws_everything_anew():
    before, kept = theme.text("same"), theme.version
    theme.use("daylight", scale=2)
    try:
        assert PALETTES["daylight"].ink == theme.INK
        assert theme.team_colour(0) == PALETTES["daylight"].teams[0]
        assert theme.text("same") is not before
        assert theme.version != kept
        assert theme.scaled(18) == 36
    finally:
        theme.use("night")
    with pytest.raises(ValueError, match="expected a palette among night, daylight, high contrast, got: 'mauve'"):
        theme.use("mauve")


def test_all_text_goes_through_the_theme():
    """Which refuses what is too small; a game's own picture is not the arcade's text."""
    root = Path(arcade.__file__).parent
    sources = [path for folder in ("engine", "scenes") for path in (root / folder).rglob("*.py")]
    others = [
        path.name for path in sources if "pygame.font.Font(" in path.read_text() or "freetype" in path.read_text()
    ]
    assert others == ["theme.py"]


def test_what_is_kept_is_drawn_anew_in_another_palette(turns):
    widget = DataTable((0, 0, 400, 300), [Column("Name")])
    widget.set_rows([("one",)])
    for palette in ("night", "daylight"):
        theme.use(palette)
        widget.draw(turns.engine.canvas)
        assert turns.engine.canvas.get_at((200, 290))[:3] == PALETTES[palette].panel
