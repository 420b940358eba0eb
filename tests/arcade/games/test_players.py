"""The scripted players of board games: strong at expert, beatable at easy, and never in the window's way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import chess
import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.classic import chess_v6, connect_four_v3, tictactoe_v3

from agents.engines.engine import EngineController
from agents.engines.thinking import FunctionProcess
from agents.engines.uci import action_of
from agents.seats.controller import LEVELS, Controller, ControllerError, SeatChoice, SeatSpec, Turn
from agents.seats.even import opponents
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.games.players import chess_search, connect_four, tictactoe
from arcade.match.play.lineup import ai_choice, at_level
from arcade.match.play.result import RecordingSource
from arcade.session.recordings.takeover import same_player
from arcade.session.seating import EASY, EXPERT, Seating
from tests.support.processes import wait_for

SEAT = SeatSpec(
    game="classic/connect_four_v3", agent="player_0",
    observation_space=spaces.Box(0, 1, (6, 7, 2), np.int8), action_space=spaces.Discrete(7),
)  # fmt: skip


def at_random(observation, action_mask, rng) -> int:
    return int(rng.choice(np.flatnonzero(action_mask)))


def play(env, players, seed: int) -> list[float]:
    """The rewards of a match between two players, first seat first."""
    env.reset(seed=seed)
    rngs = [np.random.default_rng([seed, place]) for place in (0, 1)]
    rewards: dict[str, float] = {}
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            rewards = rewards or dict(env.rewards)
            env.step(None)
            continue
        place = env.possible_agents.index(agent)
        env.step(players[place](observation["observation"], observation["action_mask"], rngs[place]))
    return [rewards[agent] for agent in env.possible_agents]


def after(env, moves) -> dict[str, np.ndarray]:
    env.reset(seed=0)
    for move in moves:
        env.step(move)
    return env.observe(env.agent_selection)


def test_the_expert_never_loses_tic_tac_toe():
    env = tictactoe_v3.env()
    for seed in range(30):
        players = (tictactoe.play, at_random) if seed % 2 else (at_random, tictactoe.play)
        assert play(env, players, seed)[1 - seed % 2] >= 0
    assert all(play(env, (tictactoe.play, tictactoe.play), seed) == [0, 0] for seed in range(5))


@pytest.mark.parametrize("moves_first", [True, False])
def test_no_reply_at_all_beats_the_expert_of_tic_tac_toe(moves_first: bool):
    seen: set[bytes] = set()

    def lines_of(marks: np.ndarray) -> bool:
        return bool(max(marks.all(0).max(), marks.all(1).max(), marks.trace() == 3, marks[::-1].trace() == 3))

    def meet(board: np.ndarray, expert_moves: bool) -> None:
        """Every game from here: whichever cell the expert draws, and every reply."""
        if board.tobytes() in seen:
            return
        seen.add(board.tobytes())
        own, other = board[..., 0], board[..., 1]
        assert not lines_of(other)
        if lines_of(own) or (own | other).all():
            return
        cells = tictactoe.best_cells(board, "expert") if expert_moves else np.flatnonzero(~(own | other))
        for cell in cells:
            after_it = board.copy()
            after_it[cell // 3, cell % 3, 0 if expert_moves else 1] = True
            meet(after_it, not expert_moves)

    meet(np.zeros((3, 3, 2), bool), moves_first)
    assert len(seen) > 100


def test_the_expert_of_tic_tac_toe_sets_a_trap():
    seen = after(tictactoe_v3.env(), [0, 8])["observation"]  # two opposite corners
    assert len(tictactoe.best_cells(seen, "hard")) == 7, "it sees no win"
    assert tictactoe.best_cells(seen, "expert") == [2, 6], "the corners that win by force"


def test_connect_four_is_won_and_saved():
    env, rng = connect_four_v3.env(), np.random.default_rng(0)
    wins = after(env, [0, 6, 1, 6, 2, 5])
    assert connect_four.play(wins["observation"], wins["action_mask"], rng, level="easy") == 3
    saves = after(env, [0, 6, 1, 6, 5, 6])
    assert connect_four.play(saves["observation"], saves["action_mask"], rng, level="normal") == 6


def test_a_higher_level_plays_connect_four_better():
    env = connect_four_v3.env()

    def at(level: str):
        return lambda *turn: connect_four.play(*turn, level=level)

    points = 0.0
    for seed in range(12):
        first = seed % 2 == 0
        points += play(env, (at("hard"), at("easy")) if first else (at("easy"), at("hard")), seed)[0 if first else 1]
    assert points >= 8  # of 12 wins counted 1 and losses -1


@pytest.mark.parametrize(("moves", "best"), [
    (["f2f3", "e7e5", "g2g4"], "d8h4"),  # mate
    (["e2e4", "d7d5", "b1c3", "d8d6", "a2a3", "d6h2"], "h1h2"),  # a queen for nothing
])  # fmt: skip
def test_chess_finds_the_move(moves: list[str], best: str):
    board = chess.Board()
    for move in moves:
        board.push_uci(move)
    found = chess_search.best_move(board, list(board.legal_moves), 2_000, np.random.default_rng(0))
    assert found.uci() == best


def test_chess_answers_an_observation_with_a_legal_action():
    env = chess_v6.env()
    env.reset(seed=0)
    for _ in range(2):
        seen = env.observe(env.agent_selection)
        action = chess_search.play(seen["observation"], seen["action_mask"], np.random.default_rng(0), level="easy")
        assert seen["action_mask"][action]
        env.step(action)
    assert action_of(chess.Move.from_uci("e2e4"), black=False) < env.action_space("player_0").n


@pytest.fixture
def seated() -> Iterator[Callable[[str, str], Controller]]:
    made: list[Controller] = []

    def make(function: str, level: str) -> Controller:
        process = partial(FunctionProcess, f"tests.support.thinkers:{function}", {"level": level})
        made.append(EngineController(process, label="AI"))
        made[-1].reset(SEAT, seed=1)
        made[-1].observe(Turn("player_0", 0, np.zeros((6, 7, 2), np.int8), np.ones(7, np.int8)))
        return made[-1]

    yield make
    for controller in made:
        controller.close()


def test_the_easy_level_of_connect_four_sees_its_own_win_in_any_column():
    env, rng = connect_four_v3.env(), np.random.default_rng(0)
    seen = after(env, [6, 0, 6, 0, 6, 1])
    assert connect_four.play(seen["observation"], seen["action_mask"], rng, level="easy") == 6


def test_levels_of_chess_see_a_piece_that_hangs():
    board = chess.Board("r1bqkb1r/pppp1ppp/2n5/4p3/4n3/2NP1N2/PPP1PPPP/R1BQKB1R w KQkq - 0 1")
    for level in ("normal", "hard"):
        found = chess_search.best_move(
            board, list(board.legal_moves), chess_search.POSITIONS[level], np.random.default_rng(1)
        )
        assert board.is_capture(found), level
        assert chess.square_name(found.to_square) == "e4", level


def test_a_match_never_waits_for_a_thinking_player(seated, tmp_path, monkeypatch):
    thought = tmp_path / "thought"
    monkeypatch.setenv("THOUGHT", str(thought))
    controller = seated("patient", "expert")
    assert controller.act() is None
    thought.touch()
    wait_for(lambda: controller.act() is not None)
    assert controller.act() == 4


@pytest.mark.parametrize(
    ("function", "reason"), [("failing", "ValueError: lost the thread"), ("reaching", "'-1', which is illegal")]
)
def test_a_thinking_player_that_fails_says_why(seated, function: str, reason: str):
    controller = seated(function, "easy")
    with pytest.raises(ControllerError, match=reason):
        wait_for(lambda: controller.act() is not None)


def test_the_levels_of_a_board_game_are_its_search():
    spec = find_game("connect_four")
    assert at_level(EXPERT, spec) == SeatChoice("scripted", "", (("level", "expert"),))
    assert at_level(EXPERT, find_game("house/volley")) == EXPERT
    seating = Seating(spec, devices=())
    assert seating.default == EASY
    assert {f"level:{level}" for level in LEVELS} <= {str(choice) for choice in seating.options("player_0")}


def test_the_even_opponent_of_a_board_game_is_one_of_its_levels(tmp_path):
    spec = find_game("connect_four")
    found = opponents(
        spec.id, "player_0", SnapshotStore(tmp_path), turn_based=True, scripted=True, rated=lambda label: False,
        has_levels=spec.has_levels,
    )  # fmt: skip
    assert [str(one.choice) for one in found] == [f"level:{level}" for level in LEVELS]


def test_a_recorded_level_of_a_board_game_plays_on_at_that_level():
    source = RecordingSource(tick=0, agent="player_0", kind="scripted", label="AI, hard")
    assert same_player(source, find_game("chess"), ()) == SeatChoice("level", "hard")


def test_an_empty_seat_of_a_board_game_goes_to_the_easy_level(tmp_path):
    assert ai_choice(find_game("chess"), "player_0", SnapshotStore(tmp_path)) == EASY
