"""The panel beside a board: the moves so far, the board's other side, a hint and resignation."""

from __future__ import annotations

from types import SimpleNamespace

import pygame
import pytest

from agents.seats.controller import SeatChoice
from arcade.engine.ui.texts import Label, Paragraph
from arcade.games import find_game
from arcade.match.playback.reader import read_replay
from arcade.match.playback.verify import verify
from arcade.recordings.card import RecordingCard
from arcade.scenes import routes
from arcade.scenes.match.match_scene import MatchScene
from arcade.session.match.moment_texts import moment_of, moment_text

ARROWS, RANDOM = SeatChoice("keyboard", "arrows"), SeatChoice("random")


class Board:
    """A match at this screen, with the keyboard and the mouse of the person there."""

    def __init__(self, sitting, game: str, people, hand, mouse) -> None:
        self.sitting, self.hand, self.mouse = sitting, hand, mouse
        spec = find_game(game)
        self.scene = MatchScene(sitting.services, routes.Match(spec, dict(zip(spec.agents, people, strict=True))))
        sitting.engine.push(self.scene)
        self.until_due()

    @property
    def panel(self):
        return self.scene.field.moves

    @property
    def said(self) -> str:
        return next(reversed(self.scene.hud.toasts.messages), "")  # the last may be gone already

    def until_due(self) -> None:
        self.sitting.until(lambda: self.scene.match is not None and self.panel.chooser, "a person's turn")
        self.sitting.frame()

    def rect(self, *place: int) -> pygame.Rect:
        table = self.scene.field.picture.table
        return table.rect_of(place).move(table.origin)

    def click(self, *place: int) -> None:
        self.mouse.click(self.rect(*place).center)

    def play(self, *places: tuple[int, int]) -> None:
        """Click on the places of one move, and wait for the next turn."""
        index = self.scene.match.tick.index
        for place in places:
            self.click(*place)
        self.sitting.until(lambda: self.scene.match.over or self.scene.match.tick.index > index, "the move")
        self.sitting.until(lambda: self.scene.match.over or self.panel.chooser, "the next turn")
        self.sitting.frame()


@pytest.fixture
def sit_at(sit, keyboard, mouse):
    def begin(game: str, *people: SeatChoice, speed: float = 20) -> Board:
        sitting = sit(speed=speed)
        return Board(sitting, game, people, keyboard(sitting), mouse(sitting))

    return begin


@pytest.mark.parametrize(
    ("game", "places", "moves"),
    [
        ("classic/chess_v6", [[(4, 6), (4, 4)], [(6, 0), (5, 2)]], ["e4", "Nf6"]),
        ("classic/go_v5", [[(3, 3)], [(0, 19)]], ["D16", "pass"]),
        ("classic/connect_four_v3", [[(3, 0)], [(0, 0)]], ["4", "1"]),
        ("classic/tictactoe_v3", [[(0, 0)], [(2, 1)]], ["a3", "c2"]),
    ],
)
def test_the_panel_has_the_moves_in_the_games_own_notation(sit_at, game, places, moves) -> None:
    board = sit_at(game, ARROWS, ARROWS)
    assert board.panel.moves == []
    for move in places:
        board.play(*move)
    assert board.panel.moves == moves
    assert not board.panel.rows, "legal moves are listed though the board can be clicked"
    board.hand.key(pygame.K_F8)
    board.sitting.until(lambda: board.scene.match.tick.index == 0 and board.panel.chooser, "the start again")
    assert board.panel.moves == [], "moves that were taken back are still told"


def test_the_board_is_turned_by_its_key_and_is_played_as_it_is_seen(sit_at) -> None:
    board = sit_at("classic/chess_v6", ARROWS, ARROWS)
    assert board.rect(4, 7).y > board.rect(4, 0).y
    board.hand.key(pygame.K_F6)
    board.sitting.frame()
    assert board.rect(4, 7).y < board.rect(4, 0).y
    board.play((4, 6), (4, 4))
    assert board.panel.moves == ["e4"]
    rect = next(rect for rect, command in board.panel._buttons if command.key == "f6")
    board.mouse.click(rect.center)
    board.sitting.frame()
    assert board.rect(4, 7).y > board.rect(4, 0).y


