"""Today's opponent is the same all day; what to play next follows from the match."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from arcade.games import find_game, games
from arcade.session.player.book import PlayerSheet
from arcade.session.player.highlights import after_match, highlights
from arcade.session.player.history import PlayerHistory
from arcade.session.player.matches import OtherPlayer, PlayedMatch
from arcade.session.player.suggestions import Challenge, is_done, todays_opponent, what_next

VOLLEY = find_game("house/volley")
MONDAY = date(2027, 3, 1)
LEVELLED = ("house/volley", "classic/chess_v6", "classic/connect_four_v3", "mpe/simple_push_v3")


def played(number, outcome="win", *, level="normal", game="house/volley", day=MONDAY, score=0.0, alone=False):
    noon = datetime(day.year, day.month, day.day, 12).timestamp()
    others = () if alone else (OtherPlayer(label="x", kind="snapshot", level=level),)
    return PlayedMatch(number=number, game=game, time=noon, outcome=outcome, opponents=others, score=score)


def history(*matches: PlayedMatch) -> PlayerHistory:
    return PlayerHistory("Ann", matches)


def of(day: date, known=None) -> Challenge:
    found = todays_opponent(known or games(), lambda spec: spec.id in LEVELLED, day)
    assert found is not None
    return found


def test_the_date_decides_and_all_games_have_their_day():
    year = [of(MONDAY + timedelta(days=number)) for number in range(365)]
    assert [of(MONDAY + timedelta(days=number)) for number in range(365)] == year
    assert {one.spec.id for one in year} == set(LEVELLED)
    assert {one.level for one in year} == {"easy", "normal", "hard", "expert"}


def test_no_side_outnumbers_the_other():
    levels = {"mpe/simple_crypto_v3", "mpe/simple_tag_v3", "house/volley_2v2"}
    year = [MONDAY + timedelta(days=number) for number in range(60)]
    assert {todays_opponent(games(), lambda spec: spec.id in levels, day).spec.id for day in year} == {
        "house/volley_2v2"
    }


def test_another_game_in_the_catalogue_moves_few_days():
    fewer = [spec for spec in games() if spec.id != "classic/chess_v6"]
    days = [MONDAY + timedelta(days=number) for number in range(100)]
    assert all(of(day).spec is of(day, fewer).spec for day in days if of(day).spec.id != "classic/chess_v6")


def test_without_levels_there_is_none():
    assert todays_opponent(games(), lambda spec: False, MONDAY) is None


def test_it_is_done_by_a_win_of_that_day_against_it_or_a_stronger_one():
    challenge = Challenge(VOLLEY, "normal")
    assert is_done(challenge, history(played(1, level="hard")), MONDAY)
    assert not is_done(challenge, history(played(1, level="easy")), MONDAY)
    assert not is_done(challenge, history(played(1, "loss")), MONDAY)
    assert not is_done(challenge, history(played(1)), MONDAY + timedelta(days=1))


def next_texts(*matches: PlayedMatch, today: Challenge | None = None) -> list[str]:
    found = what_next(VOLLEY, matches[-1], history(*matches), games=games(), today=today, day=MONDAY)
    return [one.text for one in found]


def test_a_win_suggests_a_stronger_opponent_and_a_loss_a_weaker_one():
    assert next_texts(played(1))[0] == "Ready for more? Play against the hard AI."
    assert next_texts(played(1, "loss"))[0] == "Play against the easy AI."
    assert next_texts(played(1, "loss", level="easy"))[0].startswith("Practise against the Random bot")
    assert not any("more?" in text for text in next_texts(played(1, level="expert")))


def test_a_streak_comes_first_then_today_then_a_new_game():
    chess = Challenge(find_game("classic/chess_v6"), "hard")
    texts = next_texts(played(1), played(2), today=chess)
    assert texts[0] == "One more win is your longest streak in Volley."
    assert texts[2] == "Today’s challenge: Chess against the hard AI."
    assert texts[3].startswith("Try Volley")  # the game most like it


def test_highlights_name_what_is_new():
    first, second, third = played(1), played(2, level="hard"), played(3)
    assert highlights(VOLLEY, first, history(first), games())[:2] == [
        "Achievement: Hello, world",
        "Achievement: First win",
    ]
    assert "Your first win against the hard AI here" in highlights(VOLLEY, second, history(first, second), games())
    assert highlights(VOLLEY, third, history(first, second, third), games()) == [
        "3 wins in a row: your longest streak here"
    ]


def test_a_better_score_than_ever_is_a_personal_best():
    spec = find_game("butterfly/pistonball_v6")
    matches = [played(n, "", game=spec.id, score=score, alone=True) for n, score in ((1, 10.0), (2, 30.5), (3, 20.0))]
    texts = [highlights(spec, one, history(*matches[: one.number]), games()) for one in matches]
    assert "New personal best: 30.5, was 10" in texts[1]
    assert not any("best" in text for text in texts[0] + texts[2])


def test_after_a_match_of_another_game_nothing_is_said():
    sheet = PlayerSheet(history(played(1)), {}, ())
    assert after_match(find_game("classic/chess_v6"), sheet, games(), MONDAY) is None
    assert after_match(VOLLEY, sheet, games(), MONDAY).next
