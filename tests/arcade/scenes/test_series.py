"""Several matches for one winner: who has won how often, whoever sits on which side."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.seats.controller import SeatChoice
from arcade.games.spec import GameSpec
from arcade.match.play.lineup import next_seats, swapped_lineup
from arcade.match.play.result import Ending, MatchResult
from arcade.scenes import routes
from arcade.scenes.match.match_scene import MatchScene
from arcade.session.match.series import Series


def game(*teams: tuple[str, ...]) -> GameSpec:
    agents = tuple(agent for team in teams for agent in team)
    return GameSpec(
        id="test/game", title="Game", entry="none:none", agents=agents, teams=teams, turn_based=False, fps=60
    )


def won_by(spec: GameSpec, team: int | None, ended: Ending = "finished") -> MatchResult:
    """None: a draw."""
    places = {agent: 1 if team is None or spec.team_of(agent) == team else 2 for agent in spec.agents}
    return MatchResult(
        game=spec.id, seed=1, ticks=9, seconds=1, ended=ended, lineup={}, returns=dict.fromkeys(spec.agents, 0.0),
        teams=[list(team) for team in spec.teams], placements=places, late={},
    )  # fmt: skip


def test_wins_stay_with_whoever_won_when_sides_are_swapped() -> None:
    spec = game(("left_0",), ("right_0",))
    series = Series.begin(spec, 5).after(spec, won_by(spec, 0)).swapped()
    assert series.tally == (0, 1)
    assert series.text == "Best of 5   0 : 1"
    series = series.after(spec, won_by(spec, 1)).swapped().after(spec, won_by(spec, 0))
    assert (series.tally, series.winner) == ((3, 0), 0)
    assert series.next().tally == (0, 0)


def test_draws_are_nobodys_wins_and_a_match_that_was_left_does_not_count() -> None:
    spec = game(("a",), ("b",), ("c",))
    series = Series.begin(spec, 3)
    assert series.after(spec, won_by(spec, 0, "quit")) == series
    series = series.after(spec, won_by(spec, None)).after(spec, won_by(spec, 2))
    assert (series.tally, series.winner) == ((0, 0, 1), None)
    assert series.after(spec, won_by(spec, 2)).winner == 2


@pytest.mark.parametrize("best_of", [0, 2, 9])
def test_a_length_that_has_no_middle_is_refused(best_of: int) -> None:
    with pytest.raises(ValueError, match="expected best_of in"):
        Series(best_of=best_of, wins=(0, 0))


def test_swapping_sides_seats_everybody_in_the_next_team() -> None:
    words = ("keyboard", "gamepad", "random", "idle")
    lineup = dict(zip("abcd", map(SeatChoice, words), strict=True))
    two = game(("a", "b"), ("c", "d"))
    swapped = swapped_lineup(two, lineup)
    assert swapped == {other: lineup[agent] for agent, other in next_seats(two).items()}
    assert swapped_lineup(game(("a", "b", "c", "d")), lineup)["b"] == lineup["a"]
    assert swapped_lineup(game(("a", "b", "c"), ("d",)), lineup) is None
    assert swapped_lineup(game(("a",)), lineup) is None


def test_a_series_is_chosen_in_the_pause_and_won_over_matches_with_swapped_sides(sit, keyboard) -> None:
    sitting = sit(speed=64)
    hand = keyboard(sitting)
    spec = sitting.library.featured
    spec = replace(spec, kwargs={**spec.kwargs, "points": 1})
    lineup = {"left_0": SeatChoice("keyboard", "wasd"), "right_0": SeatChoice("scripted")}
    sitting.engine.push(MatchScene(sitting.services, routes.Match(spec, lineup)))
    sitting.until(lambda: sitting.engine.scene.match is not None and sitting.engine.scene.match.tick, "a match")
    hand.pause()
    hand.reach(sitting.widget("Series"))
    hand.press("right")
    hand.press("back")
    for wins, words in ((1, "Swap sides"), (2, "Rematch")):
        sitting.until(lambda: sitting.on == "ResultsScene", "the results")
        series = sitting.engine.scene.outcome.series
        loser = 0 if wins == 1 else 1  # the person who does nothing moves on to the right
        assert (series.best_of, series.tally[loser], series.tally[1 - loser]) == (3, 0, wins)
        if wins == 1:
            assert sitting.widget("Next match")
        assert sitting.engine.scene.heading == ("You lost 0–1" if wins == 1 else "You lost 0–1, and the best of 3")
        hand.choose(words)
        sitting.until(lambda: sitting.on == "MatchScene" and sitting.engine.scene.match is not None, "the next match")
    assert sitting.engine.scene.session.series.tally == (0, 0), "the series is decided: the next one begins"
    sitting.engine.pop()
    hand.choose("Play Volley again")
    sitting.until(lambda: sitting.on == "MatchScene", "the title's match")
    assert sitting.engine.scene.session.series.best_of == 1, "one press on the title is one match"
