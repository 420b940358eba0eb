"""What the boards tell of themselves is what the games hold."""

from __future__ import annotations

import chess
import numpy as np
import pytest

from arcade.games import find_game
from arcade.games.spec import load_entry
from arcade.games.tables.notation import move_rows
from arcade.match.stage.local import LocalStage

BOARDS = ("classic/chess_v6", "classic/go_v5", "classic/connect_four_v3", "classic/tictactoe_v3")


class Seen:
    """A game stepped here, and what its table's view tells."""

    def __init__(self, game: str) -> None:
        self.spec = find_game(game)
        self.env = self.spec.make()
        self.env.reset(seed=1)
        self._view = load_entry(self.spec.table)

    def play(self, *actions: int):
        for action in actions:
            self.env.step(action)
        return self._view(self.env, None)


def test_chess_pins_checks_and_what_was_taken() -> None:
    seen = Seen("classic/chess_v6")
    seen.env.unwrapped.board = chess.Board("rnb1kbnr/pppp1ppp/8/4p3/5PPq/8/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    view = seen.play()
    assert (view["turn"], view["ending"]) == ("", "checkmate")
    assert view["check"] == 60, "e1"
    seen.env.unwrapped.board = chess.Board("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1")
    view = seen.play()
    assert [52, 37] in view["exposing"], "the knight on e2 is pinned: not to f4"
    assert view["captured"]["player_1"] == "PPPPPPPPNBBRRQ"
    seen.env.unwrapped.board = chess.Board("QQQQk3/8/8/8/8/8/8/4K3 b - - 0 1")
    assert seen.play()["captured"]["player_1"] == "PPPPPNNBBRR", "three of the queens were pawns"


def test_moves_are_written_as_players_write_them() -> None:
    seen = Seen("classic/chess_v6")
    for move in ("e2e4", "e7e5", "g1f3"):
        seen.env.unwrapped.board.push_uci(move)
    view = seen.play()
    assert move_rows(view["moves"], 2) == ["1. e4 e5", "2. Nf3"], "a move of both sides"
    assert move_rows(["D4", "Q16", "C3"]) == ["1. D4 Q16", "3. C3"], "a move is one stone"
    assert (view["names"]["b8 c6"], view["names"]["d7 d5"]) == ("Nc6", "d5")
    seen.env.unwrapped.board = chess.Board("7k/4P3/8/8/8/8/8/4K3 w - - 0 1")
    assert seen.play()["names"]["e7 e8 queen"] == "e8=Q+"
    go = Seen("classic/go_v5")
    assert go.play(0, 19 * 19 - 1, 8, 19 * 19)["moves"] == ["A19", "T1", "J19", "pass"]


def test_go_captures_ko_and_the_score_at_the_end() -> None:
    def at(column: int, row: int) -> int:
        return row * 19 + column

    seen = Seen("classic/go_v5")
    around = (at(1, 0), at(2, 0), at(0, 1), at(3, 1), at(1, 2), at(2, 2))
    view = seen.play(*around, at(18, 18), at(1, 1), at(2, 1))
    assert view["captured"] == {"black_0": 1, "white_0": 0}
    assert view["ko"] == at(1, 1)
    assert view["last"] == at(2, 1)
    view = seen.play(361, 361)
    assert (view["turn"], view["passed"], view["last"]) == ("", True, -1)
    assert view["score"] == seen.env.unwrapped._go.score()


def test_four_and_three_in_a_row_are_found_where_they_stand() -> None:
    view = Seen("classic/connect_four_v3").play(6, 0, 5, 0, 4, 0, 3)
    assert (view["line"], view["turn"]) == ([38, 39, 40, 41], "")
    view = Seen("classic/connect_four_v3").play(0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3)
    assert view["line"] == [17, 23, 29, 35], "slanting"
    view = Seen("classic/tictactoe_v3").play(2, 0, 4, 1, 6)
    assert (view["marks"], view["line"]) == ("o.xox.x..", [2, 4, 6])


@pytest.mark.parametrize("game", BOARDS)
def test_a_stage_hands_out_the_same_view_to_everybody_and_marks_whose_turn_it_is(game) -> None:
    spec = find_game(game)
    rng = np.random.default_rng(1)
    with LocalStage(spec, render=True) as stage:
        stage.reset(1)
        tick = stage.wait()
        for _ in range(7):
            [agent] = tick.acting
            assert tick.frame is None
            assert tick.views[None]["turn"] == agent
            assert all(view == tick.views[None] for view in tick.views.values())
            stage.step({agent: int(rng.choice(np.flatnonzero(tick.action_masks[agent])))})
            tick = stage.wait()
