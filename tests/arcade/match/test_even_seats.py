"""``level:even`` in every game: the easiest first, and an even match after three."""

from __future__ import annotations

from itertools import product

import pytest

import arcade
from agents.ladder.ratings.online import OnlineRatings, chances
from agents.ladder.ratings.rows import Rated
from agents.seats.controller import LEVELS, SeatChoice
from agents.seats.even import find_even, opponents, placed_ratings, seated_as
from agents.snapshots.store import open_store
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.games.strengths import heights, scores_together
from arcade.match.play.even_seats import even_matches
from arcade.match.play.lineup import choice_limits, close_mapping, make_mapping
from arcade.match.stage.local import LocalStage

GAMES = [game.id for game in arcade.games() if len(game.teams) > 1]


def others_of(spec: GameSpec):
    return opponents(
        spec.id, spec.teams[-1][0], open_store(), turn_based=spec.turn_based, scripted=bool(spec.scripted),
        rated=lambda label: False, has_levels=spec.has_levels, heights=heights(spec.id),
    )  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_the_first_match_is_against_the_easiest_and_three_make_it_even(game: str):
    others = others_of(find_game(game))
    for wins in product((True, False), repeat=3):
        ratings, met = OnlineRatings(), []
        for won in wins:
            opponent = find_even(["Ada"], others, ratings).opponent
            met.append(opponent)
            ratings.add(Rated([["Ada"], [opponent.label]], [1, 2] if won else [2, 1]))
        assert met[0].choice == SeatChoice("level", LEVELS[0])
        opponent = find_even(["Ada"], others, ratings).opponent
        (chance,) = chances(ratings["Ada"], [placed_ratings(others, ratings)[opponent.label]]).mean
        assert 0.4 <= chance <= 0.6, (wins, [one.label for one in met], opponent.label)


@pytest.mark.parametrize("game", [game.id for game in arcade.games()])
def test_every_game_seats_somebody_from_the_first_match(game: str):
    spec = find_game(game)
    lineup = dict.fromkeys(spec.agents[1:], SeatChoice("level", "even"))
    found = even_matches(lineup, {spec.agents[0]: "Ada"}, spec, open_store())
    for agent, match in found.items():
        choice = seated_as(lineup[agent], match.opponent)
        assert choice == SeatChoice("level", LEVELS[0])
        choice_limits(choice, spec)


@pytest.mark.parametrize("game", [game.id for game in arcade.games() if game.turn_based])
def test_in_games_of_turns_weaker_play_is_that_of_the_level_below(game: str):
    between = [one for one in others_of(find_game(game)) if one.slips]
    assert {dict(one.choice.options)["level"] for one in between} == set(LEVELS)
    assert not any("noise" in str(one.choice) for one in between)
    levels = heights(game)
    for one in between:
        options = dict(one.choice.options)
        below = [0.0, *levels.values()][LEVELS.index(options["level"])]
        assert below <= one.height < levels[options["level"]]


@pytest.mark.parametrize("game", ["house/volley", "mpe/simple_spread_v3", "classic/tictactoe_v3"])
def test_a_level_with_slips_is_a_player_of_the_name_that_was_rated(game: str):
    spec = find_game(game)
    slipping = [one for one in others_of(spec) if one.slips]
    assert slipping
    with LocalStage(spec) as stage:
        stage.reset(seed=1)
        for one in slipping:
            mapping = make_mapping(stage, {spec.teams[-1][0]: one.choice}, store=open_store())
            assert [controller.label for controller in mapping.values()] == [one.label]
            close_mapping(mapping)


def test_levels_of_cooperative_games_have_scores_to_compare_with():
    known = {game.id: scores_together(find_game(game.id)) for game in arcade.games() if len(game.teams) == 1}
    known = {game: list(map(scores.__getitem__, LEVELS)) for game, scores in known.items() if scores}
    assert {"classic/hanabi_v5", "mpe/simple_spread_v3", "butterfly/cooperative_pong_v6"} <= known.keys()
    assert [game for game, scores in known.items() if scores != sorted(scores)] == []
    assert known["butterfly/cooperative_pong_v6"][-1] == pytest.approx(100, abs=1), "by the measured strengths"
