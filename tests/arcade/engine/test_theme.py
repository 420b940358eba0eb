"""Text that can be read, drawn once, and cut to its width."""

from __future__ import annotations

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

from pathlib import Path

import pygame
import pytest

import arcade
from arcade.engine.ui.glyphs import glyph
from arcade.engine.ui.theme import Theme
from arcade.palettes import PALETTES


def test_text_too_small_to_read_is_refused():
    with pytest.raises(ValueError, match="expected text of 14 units or more, got: 13"):
        Theme().text("tiny", size=13)


def test_another_palette_is_another_theme():
    night = Theme()
    day = night.like("daylight", night.window, night.scale)
    assert day.colours == PALETTES["daylight"]
    assert day.team_colour(0) == PALETTES["daylight"].teams[0]
    assert day.text("same") is not night.text("same")
    assert day.like("daylight", night.window, night.scale) is day
    with pytest.raises(ValueError, match="expected a palette among night, daylight, high contrast, got: 'mauve'"):
        Theme("mauve")


def test_pictures_are_drawn_once_for_all_themes_of_the_same_values():
    """Each picture of a recording is drawn with a theme of its own: the caches would fill up with them."""
    assert glyph(Theme(), "xbox", "a", "A") is glyph(Theme(), "xbox", "a", "A")
    assert glyph(Theme(scale=2.0), "xbox", "a", "A") is not glyph(Theme(), "xbox", "a", "A")


def test_a_theme_from_before_a_quit_of_pygame_is_not_taken_for_a_new_one():
    old = Theme()
    old.text("a line")
    pygame.quit()
    pygame.init()
    assert Theme() != old
    assert Theme() == Theme()
    assert Theme().fit("another line", width=300, height=0, size=20, bold=False)


def test_text_is_drawn_once_and_cut_where_it_is_too_wide():
    theme = Theme()
    assert theme.text("same") is theme.text("same")
    assert theme.fitted("a very long line of words", width=100).get_width() <= 100
    runs = [f"volley-20261123-21110{number}" for number in range(3)]
    cut = {theme.cut(run, 100, bold=False, keep_end=False) for run in runs}
    assert len(cut) == 3, "names that differ at their ends look alike"
    assert all(text.startswith("volley") for text in cut)
    assert theme.paragraph("words " * 40, width=200).get_width() <= 200


def test_texts_that_never_come_twice_take_no_more_memory():
    theme = Theme()
    wide = {"width": 1000, "size": 30.0}
    for number in range(300):
        theme.paragraph(f"The recording house-volley-{number:06} could not be written. " * 8, **wide)
        theme.text(f"The recording house-volley-{number:06} could not be written", size=30.0)
    assert theme.paragraph.bytes + theme.text.bytes <= 4 * 4 * 1280 * 720
    newest = theme.paragraph("newest", **wide)
    assert theme.paragraph("newest", **wide) is newest


def test_texts_that_are_drawn_no_more_are_freed():
    theme = Theme()
    title = theme.text("Play")
    theme.forget_unused()
    for number in range(300):
        theme.text(f"{number} points")
        theme.paragraph(f"The recording {number} could not be written. " * 8, width=1000)
        theme.text("Play")
    theme.forget_unused()  # all were drawn since the last call
    assert theme.text("Play") is title
    theme.forget_unused()
    assert theme.text("Play") is title
    assert theme.text.bytes + theme.paragraph.bytes < 2**16


def test_a_dimmed_picture_is_mixed_with_the_ground():
    theme, canvas = Theme(), pygame.Surface((8, 8), depth=32)
    before = (255, 128, 0)
    canvas.fill(before)
    theme.dim(canvas, 170)
    mixed = [(old * 85 + new * 170) / 255 for old, new in zip(before, theme.colours.ground, strict=True)]
    assert list(canvas.get_at((4, 4)))[:3] == pytest.approx(mixed, abs=1.5)


def test_all_text_goes_through_the_theme():
    """Which refuses what is too small; a game's own picture is not the arcade's text."""
    root = Path(arcade.__file__).parent
    sources = [path for folder in ("engine", "scenes") for path in (root / folder).rglob("*.py")]
    others = [
        path.name for path in sources if "pygame.font.Font(" in path.read_text() or "freetype" in path.read_text()
    ]
    assert others == ["theme.py"]
