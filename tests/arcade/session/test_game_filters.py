"""Filters and search of the games screen, over the whole catalogue."""

from __future__ import annotations

import pytest

from arcade.games import games
from arcade.session.game_filters import FILTERS, counts, filtered
from arcade.session.game_list import GameList, plain

LEVELLED = {"house/volley", "classic/chess_v6"}


def ids(**chosen: str) -> set[str]:
    return {spec.id for spec in filtered(games(), chosen, LEVELLED)}


def test_filters_narrow_together():
    assert "classic/chess_v6" in ids(players="2", sides="against", pace="turns", ai="levels")
    assert "house/volley" not in ids(pace="turns")
    assert ids(pace="turns", ai="levels") == {"classic/chess_v6"}
    assert ids(sides="together", players="1") == {"mpe/simple_v3"}
    assert "butterfly/knights_archers_zombies_v11" in ids(sides="together", players="4")


def test_the_options_of_a_filter_share_out_all_games():
    for one in FILTERS:
        found = [ids(**{one.name: option.name}) for option in one.options]
        assert sum(map(len, found)) == len(set().union(*found)) == len(games())


def test_no_choice_keeps_every_game_in_order():
    assert filtered(games(), {"pace": ""}) == list(games())


def test_each_option_says_how_many_games_it_leaves():
    chosen = {"pace": "turns", "players": "1"}
    assert counts(games(), chosen, "pace", LEVELLED) == {
        "real time": len(ids(pace="real time", players="1")), "turns": 0,
    }  # fmt: skip


def test_wrong_words_are_named():
    with pytest.raises(ValueError, match="got: speed"):
        filtered(games(), {"speed": "fast"})
    with pytest.raises(ValueError, match="among real time, turns, got: 'slow'"):
        filtered(games(), {"pace": "slow"})


def test_a_search_looks_through_titles_summaries_and_families():
    listed = GameList(games())
    listed.query = "CHESS"
    assert [spec.id for spec in listed.found] == ["classic/chess_v6"]
    chess = listed.found[0]
    listed.query = chess.summary.split()[0]
    assert chess in listed.found
    listed.query = "Àtari"
    assert {spec.family for spec in listed.found} == {"atari"}


def test_search_and_filters_work_together():
    listed = GameList(games())
    listed.filters, listed.levelled, listed.query = {"ai": "levels"}, LEVELLED, "vol"
    assert [spec.id for spec in listed.found] == ["house/volley"]


def test_accents_do_not_matter():
    assert plain("Pokémon ÄRGER") == plain("POKEMON arger")
