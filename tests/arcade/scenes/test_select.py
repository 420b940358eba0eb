"""The games as tiles, found by keys and mouse; the page of a game; pictures from the games themselves."""

import pygame
import pytest

from agents.files import cache
from agents.seats.controller import SeatChoice
from arcade.games.built_in import built_in_games
from arcade.scenes import routes
from arcade.scenes.home import game_pictures
from arcade.scenes.home.game_pictures import GamePictures, framed
from tests.support.hands import press
from tests.support.recorded import Fingers, record


@pytest.fixture
def games(sit):
    sitting = sit()
    sitting.engine.push(routes.Games())
    return sitting


def titles(sitting) -> list[str]:
    return [tile.title for tile in sitting.engine.scene.grid.tiles]


def test_home_end_and_arrows_go_through_the_tiles(games) -> None:
    scene = games.engine.scene
    assert scene.spec.id == "house/volley"
    press(games, pygame.K_END)
    assert scene.spec.id == scene.selection.found[-1].id
    press(games, pygame.K_PAGEUP)
    assert scene.spec.id != scene.selection.found[-1].id
    press(games, pygame.K_HOME)
    press(games, pygame.K_RIGHT)
    assert scene.spec.id == scene.selection.found[1].id


@pytest.mark.parametrize(("column", "above"), [(0, "Players"), (3, "By family")])
def test_up_leads_to_what_is_above_the_selected_tile(games, keyboard, column, above) -> None:
    hand = keyboard(games)
    press(games, pygame.K_HOME)
    for _ in range(column):
        hand.press("right")
    hand.press("up")
    assert games.engine.scene.focus.focused.label == above


def test_a_filter_is_picked_from_a_list_with_counts_and_taken_back(games, make_hand) -> None:
    hand, before = make_hand(games), titles(games)
    hand.choose("Players")
    words = next(str(option) for option in games.engine.scene.route.options if str(option).startswith("2 players"))
    hand.pick("2 players")
    assert f"({len(titles(games))})" in words
    assert {spec.seats for spec in games.engine.scene.selection.found} == {2}
    hand.choose("2 players")
    hand.pick("All games")
    assert titles(games) == before


def test_the_search_is_clicked_cleared_and_left_behind(games, mouse, keyboard) -> None:
    hand, keys = mouse(games), keyboard(games)
    everything = titles(games)
    field = next(w for w in games.engine.scene.focus.widgets if w.key == "search")
    hand.click(field.rect.center)
    keys.type("chess")
    assert titles(games) == ["Chess"]
    hand.choose("Clear")
    assert titles(games) == everything
    keys.type("chess")
    keys.press("accept")
    assert games.on == "GameScene"
    keys.press("back")
    scene = games.engine.scene
    assert (scene.selection.query, scene.spec.title) == ("", "Chess"), "the list remembers the game, not the search"


def test_down_after_typing_stays_with_the_games_found(games, keyboard) -> None:
    hand = keyboard(games)
    hand.type("chess")
    hand.press("down")
    hand.press("accept")
    assert (games.on, games.engine.scene.heading) == ("GameScene", "Chess")


def test_a_search_that_finds_nothing_leaves_the_focus_on_clear(games, keyboard) -> None:
    hand = keyboard(games)
    everything = titles(games)
    hand.type("nosuchgame")
    assert titles(games) == []
    focused = games.engine.scene.focus.focused
    assert focused is not None
    assert focused.label == "Clear"
    hand.press("accept")
    assert (games.on, titles(games)) == ("SelectScene", everything)


def test_a_pad_searches_by_keys_on_the_screen(games, pad) -> None:
    hand = pad(games)
    hand.reach(next(w for w in games.engine.scene.focus.widgets if w.key == "search"))
    hand.press("accept")
    assert games.on == "TextEntryScene"


def test_favourites_and_recent_games_have_lists_of_their_own(games, keyboard) -> None:
    hand = keyboard(games)
    hand.key(pygame.K_RIGHT)
    wanted = titles(games)[1]
    hand.key(pygame.K_F2)
    hand.reach(next(w for w in games.engine.scene.focus.widgets if w.key == "tabs"))
    hand.press("right")
    assert titles(games) == [wanted]
    hand.press("right")
    assert titles(games) == []
    games.services.shelf.note_played("classic/go_v5")
    hand.press("left")
    hand.press("right")
    assert titles(games) == ["Go"]