def test_a_resignation_is_asked_for_and_is_a_loss_in_the_result_and_the_recording(sit_at) -> None:
    board = sit_at("classic/connect_four_v3", ARROWS, RANDOM, speed=1)  # at another speed it is not rated
    board.play((3, 0))
    board.hand.key(pygame.K_F7)
    assert board.sitting.on == "ConfirmScene"
    board.hand.press("back")
    assert not board.scene.match.over
    board.hand.key(pygame.K_F7)
    board.mouse.click(board.sitting.widget("Resign").rect.center)
    board.sitting.until(lambda: board.sitting.on == "ResultsScene", "the results")
    results = board.sitting.engine.scene
    assert results.heading == "You resigned"
    result = results.outcome.result
    assert (result.ended, result.loser, result.rated) == ("resigned", "player_0", True)
    assert (result.outcome("player_0"), result.outcome("player_1")) == ("loss", "win")
    board.sitting.until(lambda: results.outcome.recording is not None, "the recording")
    card: RecordingCard = results.outcome.recording.card
    assert (card.ended, card.outcome("player_0"), card.outcome("player_1")) == ("resigned", "loss", "win")
    assert card.ticks == result.ticks, "the recording has other moves than the match"
    assert verify(read_replay(results.outcome.recording.path)).differs_at is None
    board.sitting.until(lambda: results.outcome.ratings is not None, "the ratings")
    assert results.outcome.ratings.texts["player_0"], "the loss is not rated"


def test_home_saves_the_moment_where_f3_offers_a_draw(sit_at) -> None:
    board = sit_at("classic/connect_four_v3", ARROWS, SeatChoice("keyboard", "wasd"), speed=1)
    board.play((3, 0))
    board.hand.key(pygame.K_HOME)
    board.hand.choose("Save here")
    slots = board.sitting.engine.scene._slots
    board.sitting.until(lambda: slots.slots, "the slot on the disk")
    board.hand.key(pygame.K_HOME)
    board.sitting.frame()
    assert board.sitting.engine.scene is board.scene


def test_two_people_agree_on_a_draw_and_it_is_rated_as_one(sit_at) -> None:
    board = sit_at("classic/connect_four_v3", ARROWS, SeatChoice("keyboard", "wasd"), speed=1)
    board.play((3, 0))
    board.hand.key(pygame.K_F3)
    board.mouse.click(board.sitting.widget("Offer a draw").rect.center)
    assert "do you accept a draw?" in board.sitting.engine.scene.heading
    board.mouse.click(board.sitting.widget("Decline").rect.center)
    board.sitting.frame()
    assert board.said.endswith("declines the draw")
    assert not board.scene.match.over
    board.hand.key(pygame.K_F3)
    assert board.said == "A draw can be offered again in 6 moves"
    board.play((3, 0))
    board.hand.key(pygame.K_F3)
    board.mouse.click(board.sitting.widget("Offer a draw").rect.center)
    board.mouse.click(board.sitting.widget("Accept").rect.center)
    board.sitting.until(lambda: board.sitting.on == "ResultsScene", "the results")
    results = board.sitting.engine.scene
    assert results.heading == "A draw by agreement"
    board.sitting.until(lambda: results.outcome.recording is not None, "the recording")
    card: RecordingCard = results.outcome.recording.card
    assert (card.ended, card.outcome("player_0"), card.outcome("player_1")) == ("agreed", "draw", "draw")
    assert verify(read_replay(results.outcome.recording.path)).ok
    board.sitting.until(lambda: results.outcome.ratings is not None, "the ratings")
    assert results.outcome.ratings.texts["player_0"], "the draw is not rated"


