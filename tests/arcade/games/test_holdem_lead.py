"""What the expert of no-limit hold'em makes of its lead in a session."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from arcade.games.players.holdem import CHECK_CALL, GIVE_UP, NoLimitPlayer
from arcade.games.players.holdem_lead import Lead, Move

ACES, SEVEN_TWO, JACK_TEN = (0, 13), (6, 14), (10, 22)
SHOVED = np.array([1, 1, 0, 0, 0])  # the opponent is all in


def seen(cards: tuple[int, ...], own: int, most: int) -> Any:
    found = np.zeros(54)
    found[list(cards)] = 1
    found[52:] = own, most
    return found


def expert(level: str = "expert") -> NoLimitPlayer:
    return NoLimitPlayer(None, np.random.default_rng(0), level=level)  # type: ignore[arg-type]  # it needs no seat


def test_blinds_that_alternate_show_a_hand_that_the_opponent_gave_up() -> None:
    lead = Lead()
    lead.begin(True, Move())
    lead.begin(False, Move(own=1, most=2, folds=True))
    assert (lead.hands_left, lead.stack) == (18, 99)
    lead.begin(True, Move(own=2, most=2, folds=True))
    lead.begin(True, Move(own=1, most=2, folds=True))  # in between it had the big blind, and won the small one
    assert (lead.hands_left, lead.stack) == (15, 97)


def test_a_bet_that_ends_the_hand_has_won_what_the_opponent_put_in() -> None:
    lead = Lead()
    lead.begin(True, Move())
    lead.begin(False, Move(own=2, most=10, stake=30, chance=0.4, round=1, bets=True))
    assert lead.stack == 90


def test_an_opponent_that_is_all_in_shows_how_far_apart_the_stacks_are() -> None:
    lead = Lead()
    lead.begin(False, Move())
    lead.begin(True, Move(own=20, most=20, stake=20, chance=0.5, round=3, closes=True))
    before = lead.stack
    lead.see_all_in(100)
    assert before == 80
    assert lead.stack == 100


def test_a_lead_that_folding_keeps_is_worth_the_session() -> None:
    lead = Lead()
    lead.begin(True, Move())
    assert lead.worth(35) == 1.0
    assert 0.5 < lead.worth(0) < lead.worth(10) < 1
    assert lead.worth(-99) < 0.3
    assert lead.worth(100) == 1.0
    assert lead.worth(-100) == 0.0


def test_the_expert_waits_for_a_better_hand_than_an_even_one_against_all_chips() -> None:
    careless = seen(JACK_TEN, 2, 100)
    assert expert()(careless, SHOVED) == GIVE_UP
    assert expert()(seen(ACES, 2, 100), SHOVED) == CHECK_CALL
    assert expert()(seen(SEVEN_TWO, 2, 100), SHOVED) == GIVE_UP


@pytest.mark.parametrize(("last", "action"), [
    (Move(own=2, most=60, stake=90, chance=0.5, round=1, bets=True), GIVE_UP),  # ahead by sixty chips, which is enough
    (Move(own=60, most=90, folds=True), CHECK_CALL),  # behind by as many
])  # fmt: skip
def test_the_expert_risks_no_safe_lead_even_with_aces(last: Move, action: int) -> None:
    player = expert()
    player._lead.begin(True, Move())
    player._last = last
    assert player(seen(ACES, 2, 40), SHOVED) == action


def test_lower_levels_look_at_the_odds_alone() -> None:
    player = expert("hard")
    player._lead.begin(True, Move())
    player._last = Move(own=2, most=60, stake=90, chance=0.5, round=1, bets=True)
    assert player(seen(ACES, 2, 40), SHOVED) == CHECK_CALL