def test_a_new_list_begins_at_the_last_game(games, keyboard) -> None:
    hand = keyboard(games)
    hand.type("tic tac")
    hand.press("accept")
    games.engine.reset_to(routes.Title())
    games.engine.push(routes.Games())
    assert games.engine.scene.spec.id == "classic/tictactoe_v3"


def test_play_begins_at_once_against_the_default_opponent(games, make_hand) -> None:
    hand = make_hand(games)
    hand.pick_row(0)
    assert games.on == "GameScene"
    games.until(lambda: games.library.names("house/volley"), "the snapshots")
    hand.choose("Play")
    games.until(lambda: games.on == "MatchScene" and games.engine.scene.match, "a match")
    device = SeatChoice("gamepad", "0") if "Pad" in type(hand).__name__ else SeatChoice("keyboard")
    assert games.engine.scene.session.lineup == {"left_0": device, "right_0": SeatChoice("level", "easy")}


def test_the_page_of_a_game_names_opponents_and_leads_on(games, keyboard) -> None:
    games.engine.push(routes.Game(games.library.find("house/volley")))
    games.until(lambda: not games.services.worker.busy, "the page")
    shown = [getattr(widget, "label", "") for widget in games.engine.scene.tree.walk()]
    assert "You meet: Volley AI, easy" in shown
    assert "No matches yet." in shown
    hand = keyboard(games)
    for words, on in (("Seats", "SeatsScene"), ("Ladder", "LadderScene"), ("Train me", "OpponentScene")):
        hand.choose(words)
        assert games.on == on
        games.engine.pop()
    hand.choose("Add to favourites")
    assert games.services.shelf.is_favourite("house/volley")


def test_the_page_of_a_game_counts_its_recordings_and_leads_to_them(games, keyboard, tmp_path) -> None:
    (tmp_path / "replays").mkdir(exist_ok=True)
    record(tmp_path / "replays" / "house-volley-20260102-120000-000001-7.replay", {"left_0": Fingers("Ann")}, ticks=20)
    games.engine.push(routes.Game(games.library.find("house/volley")))
    games.until(lambda: not games.services.worker.busy, "the page")
    keyboard(games).choose("1 recording")
    games.until(lambda: games.engine.scene.recordings.all, "the recording")
    assert games.engine.scene.recordings.chosen["game"] == "house/volley"


def test_pictures_are_made_once_from_the_game_and_read_again(sit, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(game_pictures, "IDLE", 0.0)
    sitting = sit()
    spec, services = sitting.library.find("house/volley"), sitting.services
    pictures = GamePictures(services, shipped=tmp_path)
    assert pictures.get(spec, (160, 90)) is None

    def turned(pictures: GamePictures):
        sitting.frame()
        pictures.update(sitting.engine.clock(), [spec], sitting.engine.theme)
        return pictures.get(spec, (160, 90))

    sitting.until(lambda: turned(pictures), "a picture")
    assert len(list(cache("games").glob("*.png"))) == 1
    again = GamePictures(services, shipped=tmp_path)
    sitting.until(lambda: turned(again), "the picture of the file")
    assert again._maker is None, "no game is started for it"


def test_every_game_of_the_arcade_comes_with_its_picture(sit) -> None:
    sitting = sit()
    pictures = GamePictures(sitting.services)
    for spec in built_in_games():
        sitting.until(lambda spec=spec: sitting.frame() or pictures.get(spec, (160, 90)), f"a picture of {spec.id}")


def test_a_picture_keeps_its_shape_on_a_dark_copy_of_itself() -> None:
    picture = pygame.Surface((160, 90))
    picture.fill((200, 100, 50), part := pygame.Rect(60, 5, 40, 80))
    made = framed(picture, part)
    assert made.get_at((80, 45))[:3] == (200, 100, 50)
    assert 0 < made.get_at((5, 45))[0] < 100
