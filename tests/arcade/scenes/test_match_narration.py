"""What the narrator reads of a match: scores, moves, the board on request, and the whole result."""

from __future__ import annotations

from types import SimpleNamespace

import pygame
import pytest

from agents.seats.controller import SeatChoice
from arcade.controls.cursor_controller import people_asked
from arcade.engine.audio.narrator import Narrator
from arcade.engine.ui.texts import Label
from arcade.games import find_game
from arcade.scenes import routes
from arcade.scenes.match.narration import BETWEEN, OFF, MatchNarration

ARROWS = SeatChoice("keyboard", "arrows")


class Reader(Narrator):
    """Writes down what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.is_on = True
        self.heard: list[str] = []

    def say(self, text: str, interrupt: bool = True) -> None:
        if self.is_on:
            self.heard.append(text)


@pytest.fixture
def volley() -> MatchNarration:
    spec = find_game("house/volley")
    match = SimpleNamespace(spec=spec, score=(0.0, 0.0), tick=SimpleNamespace(index=0, views={}), waiting_for=())
    narration = MatchNarration(match, Reader())
    narration.update(0.0)
    assert narration._narrator.heard == ["Volley"]
    narration._narrator.heard.clear()
    return narration


def scored(narration: MatchNarration, score: tuple[float, float], now: float) -> list[str]:
    narration._match.score = score
    narration._match.tick.index += 1
    narration.update(now)
    return narration._narrator.heard


def test_scores_are_read_when_they_change_and_not_all_the_time(volley) -> None:
    assert scored(volley, (0.0, 0.0), 1.0) == []
    assert scored(volley, (1.0, 0.0), 2.0) == ["Left 1, Right 0"]
    assert len(scored(volley, (2.0, 0.0), 2.0 + BETWEEN / 2)) == 1, "read while the last is still spoken"
    assert scored(volley, (3.0, 0.0), 2.0 + BETWEEN)[1:] == ["Left 3, Right 0"]


def test_what_happens_while_the_narrator_is_off_is_not_made_up_for(volley) -> None:
    said: list[str] = []
    volley._say = said.append
    volley._narrator.is_on = False
    assert scored(volley, (1.0, 0.0), 5.0) == []
    volley.read_board()
    assert said == [OFF]
    volley._narrator.is_on = True
    assert scored(volley, (1.0, 0.0), 10.0) == []
    assert scored(volley, (1.0, 1.0), 15.0) == ["Left 1, Right 1"]
    volley.read_board()
    assert said == [OFF]
    assert volley._narrator.heard[-1] == "Left 1, Right 1"


@pytest.mark.parametrize(
    ("game", "index", "move", "words"),
    [
        ("classic/connect_four_v3", 3, "First: 4", "First: column 4 row 1. Second: nothing. Second to move"),
        ("classic/tictactoe_v3", 0, "Crosses: a3", "Crosses: a3. Noughts: nothing. Noughts to move"),
        ("classic/go_v5", 0, "Black: A19", "Black: A19. White: nothing. White to move"),
    ],
)
def test_moves_and_boards_are_read_in_the_games_own_notation(sit, game, index, move, words) -> None:
    sitting, reader = sit(speed=20), Reader()
    scene = seat(sitting, find_game(game), reader)
    option = next(i for i, one in enumerate(scene.field.moves.chooser.options) if one.action == index)
    scene.field.moves.chooser.choose(option)
    sitting.until(lambda: scene.match.tick.index == 1 and scene.match.waiting_for, "the next turn")
    sitting.frame(2)
    assert reader.heard == [move], "each move is read once"
    scene.narration.read_board()
    assert reader.heard[-1] == words


@pytest.mark.parametrize(
    ("game", "keys", "words"),
    [
        ("classic/connect_four_v3", ["right"], ["column 5 row 1"]),
        ("classic/tictactoe_v3", ["left"], ["a2"]),
        ("classic/chess_v6", ["left", "up"], ["White: pawn d2", "d3"]),
        ("classic/leduc_holdem_v4", ["left"], ["fold"]),
    ],
)
def test_what_the_cursor_comes_to_is_read(sit, keyboard, game, keys, words) -> None:
    sitting, reader = sit(), Reader()
    scene = seat(sitting, find_game(game), reader, alone=True)
    sitting.until(lambda: any(person.options for person in people_asked(scene.match)), "the person's turn")
    sitting.frame(2)
    reader.heard.clear()
    hand = keyboard(sitting)
    for key in keys:
        hand.press(key)
    assert reader.heard == words
    sitting.frame(5)
    assert reader.heard == words, "each place is read once"


def test_a_hint_is_read_and_not_the_step_of_the_cursor_to_it(sit) -> None:
    sitting, reader = sit(), Reader()
    scene = seat(sitting, find_game("classic/connect_four_v3"), reader)
    scene.commands.key("f5")
    sitting.until(lambda: any(text.startswith("Hint: ") for text in reader.heard), "the hint")
    sitting.frame(5)
    assert reader.heard[-1].startswith("Hint: ")


def test_the_pause_says_that_the_match_is_paused(sit) -> None:
    sitting, reader = sit(), Reader()
    scene = seat(sitting, find_game("classic/connect_four_v3"), reader)
    scene.pause()
    sitting.frame(2)
    assert reader.heard[-1].startswith("Paused. Resume. Continue the match")


def test_a_chess_board_is_read_by_the_names_of_its_pieces(sit, keyboard) -> None:
    sitting, reader = sit(), Reader()
    scene = seat(sitting, find_game("classic/chess_v6"), reader)
    keyboard(sitting).key(pygame.K_TAB)
    assert "White: pawn a2, pawn b2" in reader.heard[-1]
    assert "Black: rook a8, knight b8" in reader.heard[-1]
    assert reader.heard[-1].endswith("White to move")
    assert "tab" in [command.key for command in scene.commands.offered]


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        ("classic/leduc_holdem_v4", ["Player holds ", "No cards on the table yet", "chips in the pot", "to move"]),
        ("classic/hanabi_v5", ["Player: unknown, unknown", "Fireworks: ", "3 lives left. 8 hints left", ". Score 0. "]),
        ("classic/rps_v2", ["Round 1 of "]),
    ],
)
def test_a_table_of_cards_is_read_to_the_only_person_here(sit, game, expected) -> None:
    sitting, reader = sit(), Reader()
    scene = seat(sitting, find_game(game), reader, alone=True)
    scene.narration.read_board()
    for words in expected:
        assert words in reader.heard[-1], reader.heard[-1]
    assert "Player 2 holds" not in reader.heard[-1]


def test_cards_are_read_to_nobody_where_two_people_listen(sit) -> None:
    sitting, reader = sit(), Reader()
    scene = seat(sitting, find_game("classic/leduc_holdem_v4"), reader)
    scene.narration.read_board()
    assert "holds" not in reader.heard[-1]


def test_the_result_is_read_whole(sit, keyboard) -> None:
    sitting, reader = sit(), Reader()
    scene = seat(sitting, find_game("classic/connect_four_v3"), reader)
    scene.match.resign("player_0")
    sitting.until(lambda: sitting.on == "ResultsScene", "the results")
    read = next(text for text in reader.heard if "won" in text or "resigned" in text)
    for words in (sitting.engine.scene.heading, "Win", "Loss", "First", "Second", "Rematch"):
        assert words in read
    sitting.until(lambda: sitting.engine.scene.listens, "the results to listen")
    keyboard(sitting).key(pygame.K_TAB)
    assert any(text.startswith("Recording and details. ") for text in reader.heard)


def test_the_names_of_the_result_begin_at_one_edge(sit) -> None:
    sitting = sit()
    scene = seat(sitting, find_game("classic/connect_four_v3"), Reader())
    scene.match.resign("player_0")
    sitting.until(lambda: sitting.on == "ResultsScene", "the results")
    sitting.frame()
    labels = [widget for widget in sitting.engine.scene.tree.walk() if isinstance(widget, Label)]
    names = [labels[place + 1] for place, label in enumerate(labels) if label.label in ("Win", "Loss")]
    assert len(names) == 2
    assert names[0].rect.x == names[1].rect.x


def seat(sitting, spec, reader, *, alone=False):
    """A match of two people, or one `alone`, which `reader` hears."""
    sitting.engine.narrator = reader
    people = (ARROWS, SeatChoice("random") if alone else SeatChoice("keyboard", "wasd"))
    sitting.engine.push(routes.Match(spec, dict(zip(spec.agents, people, strict=True))))
    scene = sitting.engine.scene
    sitting.until(lambda: scene.match is not None and scene.match.waiting_for, "the first turn")
    if not spec.secret:
        sitting.until(lambda: scene.field.moves.chooser, "the first turn")
    sitting.frame(2)
    reader.heard.clear()
    return scene
