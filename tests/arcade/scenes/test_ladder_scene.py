"""The ladder's pages by keyboard, pad and mouse: which game, whose numbers, which pair, and what is new."""

from __future__ import annotations

import re
from pathlib import Path

import pygame
import pytest

from agents.files import home
from agents.ladder.ladder import Ladder, LadderError
from arcade.engine.input.default_bindings import KEYBOARD
from arcade.engine.input.events import MenuInput
from arcade.engine.ui.heat_map import HeatMap
from arcade.scenes import routes
from arcade.scenes.ladder.ladder_scene import LadderScene


def book(*pairs: tuple[str, str], game: str = "house/volley", path: Path | None = None) -> None:
    """The left of each pair has won."""
    with Ladder(path or home() / "ladder.sqlite") as ladder:
        for left, right in pairs:
            ladder.add({
                "game": game, "lineup": {"left_0": left, "right_0": right}, "teams": [["left_0"], ["right_0"]],
                "placements": {"left_0": 1, "right_0": 2},
            })  # fmt: skip


def score(*labels: str, value: float, ended: str = "finished") -> None:
    agents = [f"piston_{number}" for number in range(len(labels))]
    with Ladder(home() / "ladder.sqlite") as ladder:
        ladder.add({
            "game": "butterfly/pistonball_v6", "lineup": dict(zip(agents, labels, strict=True)), "teams": [agents],
            "placements": dict.fromkeys(agents, 1), "returns": dict.fromkeys(agents, value), "ended": ended,
        })  # fmt: skip


def open_ladder(sitting, game: str = "") -> LadderScene:
    scene = LadderScene(sitting.services, routes.Ladder(game))
    sitting.engine.push(scene)
    sitting.until(lambda: scene.book.read, "the ladder to be read")
    return scene


RING = [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")] * 12


def test_every_page_by_every_device(sit, make_hand) -> None:
    book(*RING, *[("rock", "pebble")] * 5)
    sitting = sit()
    hand = make_hand(sitting)
    hand.choose("Ladder")
    scene = sitting.engine.scene
    assert isinstance(scene, LadderScene)
    sitting.until(lambda: scene.book.sheet, "the newest game's ladder")
    sitting.frame()
    for words in ("Over time", "All pairs", "Two players", "Cycles", "Statistics", "Ratings"):
        hand.choose(words)
        assert scene.page.title == words
    hand.choose("Back")
    assert sitting.on == "TitleScene"


def test_it_opens_where_somebody_is_rated(sit) -> None:
    book(("rock", "pebble"), game="house/volley")
    book(("random", "random"), game="atari/pong_v3")  # newer, and rates nobody
    sitting = sit()
    assert open_ladder(sitting).book.game == "house/volley"
    assert open_ladder(sitting, "atari/pong_v3").book.game == "atari/pong_v3"  # asked for


def test_the_table_tells_ratings_and_leads_to_a_pair(sit, keyboard) -> None:
    book(*[("rock", "pebble")] * 5, *[("rock", "sand")] * 2, ("sand", "pebble"))
    sitting = sit()
    scene, hand = open_ladder(sitting), keyboard(sitting)
    table = scene.focus.focused
    assert [row[1] for row in table.rows] == ["rock", "sand", "pebble"]
    assert "Player rock, Rating 1" in table.spoken
    place, _, rating, games, won, drawn, lost = table.rows[0]
    assert (place, games, won, drawn, lost) == ("1", "7", "7", "0", "0")
    assert re.fullmatch(r"1[678]\d\d ± \d{3}, provisional", rating)
    assert any(getattr(widget, "label", "") == "8 matches count" for widget in scene.tree.walk())
    hand.press("accept")
    assert scene.page.title == "Two players"
    assert sitting.widget("rock")  # whom it has met most
    assert sitting.widget("pebble")
    hand.choose("pebble")
    hand.press("up")
    hand.press("accept")
    assert sitting.widget("sand")


def test_the_map_leads_to_the_pair_under_the_mouse(sit, mouse) -> None:
    book(*RING)
    sitting = sit()
    scene, hand = open_ladder(sitting), mouse(sitting)
    hand.choose("All pairs")
    found = next(widget for widget in scene.focus.widgets if isinstance(widget, HeatMap))
    names = found.names
    pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=_cell(found, 2, 0), rel=(0, 0), buttons=(0, 0, 0)))
    sitting.frame()
    assert (found.row, found.column) == (2, 0)
    hand.click(_cell(found, 2, 0))
    assert scene.page.title == "Two players"
    assert sitting.widget(names[2])
    assert sitting.widget(names[0])


