"""Achievements are earned by the matches that they name, and by no others."""

from __future__ import annotations

from itertools import count

import pytest

from agents.seats.controller import LEVELS
from arcade.games import games
from arcade.session.player.achievements import ACHIEVEMENTS, newly_earned, progress_of
from arcade.session.player.history import PlayerHistory
from arcade.session.player.matches import OtherPlayer, PlayedMatch

FAMILIES = ("house/volley", "atari/pong_v3", "mpe/simple_tag_v3", "classic/chess_v6")
numbers = count(1)


def played(outcome="win", *, game="house/volley", level="", kind="snapshot", ally="") -> PlayedMatch:
    number = next(numbers)
    allies = (OtherPlayer(label="Bo", kind=ally),) if ally else ()
    opponents = () if ally else (OtherPlayer(label="x", kind=kind, level=level),)
    return PlayedMatch(
        number=number, game=game, time=float(number), outcome=outcome, opponents=opponents, allies=allies
    )


def earned(*matches: PlayedMatch, clones: tuple[PlayedMatch, ...] = ()) -> set[str]:
    history = PlayerHistory("Ann", matches, clones)
    return {one.achievement.name for one in progress_of(history, games()) if one.is_earned}


def test_names_are_unique_and_each_says_how_to_get_it():
    assert len({one.name for one in ACHIEVEMENTS}) == len(ACHIEVEMENTS)
    for one in ACHIEVEMENTS:
        assert one.title
        assert one.how.endswith(".")


def test_a_new_player_has_none():
    assert earned() == set()
    assert all(one.done == 0 < one.goal for one in progress_of(PlayerHistory(), games()))


@pytest.mark.parametrize("level", LEVELS)
def test_a_win_against_a_level_earns_that_level_alone(level):
    assert earned(played("loss", level=level)) == {"first match"}
    assert earned(played(level=level)) == {"first match", "first win", f"beat {level}"}


def test_all_levels_count_within_one_game():
    spread = [played(level=level, game=game) for level, game in zip(LEVELS, FAMILIES, strict=True)]
    assert "all levels" not in earned(*spread)
    one_game = [played(level=level) for level in LEVELS]
    assert "all levels" in earned(*one_game)
    state = {one.achievement.name: one for one in progress_of(PlayerHistory("Ann", tuple(one_game[:3])), games())}
    assert (state["all levels"].done, state["all levels"].goal) == (3, 4)


@pytest.mark.parametrize(
    ("name", "matches"),
    [
        ("friend", [{"kind": "person"}]),
        ("engine", [{"kind": "engine"}]),
        ("together", [{"outcome": "", "ally": "person"}]),
        ("streak of 5", [{}] * 5),
        ("ten matches", [{"outcome": "loss"}] * 10),
        ("hundred matches", [{"outcome": "loss"}] * 100),
        ("ten games", [{"game": f"atari/{number}"} for number in range(10)]),
        ("every family", [{"game": game} for game in FAMILIES]),
    ],
)
def test_the_last_step_earns_it(name, matches):
    made = [played(**facts) for facts in matches]
    assert name not in earned(*made[:-1])
    assert name in earned(*made)


def test_a_streak_is_broken_by_a_draw():
    assert "streak of 5" not in earned(*[played() for _ in range(4)], played("draw"), played())


def test_a_clone_earns_by_its_own_match():
    assert "clone" in earned(clones=(played(level="easy"),))
    assert "clone" not in earned(clones=(played("loss", level="easy"), played(level="hard")))


def test_only_the_match_that_earned_it_announces_it():
    first, second = played(), played()
    history = PlayerHistory("Ann", (first, second))
    assert [one.title for one in newly_earned(history, games(), first)] == ["Hello, world", "First win"]
    assert newly_earned(history, games(), second) == []
