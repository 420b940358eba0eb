"""The table of function keys names those that the code listens to, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import arcade
from arcade.engine.input.default_bindings import MENUS
from arcade.engine.input.function_keys import FUNCTION_KEYS, function_keys

ROOT = Path(arcade.__file__).parent
KEY = re.compile(r'"(f\d{1,2}|tab)"')


def test_every_function_key_in_use_is_in_the_table_and_every_one_of_the_table_in_use() -> None:
    files = [path for path in ROOT.rglob("*.py") if path.name not in ("function_keys.py", "sources.py")]
    used = {key for path in files for key in KEY.findall(path.read_text())}
    bound = {key for keys in MENUS["keyboard"].values() for key in keys if re.fullmatch(r"f\d{1,2}", key)}
    assert used | bound == {one.key for one in FUNCTION_KEYS}


def test_a_turn_based_game_has_no_speed() -> None:
    assert "F5" in dict(function_keys())
    assert dict(function_keys(turn_based=True))["F5"] == "Hint"
    assert "Slower" not in dict(function_keys(turn_based=True)).values()
    assert "Resign" not in dict(function_keys()).values()
