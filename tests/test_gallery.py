"""The gallery of all games in the documentation."""

from pathlib import Path

import arcade
from docs.generate import games


def test_it_tells_the_levels_of_every_game(tmp_path: Path) -> None:
    text = "\n".join(games(tmp_path)).partition("## Games of other packages")[0]
    parts = text.split("\n### ")[1:]
    assert len(parts) == len(arcade.games())
    assert [part.partition("\n")[0] for part in parts if "easy, normal, hard, expert" not in part] == []
