"""Search with hidden cards: the rules are RLCard's, what a seat cannot know changes nothing, and play is sound."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import arcade
from agents.policies.information_sets import InformationSetSearch
from arcade.games import find_game, limit_poker
from arcade.games.limit_poker import FOLD, RAISE, RULES, Known, known, read_known
from arcade.match.card_search import CardSearcher

GAMES = tuple(RULES)


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))


def hands(game: str, count: int) -> Iterator[tuple[Any, Known, int]]:
    """Hands of random moves: at each turn the env, what its player knows, and the action that comes next."""
    env = find_game(game).make()
    for seed in range(count):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while not env.unwrapped.env.is_over():
            agent = env.agent_selection
            legal = np.flatnonzero(env.observe(agent)["action_mask"])
            staying = legal[legal != FOLD]
            action = int(rng.choice(legal if rng.random() < 0.1 else staying))
            yield env, read_known(game, known(env)[agent]), action
            if not env.unwrapped.env.is_over():  # the reader has not made the last move itself
                env.step(action)


def cards_of(hand: Any) -> list[Any]:
    return hand if isinstance(hand, list) else [hand]


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_rlcards(game: str) -> None:
    rules, ends = RULES[game], 0
    for env, seen, action in hands(game, 150):
        table = env.unwrapped.env.game
        first = (env.possible_agents.index(env.agent_selection) - seen.betting.player) % 2
        players = [table.players[first], table.players[1 - first]]
        mask = env.observe(env.agent_selection)["action_mask"]
        assert seen.betting.legal(rules) == tuple(np.flatnonzero(mask).tolist())
        assert list(seen.betting.chips) == [player.in_chips for player in players]
        assert len(seen.board) == rules.shown[seen.betting.round]
        after = seen.betting.after(action, rules)
        if after.player >= 0:
            continue
        ends += 1
        common = [table.public_card] if rules.held == 1 else table.public_cards
        board = [rules.cards.index(card.get_index()) for card in common if card is not None]
        held = tuple(tuple(rules.cards.index(card.get_index()) for card in cards_of(one.hand)) for one in players)
        won = 0
        if after.folded < 0:
            _, won = rules.compare(held, board)
        dealt = limit_poker.Dealt(rules, after, held, tuple(board), ((), ()), won)
        env.step(action)
        assert dealt.gain == 2 * env.unwrapped.env.get_payoffs()[first]
    assert ends == 150


@pytest.mark.parametrize("game", GAMES)
def test_swapping_hidden_cards_changes_no_move(game: str) -> None:
    search = CardSearcher(game=game, simulations=20, seconds=600.0)
    rng, swaps = np.random.default_rng(1), 0
    for env, _, _ in hands(game, 6):
        agent, table = env.agent_selection, env.unwrapped.env.game
        before = known(env)
        move = search(before[agent], None, np.random.default_rng(3)).action
        other = table.players[1 - table.game_pointer]
        unseen = [*cards_of(other.hand), *table.dealer.deck]
        mixed = [unseen[place] for place in rng.permutation(len(unseen))]
        swaps += mixed[0] is not unseen[0]
        other.hand = mixed[:2] if isinstance(other.hand, list) else mixed[0]
        table.dealer.deck = mixed[len(cards_of(other.hand)) :]
        after = known(env)
        assert {seat: bytes(seen) for seat, seen in after.items()} == {seat: bytes(one) for seat, one in before.items()}
        assert not len(after[next(seat for seat in env.possible_agents if seat != agent)])
        assert search(after[agent], None, np.random.default_rng(3)).action == move
    assert swaps > 10


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_that_are_drawn_are_all_that_may_be(game: str) -> None:
    """Each as often, and none that the player sees."""
    rng, counts = np.random.default_rng(0), dict[int, int]()
    _, seen, _ = next(hands(game, 1))
    for _ in range(3000):
        dealt = seen.deal(rng)
        assert dealt.held[seen.betting.player] == seen.own
        all_cards = [*dealt.held[0], *dealt.held[1], *dealt.board]
        assert len(set(all_cards)) == len(all_cards)
        for card in dealt.held[1 - seen.betting.player]:
            counts[card] = counts.get(card, 0) + 1
    possible = set(range(len(seen.rules.cards))) - {*seen.own, *seen.board}
    assert counts.keys() == possible
    assert max(counts.values()) < 2 * min(counts.values())


def test_a_pair_that_cannot_be_beaten_bets() -> None:
    rules = RULES["classic/leduc_holdem_v4"]
    betting = limit_poker.Betting()
    for action in (limit_poker.CALL, limit_poker.CHECK):
        betting = betting.after(action, rules)
    seen = Known(rules, betting, own=(4,), board=(5,))  # both kings
    rng = np.random.default_rng(0)
    search = InformationSetSearch(lambda: seen.deal(rng), rng)
    search.search(2000)
    assert max(search.root.visits, key=search.root.visits.__getitem__) == RAISE
    assert search.value > 2.5


@pytest.mark.parametrize("game", GAMES)
def test_it_wins_against_random_play(game: str) -> None:
    seats = {"player_0": "search:mcts?simulations=80", "player_1": "random"}
    data = arcade.evaluate(game, seats, episodes=4, seed=1, workers=1)  # sessions of up to twenty hands
    assert data["seats"][0]["return"]["mean"] > 10
