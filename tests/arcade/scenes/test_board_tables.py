"""Boards as they are drawn: the mouse hits exactly what is seen, and a refusal says what is wrong."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import chess
import pygame
import pytest

from agents.seats.controller import SeatSpec, Turn
from arcade.controls.cursor_controller import CursorController, Refusal
from arcade.engine.input.events import PointerInput
from arcade.engine.ui.theme import Theme
from arcade.games import find_game
from arcade.games.spec import load_entry
from arcade.palettes import PALETTES
from arcade.scenes.tables.rps import hand_picture
from arcade.scenes.tables.table import make_table
from tests.support.colour_sight import contrast

BOARDS = ("classic/chess_v6", "classic/go_v5", "classic/connect_four_v3", "classic/tictactoe_v3")


class Nobody:
    """Stands for the devices, where none is pressed."""

    def subscribe(self, listener) -> None:
        pass


class Shown:
    """A board drawn on a canvas of its own, and a person whose turn is due."""

    def __init__(self, game: str, *, fen: str = "", area: tuple[int, int, int, int] = (37, 21, 960, 608)) -> None:
        self.spec = find_game(game)
        self.table = make_table(self.spec)
        self.env = self.spec.make()
        self.env.reset(seed=1)
        if fen:
            self.env.unwrapped.board = chess.Board(fen)
            self.env.unwrapped.agent_selection = self.spec.agents[" b " in fen]
        self.canvas, self.area = pygame.Surface((1100, 700)), pygame.Rect(area)
        seat = self.env.agent_selection
        self.chooser = CursorController(Nobody(), "keyboard", label="Ann", names=self.spec.names_of(seat))
        space = self.env.action_space(seat)
        self.chooser.reset(SeatSpec(game=game, agent=seat, observation_space=None, action_space=space), seed=1)
        self.chooser.observe(Turn(seat, 0, None, self.env.observe(seat)["action_mask"]))
        self.draw()

    def draw(self) -> pygame.Surface:
        self.view = load_entry(self.spec.table)(self.env, None)
        self.table.draw(self.canvas, Theme(), self.area, self.view, self.chooser if self.chooser.options else None)
        return self.canvas

    def rect(self, place) -> pygame.Rect:
        return self.table.rect_of(place).move(self.table.origin)

    def mouse(self, kind: str, pos, button: int = 1) -> None:
        self.table.pointer(PointerInput(kind, pos, button=button), self.chooser)


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("area", [(37, 21, 960, 608), (0, 0, 500, 333), (5, 5, 300, 690)])
def test_every_pixel_of_a_place_hits_it_and_none_beside_the_board_hits_any(game, area) -> None:
    for people in ((), ("player_1",)):
        shown = Shown(game, area=area)
        shown.table.people = people
        shown.draw()
        table = shown.table
        for column in range(table.columns):
            for row in range(table.rows):
                rect = shown.rect((column, row))
                for pos in (rect.topleft, rect.center, (rect.right - 1, rect.bottom - 1)):
                    assert table.place_at(pos) == (column, row)
        grid = table.grid.move(table.origin)
        beside = ((grid.left - 1, grid.centery), (grid.right, grid.centery), (grid.centerx, grid.top - 1))
        assert [table.place_at(pos) for pos in beside] == [None, None, None]
        assert shown.area.contains(grid)


def test_black_alone_looks_at_the_board_from_its_own_side() -> None:
    shown = Shown("classic/chess_v6")
    assert shown.rect((4, 7)).y > shown.rect((4, 0)).y
    shown.table.people = ["player_1"]
    shown.draw()
    assert shown.rect((4, 7)).y < shown.rect((4, 0)).y
    assert shown.rect((0, 0)).x > shown.rect((7, 0)).x
    shown.table.people = ["player_0", "player_1"]
    shown.draw()
    assert shown.rect((4, 7)).y > shown.rect((4, 0)).y, "two people sit on White's side"


def test_a_lit_square_is_seen_as_lit() -> None:
    shown = Shown("classic/chess_v6")
    target = shown.rect((4, 4))
    before = pygame.image.tobytes(shown.draw().subsurface(target), "RGB")
    shown.mouse("press", shown.rect((4, 6)).center)
    assert pygame.image.tobytes(shown.draw().subsurface(target), "RGB") != before
    shown.mouse("press", target.center, button=3)
    assert pygame.image.tobytes(shown.draw().subsurface(target), "RGB") == before, "the right button takes it back"


@pytest.mark.parametrize("turn", ["w", "b"])
def test_the_answers_of_a_promotion_are_clicked_where_they_are_seen(turn) -> None:
    shown = Shown("classic/chess_v6", fen=f"4k3/P7/8/8/8/8/p7/4K3 {turn} - - 0 1")
    start, end = ((0, 1), (0, 0)) if turn == "w" else ((0, 6), (0, 7))
    for place in (start, end):
        shown.mouse("press", shown.rect(place).center)
        shown.mouse("release", shown.rect(place).center)
        shown.draw()
    assert shown.chooser.cursor.asking
    assert shown.chooser.act() is None
    shown.mouse("press", shown.rect((5, 4)).center)
    assert not shown.chooser.cursor.asking, "a click beside the answers takes the square back"
    shown.mouse("press", shown.rect(end).center)
    shown.draw()
    third = shown.rect((0, 2 if turn == "w" else 6)).center
    assert shown.table.answer_at(third) == (2, 8)
    shown.mouse("move", third)
    assert shown.chooser.options[shown.chooser.cursor.index].label.endswith("bishop")
    shown.mouse("press", third)
    shown.env.step(shown.chooser.act())
    assert shown.env.unwrapped.board.peek().uci()[-1] == "b"


CHESS = [
    ("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", ["e2"], "The knight on e2 may not move: your king would be in check"),
    ("4r1k1/8/8/8/8/8/8/4K1N1 w - - 0 1", ["g1", "h3"], "Your king would stay in check"),
    ("4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", ["e2", "a2"], "Your king would be open to check"),
    ("5rk1/8/8/8/8/8/8/4K3 w - - 0 1", ["e1", "f1"], "The king would be in check on f1"),
    ("4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1", ["a2"], "Your king is in check, and the pawn on a2 cannot help"),
    (chess.STARTING_FEN, ["a1"], "The rook on a1 has nowhere to go"),
    (chess.STARTING_FEN, ["a8"], "The rook on a8 is your opponent's"),
    (chess.STARTING_FEN, ["e4"], "e4 is empty: press one of your pieces"),
]


@pytest.mark.parametrize(("fen", "squares", "words"), CHESS)
def test_chess_says_why_not(fen, squares, words) -> None:
    shown = Shown("classic/chess_v6", fen=fen)
    for name in squares:
        shown.chooser.press(("abcdefgh".index(name[0]), 8 - int(name[1])))
    assert shown.table.why(shown.view, shown.chooser.take_refused()) == words


@pytest.mark.parametrize("area", [(0, 50, 414, 282), (0, 0, 400, 310), (37, 21, 960, 608), (0, 0, 500, 333)])
def test_the_pass_of_go_is_whole_and_clear_of_the_board(area) -> None:
    shown = Shown("classic/go_v5", area=area)
    button, table = shown.rect((0, 19)), shown.table
    assert shown.area.contains(button)
    assert button.top > table.grid.move(table.origin).bottom
    assert button.h >= 18


def test_go_says_why_not() -> None:
    shown = Shown("classic/go_v5")
    for column, row in ((1, 0), (2, 0), (0, 1), (3, 1), (1, 2), (2, 2), (18, 18), (1, 1), (2, 1)):
        shown.env.step(row * 19 + column)
    shown.draw()
    refused = {place: Refusal("white_0", (place,)) for place in ((1, 1), (0, 0), (2, 1))}
    assert shown.table.why(shown.view, refused[1, 1]) == "Ko: B18 may not be taken back at once; play elsewhere first"
    assert shown.table.why(shown.view, refused[0, 0]) == "A stone on A19 would have no liberties left"
    assert shown.table.why(shown.view, refused[2, 1]) == "C18 is taken"


def test_a_board_is_painted_when_something_changed_and_copied_otherwise(monkeypatch) -> None:
    shown = Shown("classic/go_v5")
    view, painted, look = shown.view, [], Theme()
    shown.table.draw(shown.canvas, look, shown.area, view, shown.chooser)
    monkeypatch.setattr(shown.table, "paint_board", lambda picture: painted.append(1))
    for _ in range(5):
        shown.table.draw(shown.canvas, look, shown.area, view, shown.chooser)
    assert not painted
    shown.chooser.point_at((3, 3))
    shown.table.draw(shown.canvas, look, shown.area, view, shown.chooser)
    assert len(painted) == 1


@pytest.mark.parametrize("name", PALETTES)
def test_the_free_places_of_connect_four_are_seen_in_every_palette(name) -> None:
    shown = Shown("classic/connect_four_v3")
    shown.table.draw(shown.canvas, Theme(name), shown.area, shown.view, shown.chooser)
    free, other = (tuple(shown.canvas.get_at(shown.rect((0, row)).center))[:3] for row in (5, 0))
    assert contrast(free, other) >= 3, "as WCAG asks of what one must see to use it"


@pytest.mark.parametrize("move", ["paper", "scissors"])
@pytest.mark.parametrize("name", PALETTES)
def test_pictures_of_hands_are_seen_on_the_buttons_of_every_palette(name, move) -> None:
    picture, ground = hand_picture(move, 64), PALETTES[name].raised
    upper = [picture.get_at((x, y)) for x in range(64) for y in range(32)]
    drawn = [tuple(pixel)[:3] for pixel in upper if pixel.a == 255]
    assert sum(contrast(colour, ground) >= 3 for colour in drawn) > len(drawn) // 10
