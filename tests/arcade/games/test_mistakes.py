"""Mistakes of scripted players in turn-based games: the moves of the level below, down to those of a beginner."""

from __future__ import annotations

from functools import partial
from typing import Any

import chess
import numpy as np
import pyspiel
import pytest

import arcade
from agents.policies.adapters import PolicyController
from agents.seats.controller import LEVELS, SeatError
from agents.seats.kinds import parse_seat
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.games.players import chess_search, connect_four, openspiel, tictactoe
from arcade.games.players.mistakes import BEGINNER, level_now
from arcade.match.play.lineup import choice_limits, make_policy
from arcade.match.play.match import Match
from arcade.match.play.seats import PolicyMapping
from arcade.match.stage.local import LocalStage

TURN_BASED = [game.id for game in arcade.games() if game.turn_based and game.has_levels]


def test_that_share_of_moves_is_of_the_level_below() -> None:
    rng = np.random.default_rng(1)
    levels = [level_now("hard", 0.25, rng) for _ in range(2000)]
    assert set(levels) == {"hard", "normal"}
    assert levels.count("normal") / 2000 == pytest.approx(0.25, abs=0.03)
    assert level_now("easy", 1, rng) == BEGINNER


@pytest.mark.parametrize("level", LEVELS[1:])
def test_one_that_always_errs_is_the_level_below(level: str) -> None:
    """In tic-tac-toe, where a level decides by what it sees: from the same draw it takes the same cells."""
    below = LEVELS[LEVELS.index(level) - 1]
    board = np.zeros((3, 3, 2), np.int8)
    board[0, 0, 0] = board[1, 1, 1] = 1
    erring = {tictactoe.play(board, None, np.random.default_rng(seed), level=level, mistakes=1) for seed in range(60)}
    assert erring == set(tictactoe.best_cells(board, below))


@pytest.mark.parametrize(
    "word", [*((game, "easy") for game in TURN_BASED), ("classic/hanabi_v5", "expert")], ids="-".join
)
def test_every_player_of_a_turn_based_game_plays_on_with_mistakes(word: tuple[str, str]) -> None:
    spec, level = find_game(word[0]), word[1]
    choice = parse_seat(f"scripted?level={level}&mistakes=0.7")
    make = partial(make_policy, choice, spec=spec, store=SnapshotStore("unused"))
    assert make([]).label == f"AI, {level} (mistakes 0.7)"
    with LocalStage(spec) as stage:
        mapping: PolicyMapping = {agent: PolicyController(lambda seat: make([seat])) for agent in spec.agents}
        result = Match(stage, mapping, seed=2, max_ticks=24).run()
    assert not result.error


def test_a_beginner_of_chess_takes_a_piece_that_is_guarded() -> None:
    guarded = chess.Board("4k3/3p4/4p3/8/8/8/4Q3/4K3 w - - 0 1")
    moves = list(guarded.legal_moves)
    played = [chess_search.hasty_move(guarded, moves, np.random.default_rng(seed)) for seed in range(20)]
    assert sum(move.uci() == "e2e6" for move in played) > 8
    easy = chess_search.best_move(guarded, moves, chess_search.POSITIONS["easy"], np.random.default_rng(1))
    assert easy.uci() != "e2e6"


def test_a_beginner_of_connect_four_sees_its_own_four_and_not_the_others() -> None:
    own = sum(1 << row for row in range(3))  # three in the first column
    other = sum(1 << 42 + row for row in range(3))  # three in the last
    rng = np.random.default_rng(1)
    assert {connect_four.near_column(own, other, rng) for _ in range(20)} == {0}
    one = 1 << 21
    assert 6 not in {connect_four.near_column(one, other, rng) for _ in range(40)}, "it puts its discs together"


def test_a_beginner_of_tic_tac_toe_overlooks_lines() -> None:
    board = np.zeros((3, 3, 2), np.int8)
    board[0, :2, 0] = board[1, :2, 1] = 1
    cells = {tictactoe.play(board, None, np.random.default_rng(seed), level="easy", mistakes=1) for seed in range(60)}
    assert cells == {6, 7, 8}
    assert tictactoe.best_cells(board, "easy") == [2]


@pytest.mark.parametrize(
    ("word", "game", "reason"),
    [
        ("scripted?level=easy&mistakes=2", "classic/chess_v6", "expected 0 <= mistakes <= 1"),
        ("scripted?mistakes=often", "classic/chess_v6", "expected 0 <= mistakes <= 1"),
        ("scripted?level=easy&mistakes=0.2", "atari/pong_v3", "expected mistakes in turn-based games alone"),
    ],
)
def test_wrong_mistakes_are_refused(word: str, game: str, reason: str) -> None:
    with pytest.raises(SeatError, match=reason):
        choice_limits(parse_seat(word), find_game(game))


@pytest.mark.parametrize(("game", "player"), [("breakthrough", openspiel.Player), ("leduc_poker", openspiel.Guesser)])
def test_a_search_of_openspiel_errs_by_looking_at_less(game: str, player: Any) -> None:
    rules = pyspiel.load_game(game)
    state = rules.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    seen = np.frombuffer(pyspiel.serialize_game_and_state(rules, state).encode(), np.uint8)
    erring = player(None, np.random.default_rng(1), level="easy", mistakes=1)
    assert {erring(seen, None) for _ in range(20)} <= set(state.legal_actions())
