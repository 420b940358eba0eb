"""The players of card games: they keep the rules, repeat by their seed, know no hidden card and play well."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import arcade
from agents.seats.controller import LEVELS
from arcade.games import find_game
from arcade.games.players import holdem_hands, leduc, rps
from arcade.games.spec import GameSpec, load_entry
from tests.benchmarks import leduc_equilibrium

POKER = ("classic/leduc_holdem_v4", "classic/texas_holdem_v4", "classic/texas_holdem_no_limit_v6")
GAMES = (*POKER, "classic/hanabi_v5", "classic/rps_v2")


def player(spec: GameSpec, level: str, seed: int) -> Any:
    return load_entry(spec.scripted)(None, np.random.default_rng(seed), level=level)


def returns(game: str, lineup: dict[str, str], episodes: int, seed: int = 1) -> list[dict[str, float]]:
    data = arcade.evaluate(game, lineup, episodes=episodes, seed=seed, swap=False, workers=1)
    assert not any(match["truncated"] for match in data["matches"] if "truncated" in match)
    return [match["returns"] for match in data["matches"]]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", GAMES)
def test_every_level_plays_whole_matches_that_its_seed_repeats(game: str, level: str):
    lineup = {"player_0": f"level:{level}", "player_1": "random"}
    assert returns(game, lineup, 2) == returns(game, lineup, 2)


def with_other_cards(env: Any, agent: str, rng: np.random.Generator) -> Any:
    """What a seat would observe if the opponent held other cards."""
    game = env.unwrapped.engine.game
    opponent, deck = game.players[1 - env.possible_agents.index(agent)], game.dealer.deck
    held = opponent.hand
    several = isinstance(held, list)
    drawn = [deck[int(place)] for place in rng.choice(len(deck), len(held) if several else 1, replace=False)]
    opponent.hand = drawn if several else drawn[0]
    seen = env.observe(agent)
    opponent.hand = held
    return seen


@pytest.mark.parametrize("level", ["normal", "expert"])
@pytest.mark.parametrize("game", POKER)
def test_the_opponents_cards_change_no_move_of_poker(game: str, level: str):
    spec = find_game(game).for_matches()
    env, rng, asked = spec.make(), np.random.default_rng(0), 0
    env.reset(seed=3)
    players = {agent: player(spec, level, seat) for seat, agent in enumerate(env.agents)}
    for agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        twin = deepcopy(players[agent])
        other = with_other_cards(env, agent, rng)
        action = players[agent](seen["observation"], seen["action_mask"])
        assert twin(other["observation"], other["action_mask"]) == action
        asked += 1
        env.step(action)
    assert asked > 20


def other_deals(state: Any, seat: int, size: int = 5) -> list[Any]:
    """States of Hanabi that differ in one own card, as far as the seat cannot know it."""
    found, seen = [], state.observation_tensor(seat)
    history = [int(step.action) for step in state.full_history()]
    for at in range(seat * size, (seat + 1) * size):  # the first cards dealt to the seat
        for card in range(25):
            twin = state.get_game().new_initial_state()
            for place, action in enumerate(history):
                taken = card if place == at else action
                if taken not in twin.legal_actions():
                    break
                twin.apply_action(taken)
            else:
                if card != history[at] and twin.observation_tensor(seat) == seen:
                    found.append(twin)
    return found


@pytest.mark.parametrize("level", ["hard", "expert"])
def test_the_own_cards_change_no_move_of_hanabi(level: str):
    spec, swaps = find_game("classic/hanabi_v5"), 0
    env = spec.make()
    env.reset(seed=5)
    players = {agent: player(spec, level, seat) for seat, agent in enumerate(env.agents)}
    for turn in range(10):
        agent = env.agent_selection
        seat, seen = env.possible_agents.index(agent), env.observe(agent)
        twin = deepcopy(players[agent])
        action = players[agent](seen["observation"], seen["action_mask"])
        for state in other_deals(env.unwrapped.hanabi_env.game_state, seat) if turn in (2, 7) else ():
            swaps += 1
            assert deepcopy(twin)(np.array(state.observation_tensor(seat)), seen["action_mask"]) == action
        env.step(action)
    assert swaps > 20


def test_a_choice_of_rock_paper_scissors_is_not_seen_before_its_round():
    spec = find_game("classic/rps_v2")
    for seed in range(5):
        choices = []
        for first in range(rps.CHOICES):
            env = spec.make()
            env.reset(seed=seed)
            second, previous, own = player(spec, "expert", seed), {agent: np.array(3) for agent in env.agents}, []
            for round_ in range(10):
                own.append(second(previous["player_1"], None))
                previous, *_ = env.step({"player_0": first if round_ == 9 else round_ % 2, "player_1": own[-1]})
            choices.append(own)
        assert choices[0] == choices[1] == choices[2]


def wins(level: str, pattern: Any, matches: int = 30) -> int:
    """Matches of 15 rounds that a level wins less those that it loses against (round, its last choice) -> choice."""
    total = 0
    for seed in range(matches):
        one, last, seen, score = rps.Player(None, np.random.default_rng(seed), level=level), 3, 3, 0
        for round_ in range(15):
            choice, other = one(np.array(seen), None), pattern(round_, last)
            score += (0, 1, -1)[(choice - other) % 3]
            last, seen = choice, other
        total += (score > 0) - (score < 0)
    return total


@pytest.mark.parametrize("pattern", [
    lambda round_, last: 0,
    lambda round_, last: round_ % 3,
    lambda round_, last: last % 3,
    lambda round_, last: (last + 1) % 3,
    lambda round_, last: (0, 0, 1, 2, 2)[round_ % 5],
], ids=["always rock", "in turn", "copies", "beats the last", "a pattern of five"])  # fmt: skip
def test_the_expert_of_rock_paper_scissors_finds_simple_patterns(pattern: Any):
    assert wins("expert", pattern) >= 20


def test_nobody_at_random_beats_the_expert_of_rock_paper_scissors():
    rng = np.random.default_rng(0)
    assert abs(wins("expert", lambda round_, last: int(rng.integers(3)), matches=200)) < 45  # 3 standard deviations


def test_the_strategy_of_leduc_is_an_equilibrium():
    table = {key: np.array(row) for key, row in leduc.strategy().items()}
    root = leduc_equilibrium.tree()
    assert leduc_equilibrium.nash_conv(table, root) < 1  # thousandths of a big blind a hand
    assert leduc_equilibrium.nash_conv({}, root) > 500  # one who always calls


def test_the_betting_of_the_strategy_is_that_of_the_game():
    keys = {key for node in leduc_equilibrium.decisions(leduc_equilibrium.tree()) for key in node.keys}
    env = find_game("classic/leduc_holdem_v4").for_matches().make()
    for seed in range(5):
        env.reset(seed=seed)
        players = {agent: leduc.Player(None, np.random.default_rng(seed), level="easy") for agent in env.agents}
        for agent in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            action = players[agent](seen["observation"], seen["action_mask"])
            assert players[agent].key in keys
            env.step(action)


def hanabi_points(one: str, two: str, games: int) -> float:
    found = returns("classic/hanabi_v5", {"player_0": f"level:{one}", "player_1": f"level:{two}"}, games)
    return float(np.mean([match["player_0"] for match in found]))


def test_two_experts_of_hanabi_understand_each_other():
    assert hanabi_points("expert", "expert", 12) >= 18


@pytest.mark.parametrize("stranger", ["normal", "hard"])
def test_an_expert_of_hanabi_gets_on_with_a_stranger(stranger: str):
    assert hanabi_points("expert", stranger, 12) >= 14


def card(name: str) -> int:
    """A card of hold'em by its name, as in "As"."""
    return "shdc".index(name[1]) * 13 + "A23456789TJQK".index(name[0])


