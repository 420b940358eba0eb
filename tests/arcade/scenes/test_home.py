"""The home screen: what it offers to continue, today's opponent, and the profile behind it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from agents.files import home
from agents.ladder.ladder import Ladder
from agents.seats.controller import SeatChoice
from arcade.scenes import routes
from arcade.scenes.foot import Foot
from arcade.scenes.home.preview import Preview
from arcade.session.match.setup import WindowOptions
from tests.support.ladder_rows import duel, together
from tests.support.open_arcade import OpenArcade


def labels(sitting) -> list[str]:
    return [widget.label for widget in sitting.engine.scene.tree.walk() if widget.label]


def in_match(sitting) -> bool:
    return sitting.on == "MatchScene" and sitting.engine.scene.match is not None


def leave(sitting, hand) -> None:
    hand.pause()
    hand.choose("Leave the game")
    hand.choose("Leave")
    sitting.until(lambda: sitting.on == "TitleScene", "home")


def test_a_pad_alone_plays_and_continues_where_it_left(sit, pad) -> None:
    sitting = sit()
    hand = pad(sitting)
    hand.choose("Play Volley")
    sitting.until(lambda: in_match(sitting), "a match")
    played = dict(sitting.engine.scene.session.lineup)
    assert played["left_0"] == SeatChoice("gamepad", "0")
    leave(sitting, hand)
    hand.choose("Play Volley again")
    sitting.until(lambda: in_match(sitting), "the same again")
    assert sitting.engine.scene.session.lineup == played
    leave(sitting, hand)


def test_the_last_game_is_continued_after_a_restart_unless_another_was_asked_for(sit, keyboard) -> None:
    first = sit()
    first.services.shelf.note_played(
        "classic/connect_four_v3", {"player_0": SeatChoice("random"), "player_1": SeatChoice("keyboard")}
    )
    first.close()
    assert "Play Pong" in labels(sit(featured="atari/pong_v3"))
    again = sit()
    keyboard(again).choose("Play Connect Four again")
    again.until(lambda: in_match(again), "the match")
    lineup = again.engine.scene.session.lineup
    assert lineup == {"player_0": SeatChoice("random"), "player_1": SeatChoice("keyboard")}


def test_the_title_of_the_last_game_is_right_before_the_catalogue_is_loaded(sit, keyboard) -> None:
    first = sit()
    first.services.shelf.note_played("classic/leduc_holdem_v4", {"player_0": SeatChoice("keyboard")})
    first.close()
    for seen in ("Leduc Holdem", "Leduc Hold'em"):  # a title is noted once the catalogue is there
        again = OpenArcade(WindowOptions(seed=7))
        again.engine.push(routes.Title())
        assert again.services.library.find("classic/leduc_holdem_v4") is None
        assert f"Play {seen} again" in labels(again)
        again.until(lambda again=again: "Play Leduc Hold'em again" in labels(again), "the catalogue")
        again.close()
    played = sit()
    keyboard(played).choose("Play Leduc")
    played.until(lambda: in_match(played), "the match")
    assert played.services.shelf.last_title == "Leduc Hold'em"


def test_a_game_that_is_gone_is_not_continued(sit) -> None:
    first = sit()
    first.services.shelf.note_played("away/game", {"a": SeatChoice("keyboard")})
    first.close()
    again = sit()
    again.until(lambda: "Play Volley" in labels(again), "the featured game instead")


def test_todays_opponent_is_one_press_away_and_favourites_stand_beside_it(sit, keyboard) -> None:
    sitting = sit()
    sitting.services.shelf.mark("classic/chess_v6")
    scene = sitting.engine.scene
    sitting.until(lambda: scene._today is not None, "today's opponent")
    today = scene._today
    assert "Chess" in labels(sitting)
    keyboard(sitting).choose(today.spec.title)
    sitting.until(lambda: sitting.on == "MatchScene", "the match")
    lineup = dict(sitting.engine.scene.session.lineup)
    assert lineup.pop(today.spec.agents[0]).is_human
    assert set(lineup.values()) == {SeatChoice("level", today.level)}


@pytest.fixture
def played(tmp_path):
    with Ladder(home() / "ladder.sqlite") as ladder:
        for winner in (0, 0, 1, 0):
            ladder.add(duel("Player", "volley-7 (hard)", winner=winner, level="hard"))
        ladder.add(together("Player", "random", score=12.5))


def test_the_profile_shows_matches_ratings_and_achievements(sit, played, pad) -> None:
    sitting = sit()
    hand = pad(sitting)
    hand.choose("Profile")
    scene = sitting.engine.scene
    sitting.until(lambda: scene.sheet is not None, "the matches")
    figures = {words: number for number, words in pairwise(labels(sitting))}
    assert [figures[words] for words in ("Matches", "Won", "Longest streak")] == ["5", "3", "2"]
    assert not any("not counted" in words for words in labels(sitting))
    sitting.services.shelf.note_unrated(["Player"])
    scene.refresh()
    assert any(words.startswith("1 more match is not counted here. The tutorial, hints") for words in labels(sitting))
    hand.press("r")
    assert any("±" in words and "provisional" in words for words in labels(sitting))
    hand.press("r")
    shown = labels(sitting)
    assert shown.index("Hard to beat") < shown.index("Warm-up"), "the earned ones come first"
    hand.press("back")
    assert sitting.on == "TitleScene"


def test_a_new_name_is_that_of_the_next_match(sit, keyboard) -> None:
    sitting = sit()
    hand = keyboard(sitting)
    hand.choose("Profile")
    hand.choose("Change name")
    for _ in "Player":
        hand.key(8)
    hand.type("ada")
    hand.press("accept")
    assert sitting.on == "ProfileScene"
    assert sitting.services.people.owner.name == "ada"
    assert "ada" in labels(sitting)


def test_the_picture_on_the_page_of_a_game_is_whole_however_many_opponents_it_lists(sit) -> None:
    sitting = sit()
    sitting.until(lambda: sitting.services.ready, "the games")
    chess = next(spec for spec in sitting.library.games if spec.id == "classic/chess_v6")
    sitting.engine.push(routes.Game(chess))
    sitting.frame(3)
    page = sitting.engine.scene
    picture = next(widget for widget in page.tree.walk() if isinstance(widget, Preview))
    foot = next(widget for widget in page.tree.walk() if isinstance(widget, Foot))
    assert picture.rect.h > 100
    assert picture.rect.bottom <= foot.rect.top, "it was cut by the foot of the page"


def test_nobody_quits_by_accident(sit, pad) -> None:
    sitting = sit()
    hand = pad(sitting)
    hand.press("up")
    focused = sitting.engine.scene.focus.focused
    assert focused.label == "Settings", "past the top one comes to the bottom, but neither to Quit nor aside"
    hand.press("down")
    for label in ("All games", "Settings", "Play Volley"):  # no way round by the cards of games leads to Quit
        sitting.engine.scene.focus.focus(sitting.widget(label))
        hand.press("right")
        hand.press("up")
        assert sitting.engine.scene.focus.focused.label != "Quit"
    for _ in range(3):
        hand.press("back")
    assert sitting.engine.running
    assert sitting.engine.scene.focus.focused.label == "Play Volley"
    assert "choose Quit" in sitting.engine.toasts.messages[-1]


def test_a_page_chosen_while_the_games_load_opens_as_soon_as_they_are_there(sit, keyboard) -> None:
    sitting = sit()
    sitting.until(lambda: sitting.services.ready, "the games")
    hand = keyboard(sitting)
    sitting.services.ready = False
    hand.choose("Training")
    sitting.frame(3)
    assert sitting.on == "TitleScene"
    assert sitting.engine.toasts.messages == ("Training opens as soon as the games are loaded",)
    sitting.services.ready = True
    sitting.until(lambda: sitting.on == "RunsScene", "the page that was chosen")
    assert not sitting.engine.toasts.messages, "it has come true"
    hand.press("back")
    sitting.services.ready = False
    hand.choose("Ladder")
    hand.press("back")
    assert not sitting.engine.toasts.messages
    sitting.services.ready = True
    sitting.frame(5)
    assert sitting.on == "TitleScene", "Esc took the wish back"


def test_the_page_of_a_game_shows_its_picture_until_the_preview_runs(sit, monkeypatch) -> None:
    sitting = sit()
    sitting.until(lambda: sitting.services.ready, "the games")
    monkeypatch.setattr(sitting.services.preview, "show", lambda spec, *, now: None)
    monkeypatch.setattr(sitting.services.preview, "update", lambda now: None)
    sitting.engine.push(routes.Game(sitting.services.library.find("classic/chess_v6")))
    [pane] = (widget for widget in sitting.engine.scene.tree.walk() if isinstance(widget, Preview))

    def shades() -> int:
        inside = pane.rect.inflate(-pane.rect.w // 3, -pane.rect.h // 3)
        return len({sitting.engine.canvas.get_at((x, inside.centery))[:3] for x in range(inside.left, inside.right)})

    sitting.until(lambda: shades() > 10, "the picture of its tile")
