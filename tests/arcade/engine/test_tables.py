"""Tables of rows and columns, in narrow and low pages."""

import pygame

from arcade.engine.ui.tables import Column, DataTable
from arcade.engine.ui.theme import Theme


def test_a_table_leaves_out_its_last_columns_where_it_is_narrow():
    columns = [Column(f"Column {n}", least=150) for n in range(6)]
    table = DataTable(columns, [["1"] * 6])
    wide, narrow = Theme("night", window=(1280, 720)), Theme("night", window=(640, 360), scale=3)
    table.arrange(wide, pygame.Rect((0, 0), wide.window))
    assert table.shown_columns(wide) == 6
    table.arrange(narrow, pygame.Rect((0, 0), narrow.window))
    assert 1 <= table.shown_columns(narrow) < 6
    assert "Column 5 1" in table.spoken  # read aloud in any case


def test_the_notice_of_an_empty_table_leaves_its_head_readable():
    theme, pictures = Theme("night", window=(640, 360), scale=3), []
    for empty in ("", "No match is finished yet, and this takes some lines"):
        table = DataTable([Column("Player")], empty=empty)
        table.arrange(theme, pygame.Rect(0, 0, 300, table.least_height(theme, 300)))
        canvas = pygame.Surface((300, theme.px(table.head_units)))
        table.draw(canvas, theme)
        pictures.append(pygame.image.tobytes(canvas, "RGB"))
    assert pictures[0] == pictures[1]
