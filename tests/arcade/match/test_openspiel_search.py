"""Searches by OpenSpiel: its games are the same as ours, moves that win are found, and hidden cards stay hidden."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest

import arcade
from agents.seats.controller import SeatError, SeatSpec
from agents.seats.kinds import parse_seat
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.games.openspiel import GUESSED
from arcade.games.openspiel_env import imagined
from arcade.match.openspiel_search import GuessingSearcher, TreeSearcher
from arcade.match.play.lineup import make_controller

FOUR, THREE = "classic/connect_four_v3", "classic/tictactoe_v3"


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))


def assert_same(env: Any, state: Any) -> None:
    """Both are over with the same result, or have the same legal actions."""
    over = any(env.terminations.values())
    assert over == state.is_terminal()
    if over:
        assert [env.rewards[agent] for agent in env.possible_agents] == state.returns()
    else:
        assert env.possible_agents.index(env.agent_selection) == state.current_player()
        mask = env.observe(env.agent_selection)["action_mask"]
        assert np.flatnonzero(mask).tolist() == state.legal_actions()


def test_tic_tac_toe_is_the_same_game_in_every_position() -> None:
    env, game = find_game(THREE).make().unwrapped, pyspiel.load_game(find_game(THREE).openspiel)
    waiting, seen = [tuple[int, ...]()], {(0,) * 9}
    while waiting:
        moves = waiting.pop()
        state = game.new_initial_state()
        env.reset(seed=0)
        for move in moves:
            env.step(move)
            state.apply_action(move)
        assert_same(env, state)
        for action in state.legal_actions():
            cells = list(env.board.squares)
            cells[action] = 1 + state.current_player()
            if tuple(cells) not in seen:
                seen.add(tuple(cells))
                waiting.append((*moves, action))
    assert len(seen) == 5_478  # all that can come up


def test_connect_four_is_the_same_game() -> None:
    env, game = find_game(FOUR).make().unwrapped, pyspiel.load_game(find_game(FOUR).openspiel)
    rng, results = np.random.default_rng(0), set[float]()
    for number in range(150):
        env.reset(seed=number)
        state = game.new_initial_state()
        while not state.is_terminal():
            assert_same(env, state)
            action = int(rng.choice(state.legal_actions()))
            env.step(action)
            state.apply_action(action)
        assert_same(env, state)
        results.add(state.returns()[0])
    assert {-1.0, 1.0} <= results


def test_a_search_finds_what_wins_and_tells_what_it_looked_at() -> None:
    search = TreeSearcher(game=FOUR, simulations=400, seconds=60.0)
    found = search(np.array([3, 0, 3, 0, 3, 1]), None, np.random.default_rng(0))
    assert (found.action, found.insight.value, found.insight.line[0]) == (3, 1.0, 3)
    found = search(np.array([3, 0, 3, 0, 3]), None, np.random.default_rng(0))
    assert found.action == 3
    assert 300 < found.insight.visits <= 400
    assert sum(found.insight.shares) == pytest.approx(1.0)


def test_a_search_keeps_to_its_time() -> None:
    """A million games of an empty board would take more than ten seconds."""
    search = TreeSearcher(game=FOUR, simulations=1_000_000, seconds=0.05)
    found = search(np.array([], int), None, np.random.default_rng(0))
    assert found.insight.visits < 200_000


@pytest.mark.parametrize("game", ["openspiel/breakthrough(rows=6,columns=6)", FOUR])
def test_the_search_beats_random_moves(game: str) -> None:
    seats = {"player_0": "search:mcts?simulations=60", "player_1": "random"}
    data = arcade.evaluate(game, seats, episodes=4, seed=1, workers=1)
    assert data["seats"][0]["return"]["mean"] > 0.5


def positions(name: str) -> Any:
    """Envs in the middle of hands, with another that differs only in what the player to move cannot know."""
    for seed in range(12):
        env, rng = arcade.make(f"openspiel/{name}"), np.random.default_rng(seed)
        env.reset(seed=seed)
        while not env.state_now.is_terminal():
            player = env.state_now.current_player()
            other = env.state_now.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(seed, 0.0, 1.0))
            swapped = copy.copy(env)
            swapped.state_now = other
            yield env, swapped
            env.step(int(rng.choice(env.state_now.legal_actions())))


@pytest.mark.parametrize("name", sorted(GUESSED))
def test_hidden_cards_change_nothing(name: str) -> None:
    """Neither what reaches the search, to the byte, nor its move."""
    changed = guessed = 0
    for env, swapped in positions(name):
        agent = env.agent_selection
        one, other = imagined(env)[agent], imagined(swapped)[agent]
        assert bytes(one) == bytes(other)
        changed += str(env.state_now) != str(swapped.state_now)
        _, state = pyspiel.deserialize_game_and_state(bytes(one).decode())
        guessed += str(state) != str(env.state_now)
        assert all(not len(seen) for seat, seen in imagined(env).items() if seat != agent)
    assert changed > 5
    assert guessed > 5  # it is not the true state


def test_a_search_with_hidden_cards_beats_random_play() -> None:
    seats = {"player_0": "search:mcts?simulations=100", "player_1": "random"}
    data = arcade.evaluate("openspiel/leduc_poker", seats, episodes=60, seed=1, workers=1)
    assert data["seats"][0]["return"]["mean"] > 0.5  # chips a hand


def test_guesses_tell_their_shares() -> None:
    env = arcade.make("openspiel/leduc_poker")
    env.reset(seed=3)
    search = GuessingSearcher(game="openspiel/leduc_poker", simulations=50, seconds=60.0)
    found = search(imagined(env)["player_0"], None, np.random.default_rng(0))
    assert found.action in env.state_now.legal_actions()
    assert found.insight.visits == 50
    assert sum(found.insight.shares) == pytest.approx(1.0)


@pytest.mark.parametrize("game", ["classic/hanabi_v5", "classic/rps_v2", "openspiel/gin_rummy", "house/volley"])
def test_games_whose_hidden_cards_cannot_be_drawn_refuse_to_be_searched(game: str, tmp_path: Path) -> None:
    spec = find_game(game)
    env = spec.make()
    agent = spec.agents[0]
    seat = SeatSpec(
        game=game, agent=agent, observation_space=env.observation_space(agent), action_space=env.action_space(agent),
        fps=spec.fps,
    )  # fmt: skip
    choice = parse_seat("search:mcts")
    with pytest.raises(SeatError, match="whose hidden cards can be drawn from what a seat knows"):
        make_controller(choice, seat, spec=spec, store=SnapshotStore(tmp_path))
