"""Poker sessions: stacks are carried from hand to hand, blinds alternate, and a seed repeats a session."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from agents.seats.controller import SeatChoice
from arcade.games import find_game
from arcade.games.house.poker_session import STACK, settle
from arcade.games.tables import poker
from arcade.match.batch.in_process import LocalMatches
from arcade.match.batch.plan import Fixture, MatchPlan
from arcade.match.stage.repeatability import measure

GAMES = ("classic/leduc_holdem_v4", "classic/texas_holdem_v4", "classic/texas_holdem_no_limit_v6")
FOLD = {GAMES[0]: 2, GAMES[1]: 2, GAMES[2]: 0}


def play(env: Any, seed: int, *, only: int | None = None) -> Iterator[dict[str, float]]:
    """Play random legal actions, or `only` one; yields the rewards of each step."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        assert env.observation_space(agent).contains(observation)
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))) if only is None else only)
        yield dict(env.rewards)


@pytest.mark.parametrize("game", GAMES)
def test_stacks_are_carried_and_rewards_are_the_chips_won(game: str) -> None:
    env = find_game(game).for_matches().make()
    for seed in range(12):
        won = dict.fromkeys(env.possible_agents, 0.0)
        for rewards in play(env, seed):
            won = {agent: won[agent] + rewards[agent] for agent in won}
            assert sum(env.unwrapped.stacks) == 2 * STACK
            assert min(env.unwrapped.stacks) >= 0
        assert [STACK + chips for chips in won.values()] == list(env.unwrapped.stacks)
        assert env.unwrapped.number == 20 or min(env.unwrapped.stacks) < 2


@pytest.mark.parametrize("game", GAMES)
def test_the_blinds_alternate_and_cost_the_player_who_folds(game: str) -> None:
    env = find_game(game).for_matches().make()
    small: list[str] = []
    env.reset(seed=3)
    for _ in range(4):
        view = poker.view_leduc(env, None) if "leduc" in game else poker.view_holdem(env, None)
        small += [seat["agent"] for seat in view["seats"] if seat["said"] == "small blind"]
        assert [seat["bet"] for seat in view["seats"] if seat["said"] == "big blind"] == [2]
        env.step(FOLD[game])
    assert small[0] != small[1]
    assert small[::2] == [small[0]] * 2
    assert small[1::2] == [small[1]] * 2
    assert len(set(env.unwrapped.stacks)) == 1, "each folded its small blind twice"


@pytest.mark.parametrize("game", GAMES)
def test_a_session_repeats_exactly_in_other_processes(game: str) -> None:
    found = measure(find_game(game).for_matches(), ticks=200)
    assert found.exact, found.differs


def test_one_hand_is_the_env_of_pettingzoo() -> None:
    env = find_game(GAMES[0]).make()
    assert type(env.unwrapped).__module__.startswith("pettingzoo.")


def test_the_next_hand_shows_how_the_last_one_ended_but_no_folded_cards() -> None:
    env = find_game(GAMES[2]).for_matches().make()
    env.reset(seed=5)
    env.step(0)
    finished = poker.view_holdem(env, None)["finished"]
    assert sorted(seat["won"] for seat in finished["seats"]) == [-1, 1]
    assert [seat["hand"] for seat in finished["seats"]] == [[], []]
    while poker.view_holdem(env, None)["number"] == 2:
        env.step(1)
    finished = poker.view_holdem(env, None)["finished"]
    assert finished["showdown"]
    assert [len(seat["hand"]) for seat in finished["seats"]] == [2, 2]
    assert [seat["stack"] for seat in finished["seats"]] == list(env.unwrapped.stacks)


def test_no_player_loses_more_than_the_own_stack() -> None:
    assert settle((14, -14), (190, 10)) == (10, -10)
    assert settle((-6, 6), (100, 100)) == (-6, 6)
    assert settle((0, 0), (100, 100)) == (0, 0)
    assert settle((5, 5, -10), (50, 50, 3)) == (2, 1, -3)


def test_one_match_of_the_ladder_is_a_session(tmp_path: Any) -> None:
    plan = MatchPlan(spec=find_game(GAMES[0]).for_matches(), players=(SeatChoice("random"),) * 2)
    with LocalMatches(plan, store=plan.open_store()) as matches:
        result = matches.run(Fixture(number=0, seed=1, players=(0, 1)))
    assert result.ticks > 20, "twenty hands have more actions"
    assert sum(result.returns.values()) == 0


@pytest.mark.parametrize(
    ("cards", "category", "ranks"),
    [
        ("S7 H8 D9 HT C2 SJ HK", "straight", "JT987"),
        ("SA H2 D3 H4 C5 SJ HK", "straight", "5432A"),
        ("S7 H7 D9 HT C2 SA HA", "two pairs", "AA77T"),
        ("S4 SK ST H4 H7 HK D4", "full house", "444KK"),
        ("SK HK", "pair", "KK"),
        ("SQ HK", "high card", "KQ"),
    ],
)
def test_the_cards_that_count_are_named_the_most_telling_first(cards: str, category: str, ranks: str) -> None:
    best = poker.best_cards(cards.split())
    assert best["category"] == category
    assert "".join(card[1] for card in best["cards"]) == ranks
