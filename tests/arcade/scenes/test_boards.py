"""Chess, go, connect four and tic-tac-toe by keyboard, pad and mouse: what was meant is what the game got."""

from __future__ import annotations

import pygame
import pytest

from agents.seats.controller import SeatChoice
from arcade.games import find_game
from arcade.scenes import routes
from arcade.scenes.match.match_scene import MatchScene


class Game:
    """A match of a person with the arrow keys against one with a pad, and the mouse for whoever is to move."""

    def __init__(self, sitting, game: str, keyboard, pad, mouse) -> None:
        self.sitting = sitting
        self.keys, self.hands, self.mouse = keyboard(sitting), pad(sitting), mouse(sitting)
        spec = find_game(game)
        people = (SeatChoice("keyboard", "arrows"), SeatChoice("gamepad", "0"))
        self.scene = MatchScene(sitting.services, routes.Match(spec, dict(zip(spec.agents, people, strict=True))))
        sitting.engine.push(self.scene)
        sitting.until(lambda: self.scene.match is not None and self.scene.field.moves.chooser, "the first turn")
        sitting.frame()

    @property
    def table(self):
        return self.scene.field.picture.table

    @property
    def view(self):
        """What the game itself tells of where it stands."""
        return self.scene.match.tick.views[None]

    def press(self, hand, *controls: str) -> None:
        """Press one after another; "accept" presses the place that the cursor is on."""
        for control in controls:
            hand.press(control)

    def click(self, *places: tuple[int, int]) -> None:
        for place in places:
            self.mouse.click(self.pos(place))

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=self.pos(start), button=1))
        self.sitting.frame()
        self.drop(end)

    def drop(self, end: tuple[int, int]) -> None:
        """Let go of the button there."""
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=self.pos(end), button=1))
        self.sitting.frame()

    def hang(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Drag, and keep the button down."""
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=self.pos(start), button=1))
        self.sitting.frame()
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=self.pos(end), rel=(9, 9), buttons=(1, 0, 0)))
        self.sitting.frame(2)

    def is_white(self, place: tuple[int, int]) -> bool:
        """Whether the middle of a place is as white as a piece."""
        return min(self.sitting.engine.canvas.get_at(self.pos(place))[:3]) > 240

    def pos(self, place: tuple[int, int]) -> tuple[int, int]:
        return self.table.rect_of(place).move(self.table.origin).center

    def moved(self, count: int) -> None:
        """Wait until the game has made `count` moves and the next one is due, drawn."""
        match = self.scene.match
        self.sitting.until(
            lambda: match.tick.index == count and (match.over or self.scene.field.moves.chooser), "a move"
        )
        self.sitting.frame()

    def refused(self, words: str) -> None:
        """The newest press was not played, and the screen and a sound say why."""
        self.sitting.frame()
        assert self.scene.hud.toasts.messages[-1] == words
        self.warnings = getattr(self, "warnings", 0) + 1
        assert self.sitting.engine.sound.played["warning"] == self.warnings


@pytest.fixture
def play(sit, keyboard, pad, mouse):
    games = []

    def begin(game: str) -> Game:
        games.append(Game(sit(speed=20), game, keyboard, pad, mouse))
        return games[-1]

    yield begin
    for game in games:
        game.hands.pad.detach()


def rank(view, number: int) -> str:
    """A rank of the chess board as its letters."""
    return view["pieces"][(8 - number) * 8 :][:8]


def square(name: str) -> tuple[int, int]:
    return "abcdefgh".index(name[0]), 8 - int(name[1])


def test_chess_from_and_to_with_every_hand_up_to_a_promotion(play) -> None:
    game = play("classic/chess_v6")
    game.press(game.keys, "accept", "up", "up", "up", "accept")
    game.refused("The pawn on e2 does not go to e5")
    game.press(game.keys, "down", "accept")
    game.moved(1)
    assert rank(game.view, 4) == "....P..."
    game.press(game.hands, "left", "accept", "back", "down", "accept")
    game.refused("d6 is empty: press one of your pieces")
    game.press(game.hands, "up", "accept", "down", "down", "accept")
    game.moved(2)
    assert game.view["said"] == "d5"
    game.click(square("b1"), square("b3"))
    game.refused("The knight on b1 does not go to b3")
    game.click(square("b1"), square("c7"))
    game.refused("The pawn on c7 is your opponent's")
    assert (game.is_white(square("e4")), game.is_white(square("h5"))) == (True, False)
    game.hang(square("e4"), square("h5"))
    assert (game.is_white(square("e4")), game.is_white(square("h5"))) == (False, True), "it hangs on the mouse"
    game.drop(square("d5"))
    game.moved(3)
    assert game.view["captured"]["player_0"] == "p"
    for count, move in enumerate(("c7c6", "d5c6", "a7a6", "c6b7", "a6a5"), start=4):
        game.click(square(move[:2]), square(move[2:]))
        game.moved(count)
    game.click(square("b7"), square("a8"))
    chooser = game.scene.field.moves.chooser
    assert chooser.cursor.asking
    assert game.scene.match.tick.index == 8, "what it becomes is asked first"
    game.press(game.keys, "down", "accept")
    game.moved(9)
    assert rank(game.view, 8) == "Rnbqkbnr"
    assert game.view["said"] == "bxa8=R"


def test_go_stones_taken_points_and_two_passes(play) -> None:
    game = play("classic/go_v5")
    game.press(game.keys, "accept")
    game.moved(1)
    assert game.view["last"] == 9 * 19 + 9
    game.press(game.hands, "accept")
    game.refused("K10 is taken")
    game.press(game.hands, "left", "up", "accept")
    game.moved(2)
    assert game.view["stones"][8 * 19 + 8] == "w"
    game.click((0, 18))
    game.moved(3)
    assert game.scene.session.last_actions == {"black_0": 18 * 19}
    game.press(game.hands, "back", "accept")
    game.moved(4)
    assert game.view["passed"]
    game.mouse.click(game.pos((0, 19)))
    game.moved(5)
    assert game.scene.match.result.ended == "finished"
    assert game.scene.match.result.returns == {"black_0": -1.0, "white_0": 1.0}, "two stones and no area: komi wins"


def test_connect_four_by_column_until_one_is_full(play) -> None:
    game = play("classic/connect_four_v3")
    game.press(game.keys, "right", "accept")
    game.moved(1)
    assert game.view["discs"][5 * 7 + 4] == "0"
    game.press(game.hands, "left", "left", "accept")
    game.moved(2)
    assert game.view["discs"][5 * 7 + 1] == "1"
    for count in range(3, 9):
        game.click((6, count % 6))
        game.moved(count)
        assert game.table.newest == (8 - count) * 7 + 6, "it falls on what lies there"
    game.click((6, 5))
    game.refused("Column 7 is full")
    game.press(game.keys, *["right"] * 6, "accept")
    game.refused("Column 7 is full")
    assert game.scene.match.tick.index == 8


def test_tic_tac_toe_to_its_end(play) -> None:
    game = play("classic/tictactoe_v3")
    game.press(game.keys, "accept")
    game.moved(1)
    game.press(game.hands, "accept")
    game.refused("That square is taken")
    game.press(game.hands, "up", "accept")
    game.moved(2)
    game.click((1, 0))
    game.refused("That square is taken")
    game.click((0, 0))
    game.moved(3)
    assert game.view["marks"] == "xo..x...."
    game.click((2, 0))
    game.moved(4)
    assert game.view["marks"] == "xoo.x...."
    game.click((2, 2))
    game.moved(5)
    assert game.view["line"] == [0, 4, 8]
    assert game.scene.match.result.returns == {"player_1": 1.0, "player_2": -1.0}