@pytest.mark.parametrize("key", [pygame.K_F3, pygame.K_F7])
def test_what_is_pressed_in_a_question_plays_no_move(sit_at, key) -> None:
    board = sit_at("connect_four", ARROWS, ARROWS)
    board.play((2, 0))
    cursor = board.panel.chooser.cursor
    at, index = cursor.at, board.scene.match.tick.index
    board.hand.key(key)
    assert board.sitting.on == "ConfirmScene"
    for arrow in ("right", "left", "left", "left"):
        board.hand.press(arrow)
    board.hand.key(pygame.K_RETURN)  # on No
    assert board.sitting.on == "MatchScene"
    board.sitting.frame(20)
    assert (cursor.at, board.scene.match.tick.index) == (at, index)
    board.hand.key(key)
    no = next(widget for widget in board.sitting.engine.scene.focus.widgets if widget.label == "No")
    board.mouse.click(no.rect.center)
    board.sitting.frame(20)
    assert (board.sitting.on, board.scene.match.tick.index) == ("MatchScene", index)


def test_an_opponent_without_an_opinion_declines_a_draw(sit_at) -> None:
    board = sit_at("classic/connect_four_v3", ARROWS, RANDOM)
    board.hand.press("start")
    board.hand.choose("Offer a draw")
    board.mouse.click(board.sitting.widget("Offer a draw").rect.center)
    board.sitting.frame()
    assert board.said == "Random bot declines the draw"
    assert not board.scene.match.over


def test_the_pause_menu_has_the_commands_of_the_board_for_pads(sit_at) -> None:
    board = sit_at("classic/chess_v6", ARROWS, ARROWS)
    board.hand.press("start")
    board.sitting.until(lambda: board.sitting.on == "PauseScene", "the pause menu")
    board.hand.choose("Flip board")
    board.until_due()
    assert board.rect(4, 7).y < board.rect(4, 0).y
    board.hand.press("start")
    board.hand.choose("Resign")
    assert board.sitting.on == "ConfirmScene"
    assert not board.scene.match.over


def test_a_hint_points_at_a_good_move_and_makes_the_match_unrated(sit_at) -> None:
    board = sit_at("classic/tictactoe_v3", ARROWS, ARROWS)
    for place in ((0, 0), (0, 1), (1, 0), (1, 1)):
        board.play(place)
    assert board.scene.match.rated
    board.hand.key(pygame.K_F5)
    assert board.said == "A hint is on its way; the match is no longer rated"
    board.sitting.until(lambda: board.said.startswith("Hint"), "the hint")
    assert board.panel.chooser.cursor.at == (2, 0), "three in a row were one move away"
    assert not board.scene.match.rated
    assert not board.panel._match.over, "the hint was played"
    board.play((2, 0))
    assert board.scene.match.result.settings["hints"] == [4]
    assert not board.scene.match.result.rated
    board.sitting.until(lambda: board.sitting.on == "ResultsScene", "the results")
    shown = [widget.label for widget in board.sitting.engine.scene.tree.walk() if isinstance(widget, Label | Paragraph)]
    assert "Played at another speed, with a hint, not rated" in shown
    assert shown.count("not rated") == 0


def test_a_hint_is_told_in_the_notation_of_the_moves(sit_at, monkeypatch) -> None:
    board = sit_at("classic/chess_v6", ARROWS, ARROWS)
    chooser = board.panel.chooser
    knight = next(option for option in chooser.options if option.label == "g1 f3")
    monkeypatch.setattr(board.scene.session.hints, "update", lambda: (chooser.seat, knight.action))
    board.sitting.frame()
    assert board.said == "Hint: Nf3"


def test_chess_counts_a_move_of_both_sides_as_one() -> None:
    chess, go = find_game("classic/chess_v6"), find_game("classic/go_v5")
    assert [moment_text(chess, tick) for tick in (0, 1, 2, 7, 8)] == ["move 0", "move 1", "move 1", "move 4", "move 4"]
    assert moment_text(go, 8) == "move 8"


@pytest.mark.parametrize(("game", "moves"), [("classic/go_v5", ["1", "2", "3"]), ("classic/chess_v6", ["1", "1", "2"])])
def test_a_running_match_tells_the_move_to_come_and_an_ended_one_the_last(game, moves) -> None:
    match = SimpleNamespace(spec=find_game(game), tick=None, over=False)
    shown = []
    for index in range(3):
        match.tick = SimpleNamespace(index=index, views={})
        shown.append(moment_of(match))
    assert shown == [f"move {number}" for number in moves]
    match.over = True
    assert moment_of(match) == ("move 2" if "go" in game else "move 1")
