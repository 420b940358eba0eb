"""Seats that think ahead: by a snapshot, or by play-outs at random; in board games alone."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from agents.policies.random import RandomController
from agents.seats.controller import MOVES, SeatError
from agents.seats.kinds import parse_seat
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.games.players import tictactoe
from arcade.match.play.lineup import make_controller
from arcade.match.play.match import Match
from arcade.match.search import Searcher, StageGame
from arcade.match.stage.local import LocalStage
from arcade.match.stage.stage import StageError
from tests.support.processes import wait_for
from tests.support.small_snapshots import save_connect_four_snapshot, save_volley_snapshot

FOUR = find_game("classic/connect_four_v3")
OXO = find_game("classic/tictactoe_v3")


@pytest.fixture
def store(tmp_path: Path) -> SnapshotStore:
    made = SnapshotStore(tmp_path)
    save_connect_four_snapshot(made, "four")
    save_volley_snapshot(made, "ball")
    return made


@pytest.fixture
def searcher() -> Searcher:
    return Searcher(game=FOUR.id, simulations=400, seconds=30)


def mask() -> np.ndarray:
    return np.ones(7, np.int8)


def test_a_search_takes_the_win_and_stops_a_loss(searcher: Searcher) -> None:
    rng = np.random.default_rng(1)
    assert searcher(np.array([0, 6, 0, 6, 0, 5]), mask(), rng).action == 0  # its own fourth
    assert searcher(np.array([0, 6, 0, 6, 3, 6]), mask(), rng).action == 6  # the other's fourth


def test_a_search_tells_what_it_looked_at(searcher: Searcher) -> None:
    answer = searcher(np.array([], np.int64), mask(), np.random.default_rng(0))
    assert answer.insight.visits >= 400
    assert sum(answer.insight.shares) == pytest.approx(1)
    assert answer.insight.line[0] == int(np.argmax(answer.insight.shares))


def test_a_game_with_chance_is_not_searched_by_its_moves() -> None:
    """Nobody says of another package's game whether cards are dealt in it."""
    with pytest.raises(StageError, match=r"classic/leduc_holdem_v4: expected a game without chance"):
        StageGame(find_game("classic/leduc_holdem_v4"))


def test_tic_tac_toe_is_not_lost_to_a_perfect_player() -> None:
    searcher = Searcher(game=OXO.id, simulations=600, seconds=30)
    for seed in range(6):
        own, rng = seed % 2, np.random.default_rng(seed)
        with LocalStage(OXO) as stage:
            stage.reset(seed)
            moves: list[int] = []
            tick = stage.wait()
            while not tick.over:
                agent = tick.acting[0]
                if OXO.agents.index(agent) == own:
                    moves.append(searcher(np.array(moves, np.int64), tick.action_masks[agent], rng).action)
                else:
                    moves.append(tictactoe.play(tick.observations[agent], None, rng))
                stage.step({agent: moves[-1]})
                tick = stage.wait()
            assert tick.rewards[OXO.agents[own]] >= 0, moves


def test_a_snapshot_that_thinks_ahead_plays_a_match(store: SnapshotStore) -> None:
    choice = parse_seat("snapshot:four?search=24")
    with LocalStage(FOUR) as stage:
        ahead = make_controller(choice, stage.seat("player_0"), spec=FOUR, store=store)
        match = Match(stage, {"player_0": ahead, "player_1": RandomController()}, seed=3)
        result = match.run()
        insight = ahead.insight()
    assert result.lineup["player_0"] == "four (search 24)"
    assert sum(result.placements.values()) == 3  # one won
    assert result.seats["player_0"]["snapshot"] == "four"
    assert insight is not None
    assert insight.visits >= 24


def test_a_seat_taken_in_mid_match_knows_the_moves_of_before(store: SnapshotStore) -> None:
    choice, now = parse_seat("search:mcts?simulations=20"), itertools.count()
    with LocalStage(FOUR) as stage:
        match = Match(stage, {agent: RandomController() for agent in FOUR.agents}, seed=3)
        match.start()
        while match.tick is None or match.tick.index < 5:
            match.advance(next(now))
        for agent in FOUR.agents:
            match.replace(agent, make_controller(choice, stage.seat(agent), spec=FOUR, store=store))

        def ended() -> bool:
            match.advance(next(now))
            return match.result is not None

        wait_for(ended)  # type: ignore[no-untyped-call]
        for controller in match.seats.mapping.values():
            controller.close()
    assert match.result is not None
    assert not match.result.error
    assert sum(match.result.placements.values()) in (2, 3)  # a draw, or one won


def test_the_moves_are_those_of_the_moment_after_going_back() -> None:
    with LocalStage(FOUR) as stage:
        stage.obs_types = frozenset((MOVES,))
        stage.reset(0)
        tick, saved = stage.wait(), None
        for index, column in enumerate((3, 3, 2, 4)):
            if index == 2:
                saved = stage.save()
            stage.step({tick.acting[0]: column})
            tick = stage.wait()
        assert tick.seen(tick.acting[0], MOVES).tolist() == [3, 3, 2, 4]
        assert saved is not None
        stage.load(saved, [{"player_0": 6}])
        tick = stage.wait()
        assert tick.seen(tick.acting[0], MOVES).tolist() == [3, 3, 6]


@pytest.mark.parametrize(
    ("word", "game", "reason"),
    [
        ("search:mcts", "classic/texas_holdem_no_limit_v6", "expected a board game"),
        ("search:mcts", "house/volley", "expected a board game"),
        ("snapshot:ball?search=10", "house/volley", "expected a board game"),
        ("search:mcts?simulations=0", "classic/connect_four_v3", "expected 1 <= simulations"),
        ("snapshot:four?search=many", "classic/connect_four_v3", "expected 1 <= search"),
        ("snapshot:four?movetime_ms=90000", "classic/connect_four_v3", "expected 1 <= "),
    ],
)
def test_what_cannot_be_searched_is_refused_with_the_reason(
    store: SnapshotStore, word: str, game: str, reason: str
) -> None:
    spec = find_game(game)
    with LocalStage(spec) as stage, pytest.raises(SeatError, match=reason):
        make_controller(parse_seat(word), stage.seat(spec.agents[0]), spec=spec, store=store).close()


def test_a_search_word_without_its_kind_lists_it() -> None:
    with pytest.raises(SeatError, match="search:mcts"):
        parse_seat("search:deep")


def test_the_same_seed_searches_the_same(searcher: Searcher) -> None:
    moves, again = [], Searcher(game=FOUR.id, simulations=60, seconds=60)
    for one in (Searcher(game=FOUR.id, simulations=60, seconds=60), again):
        rng = np.random.default_rng(7)
        played: list[int] = []
        for _ in range(4):
            played.append(one(np.array(played, np.int64), mask(), rng).action)
        moves.append(played)
    assert moves[0] == moves[1]
