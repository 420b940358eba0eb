"""What the table of Hanabi tells of mistakes and of the end."""

from __future__ import annotations

from typing import Any

import pytest

from arcade.games import find_game
from arcade.games.tables.hanabi import _ending, view
from arcade.scenes.tables.hanabi_words import ENDINGS, done


def play_first_cards(seed: int) -> list[dict[str, Any]]:
    """Each player plays the oldest card at every turn, until the end; returns the view after each turn."""
    env = find_game("classic/hanabi_v5").make()
    env.reset(seed=seed)
    views = []
    while not any(env.terminations.values()):
        agent = env.agent_selection
        actions = view(env, agent)["actions"]
        env.step(next(i for i, one in enumerate(actions) if (one["kind"], one["value"]) == ("play", 1)))
        views.append(view(env, None))
    return views


@pytest.mark.parametrize("seed", range(5))
def test_a_lost_life_names_the_card_that_was_wrong(seed) -> None:
    lives, cards = 3, 0
    for number, now in enumerate(play_first_cards(seed)):
        mover = now["seats"][number % 2]["did"]
        lost = lives - now["lives"]
        assert ("wrong" in mover) == bool(lost)
        if lost:
            assert mover["wrong"] == now["discards"][-1]
            assert "wrong, a life is lost" in done(mover, str)
        lives, cards = now["lives"], cards + 1
    assert (now["over"], now["ending"]) == (True, "mistakes")
    assert cards >= 3


def test_the_end_says_why() -> None:
    full = [f"{colour}5" for colour in "RYGWB"]
    ends = [(0, [*full[:4], "B4"]), (1, full), (1, [*full[:4], "B4"])]
    assert [_ending({"lives": lives, "fireworks": cards}) for lives, cards in ends] == list(ENDINGS)
