"""The table of function keys names those that the code listens to, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import arcade
from arcade.engine.input.default_bindings import MENUS
from arcade.engine.input.function_keys import FUNCTION_KEYS, function_keys, kinds_of

ROOT = Path(arcade.__file__).parent
KEY = re.compile(r'"(f\d{1,2}|tab)"')


def test_every_function_key_in_use_is_in_the_table_and_every_one_of_the_table_in_use() -> None:
    files = [path for path in ROOT.rglob("*.py") if path.name not in ("function_keys.py", "sources.py")]
    used = {key for path in files for key in KEY.findall(path.read_text())}
    bound = {key for keys in MENUS["keyboard"].values() for key in keys if re.fullmatch(r"f\d{1,2}", key)}
    assert used | bound == {one.key for one in FUNCTION_KEYS} - {"home"}  # a key of menus, too


def uses(*, turn_based: bool = False, board: bool = False, flips: bool = True, insight: bool = False) -> dict[str, str]:
    return dict(function_keys(*kinds_of(turn_based=turn_based, board=board, flips=flips, insight=insight)))


def test_a_turn_based_game_has_no_speed_and_a_card_game_no_draw() -> None:
    assert uses()["F5"] == "Slower"
    assert uses(turn_based=True)["F5"] == "Hint"
    assert "Slower" not in uses(turn_based=True).values()
    assert {"Resign", "Offer a draw", "Flip the board"} <= {*uses(turn_based=True, board=True).values()}
    assert "Flip the board" not in uses(turn_based=True, board=True, flips=False).values(), "as in Connect Four"
    for cards in (uses(turn_based=True), uses()):
        assert not {"Resign", "Offer a draw", "Flip the board"} & {*cards.values()}


def test_ai_insight_is_listed_where_a_player_has_some() -> None:
    assert "F9" not in uses()
    for kind in ({}, {"turn_based": True}, {"turn_based": True, "board": True}):
        assert uses(**kind, insight=True)["F9"] == "AI insight"


def test_a_match_over_the_network_lists_the_keys_that_it_listens_to() -> None:
    heard = {*KEY.findall((ROOT / "scenes/online/match.py").read_text())}
    kinds = kinds_of(turn_based=True, board=True, flips=True, insight=True)
    listed = {key.lower() for key, _words in function_keys(*kinds, online=True)}
    assert listed == heard | {"f10", "f11", "f12"}, "the window's own keys work everywhere"
    assert "f9" not in {key.lower() for key, _words in function_keys("turns", "board", online=True)}