def test_another_game_can_be_chosen_and_cooperative_ones_show_scores(sit, keyboard) -> None:
    book(*RING)
    for value in (3.0, 4.0):
        score("ann", "ann", value=value)
        score("ann", "bo", value=value - 2)
    score("ann", "cleo", value=0.5, ended="max_ticks")
    sitting = sit()
    scene, hand = open_ladder(sitting, "house/volley"), keyboard(sitting)
    hand.choose("Cycles")
    hand.choose("Volley")
    hand.press("up")
    hand.press("accept")
    sitting.until(lambda: scene.book.sheet is not None, "the other game's ladder")
    sitting.frame()
    assert scene.book.game == "butterfly/pistonball_v6"
    assert scene.page.title == "Ratings"  # there are no cycles of scores
    assert scene.page.table.rows[0][1] == "ann"
    assert scene.page.table.rows[0][2].text.startswith("3.5")
    assert "Cycles" not in sitting.tabs("Ratings").titles
    hand.press("accept")
    assert sitting.widget("ann")
    assert sitting.widget("bo")
    hand.choose("Ratings")
    table = scene.page.table
    assert [row[1] for row in table.rows] == ["ann", "bo", "ann [0 ticks]", "cleo [0 ticks]"]
    table.index = 3  # matches of another length than most are not among the pairs
    table.menu(MenuInput("accept", KEYBOARD["wasd"]))
    assert scene.page.title == "Ratings"
    table.index = 2
    table.menu(MenuInput("accept", KEYBOARD["wasd"]))
    assert scene.page.title == "Two players"
    assert sitting.widget("bo")


def test_what_is_played_meanwhile_comes_in_and_the_focus_stays(sit, keyboard) -> None:
    book(("rock", "scissors"))
    sitting = sit()
    scene, hand = open_ladder(sitting), keyboard(sitting)
    hand.press("down")
    before = scene.focus.focused
    book(("paper", "rock"))
    sitting.until(lambda: len(scene.book.sheet.names) == 3, "the newest result")
    assert scene.focus.focused is before
    assert len(before.rows) == 3
    assert before.index == 1
    ladder = scene.book._ladder
    hand.press("back")
    sitting.until(lambda: not sitting.services.worker.busy, "the worker to be done")
    with pytest.raises(LadderError, match="closed"):
        ladder.games()  # the file is let go with the page


def test_where_nobody_has_played_it_says_how_to_begin(sit, keyboard) -> None:
    sitting = sit()
    hand = keyboard(sitting)
    for game in ("", "classic/go_v5"):
        scene = open_ladder(sitting, game)
        sitting.frame()
        assert scene.focus.focused.label == "All games"
        hand.press("accept")
        assert sitting.on == "SelectScene"
        hand.choose("Ladder")  # the ladder of the game that is selected
        assert (sitting.on, sitting.engine.scene.book.game) == ("LadderScene", "house/volley")
        hand.press("back")
        assert sitting.engine.text_entry
        sitting.engine.pop()


def test_a_file_that_is_no_ladder_is_named(sit) -> None:
    path = home() / "ladder.sqlite"
    path.write_bytes(b"no database, but long enough to be read as one" * 40)
    sitting = sit()
    scene = open_ladder(sitting)
    assert str(path) in scene.book.trouble
    sitting.frame()
    path.unlink()
    book(("rock", "scissors"))
    sitting.until(lambda: not scene.book.trouble and scene.book.sheet, "the mended file")


def _cell(found: HeatMap, row: int, column: int) -> tuple[int, int]:
    return found.cell_rect(row, column).center
