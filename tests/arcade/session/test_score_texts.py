"""The score in words: to the person who played, about others, and together."""

from __future__ import annotations

from agents.seats.controller import SeatChoice
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.language import use
from arcade.match.play.result import MatchResult
from arcade.session.result_texts import summary
from arcade.session.score_texts import headline, return_text, score_line, seat_score

PERSON, AI = SeatChoice("keyboard"), SeatChoice("random")


def result(spec: GameSpec, places: list[int], score: list[float | None], **fields: object) -> MatchResult:
    teams = [[str(agent) for agent in team] for team in spec.teams]
    plain = {
        "game": spec.id, "seed": 1, "ticks": 600, "seconds": 10.0, "ended": "finished", "teams": teams, "late": {},
        "lineup": {str(agent): f"bot {place}" for place, agent in enumerate(spec.agents)},
        "returns": {agent: -2.5 for team in teams for agent in team},
        "placements": {agent: place for team, place in zip(teams, places, strict=True) for agent in team},
        "score": score,
    }  # fmt: skip
    return MatchResult(**{**plain, **fields})  # type: ignore[arg-type]


def told(game: str, places: list[int], score: list[float | None], people: tuple[int, ...], **fields: object) -> str:
    """The headline, with people in the seats of those numbers."""
    spec = find_game(game)
    lineup = {agent: PERSON if place in people else AI for place, agent in enumerate(spec.agents)}
    return headline(spec, result(spec, places, score, **fields), lineup)


def test_a_person_reads_their_own_points_first() -> None:
    assert told("volley", [1, 2], [5, 2], (0,)) == "You won 5–2"
    assert told("volley", [1, 2], [5, 2], (1,)) == "You lost 2–5"
    assert told("volley", [1, 1], [3, 3], (1,)) == "You drew 3–3"


def test_two_people_or_none_read_the_names() -> None:
    assert told("volley", [2, 1], [2, 5], (0, 1)) == "bot 1 won 5–2"
    assert told("volley", [2, 1], [2, 5], ()) == "bot 1 won 5–2"
    assert told("volley", [1, 1], [3, 3], ()) == "A draw, 3–3"


def test_sides_of_the_same_player_are_told_apart_by_their_seats() -> None:
    lineup = dict.fromkeys(("black_0", "white_0"), "Random bot")
    assert told("go", [1, 2], [], (), lineup=lineup) == "Black won"


def test_games_that_count_nothing_are_won_and_lost() -> None:
    assert told("chess", [1, 2], [], (0,)) == "You won"
    assert told("chess", [1, 1], [], (0,)) == "You drew"
    assert told("chess", [2, 1], [], ()) == "bot 1 won"
    assert told("warlords", [3, 1, 2, 4], [], (0,)) == "You came 3rd of 4"


def test_a_score_of_one_side_has_its_unit() -> None:
    assert told("simple_tag", [1, 2], [3, None], (0, 1, 2)) == "You won: 3 catches"
    assert told("simple_tag", [1, 2], [1, None], (3,)) == "You lost: 1 catch"


def test_what_all_reached_together_has_its_unit() -> None:
    assert told("knights_archers_zombies", [1], [12], (0,)) == "Together: 12 zombies"
    assert told("mpe/simple", [1], [0.3126], (0,)) == "Mean distance 0.31"


def test_a_match_that_was_left_has_no_winner() -> None:
    assert told("volley", [1, 2], [1, 0], (0,), ended="quit") == "Match ended early"


def test_a_forfeit_names_the_one_who_left_and_the_winner() -> None:
    left = {"ended": "forfeit", "loser": "right_0", "lineup": {"left_0": "Ann", "right_0": "Bo"}}
    assert told("volley", [1, 2], [1, 3], (0,), **left) == "Ann won: Bo forfeited"
    assert told("volley", [1, 2], [1, 3], (1,), **left) == "You forfeited"
    assert told("volley", [1, 2], [1, 3], (), **left | {"lineup": dict.fromkeys(left["lineup"], "random")}) == (
        "Left won: Right forfeited"
    )
    assert told("volley", [1, 2], [1, 3], (), **left) == "Ann won: Bo forfeited"
    whole = result(find_game("volley"), [1, 2], [1, 3], **left)
    assert summary(find_game("volley"), whole) == "Volley  ·  600 ticks in 10 s, by forfeit  ·  seed 1"
    use("de")
    try:
        assert told("volley", [1, 2], [1, 3], (0,), **left) == "Ann hat gewonnen: Bo ist ausgeschieden"
        assert summary(find_game("volley"), whole).endswith("in 10 s, durch Ausscheiden  ·  Startwert 1")
    finally:
        use("en")


def test_a_forfeit_among_several_teams_names_the_one_who_left_and_those_who_stay_share_first_place() -> None:
    names = dict(zip(("first_0", "second_0", "third_0", "fourth_0"), ("Ann", "Bo", "Cy", "Di"), strict=True))
    left = {"ended": "forfeit", "loser": "fourth_0", "lineup": names}
    for seats in ((0,), (0, 1), ()):
        assert told("warlords", [1, 1, 1, 4], [], seats, **left) == "Di forfeited; the others share first place"
    assert told("warlords", [1, 1, 1, 4], [], (3,), **left) == "You forfeited"
    use("de")
    try:
        told_german = told("warlords", [1, 1, 1, 4], [], (0,), **left)
    finally:
        use("en")
    assert told_german == "Di ist ausgeschieden; die anderen teilen sich den ersten Platz"


def test_a_partner_who_leaves_is_named_to_those_of_the_same_team() -> None:
    names = dict(zip(("first_0", "second_0", "third_0", "fourth_0"), ("Ann", "Bo", "Cy", "Di"), strict=True))
    left = {"ended": "forfeit", "loser": "third_0", "lineup": names}
    assert told("quadrapong", [2, 1], [], (0,), **left) == "Bo & Di won: Ann & Cy forfeited"
    assert told("quadrapong", [2, 1], [], (2,), **left) == "You forfeited"


def test_scores_of_replays_and_seats() -> None:
    volley, tag, chess = find_game("volley"), find_game("simple_tag"), find_game("chess")
    assert score_line(volley, (5, 2)) == "5 : 2"
    assert score_line(tag, (1, None)) == "1 catch"
    assert score_line(chess, ()) == ""
    assert seat_score(volley, result(volley, [1, 2], [5, 2]), "right_0") == "2"
    assert seat_score(chess, result(chess, [1, 2], []), "player_0") == ""
    assert return_text(result(volley, [1, 2], [5, 2]), "left_0") == "total reward −2.5"