@pytest.mark.parametrize(("better", "worse"), [
    ("Ts Js Qs Ks As 2h 3d", "9s Ts Js Qs Ks 2h 3d"),
    ("As 2s 3s 4s 5s Kd Kh", "Kd Kh Kc Ks 2h 3d 4d"),  # the ace begins a straight flush
    ("2s 2h 2d 2c 3s 4s 5h", "As Ah Ad Ks Kh Kd 2c"),
    ("As Ah Ad Ks Kh Qd 2c", "As Ks Qs Js 9s 2h 3d"),
    ("2s 4s 6s 8s Ts Ah Ad", "9s Th Jd Qc Ks 2h 3d"),
    ("As 2h 3d 4c 5s Kh Kd", "As Ah Ad Kc Qs 9h 8d"),
    ("2s 2h 2d Kc Qs 9h 8d", "As Ah Kd Kc Qs 9h 8d"),
    ("As Ah Kd Kc 9s 8h 7d", "As Ah Qd Qc Ks 8h 7d"),
    ("2s 2h Ad Kc 9s 8h 7d", "As Kh Qd Jc 9s 8h 7d"),
    ("As Ah Kd Qc 9s 3h 2d", "As Ah Kd Jc Ts 3h 2d"),
])  # fmt: skip
def test_hands_of_holdem_are_ranked(better: str, worse: str):
    rows = np.array([[card(name) for name in hand.split()] for hand in (better, worse)])
    first, second = holdem_hands.scores(rows)
    assert first > second


def test_two_aces_win_about_six_of_seven_pots():
    _, wins = holdem_hands.draw_rivals([card("As"), card("Ah")], [], np.random.default_rng(0), rivals=1500)
    assert abs(wins.mean() - 0.852) < 0.02


@pytest.mark.parametrize("game", POKER[1:])
def test_the_expert_of_holdem_beats_random_play(game: str):
    found = returns(game, {"player_0": "level:expert", "player_1": "random"}, 24)
    assert sum(match["player_0"] for match in found) > 0  # chips
