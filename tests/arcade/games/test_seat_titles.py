"""The titles of seats that people read."""

import re

import pytest

from arcade.games import find_game
from arcade.games.built_in import built_in_games
from arcade.games.spec import GameSpec

ID = re.compile(r"_|[a-z]\d")


@pytest.mark.parametrize("spec", built_in_games(), ids=lambda spec: spec.id)
def test_every_seat_of_the_catalogue_has_a_title_of_its_own(spec):
    titles = [spec.seat_title(agent) for agent in spec.agents]
    assert len(set(titles)) == len(titles)
    assert not [title for title in titles if ID.search(title) or title != title.strip() or not title[0].isupper()]
    assert set(spec.seat_titles) <= set(spec.agents)


def test_titles_are_what_the_picture_shows():
    assert [find_game("chess").seat_title(seat) for seat in ("player_0", "player_1")] == ["White", "Black"]
    assert find_game("volley").seat_title("right_0") == "Right"
    assert find_game("simple_tag").seat_title("adversary_1") == "Red chaser 2"


def test_games_without_titles_count_their_seats():
    third_party = GameSpec(
        id="them:game", title="Theirs", entry="them:game", agents=(7, "b_1"), teams=((7,), ("b_1",)),
        turn_based=True, fps=2,
    )  # fmt: skip
    assert [third_party.seat_title(agent) for agent in (7, "7", "b_1")] == ["Player 1", "Player 1", "Player 2"]
    assert third_party.seat_title("gone_0") == "gone_0"
