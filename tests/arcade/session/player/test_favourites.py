"""Favourite and recent games come back; a broken file costs a warning and nothing else."""

from __future__ import annotations

import pytest

from agents.seats.controller import SeatChoice
from agents.seats.kinds import parse_seat
from arcade.games import find_game, games
from arcade.session.player.favourites import MOST_RECENT, GameShelf, ShelvedGames, load_shelf, open_shelf, save_shelf

CHESS, VOLLEY = find_game("classic/chess_v6"), find_game("house/volley")


def test_favourites_are_marked_and_unmarked():
    shelf = GameShelf()
    shelf.mark(CHESS.id)
    shelf.mark(VOLLEY.id)
    assert shelf.favourites(games()) == [CHESS, VOLLEY]
    shelf.mark(CHESS.id, on=False)
    assert not shelf.is_favourite(CHESS.id)


def test_the_game_played_last_comes_first_and_once():
    shelf = GameShelf()
    for spec in (CHESS, VOLLEY, CHESS):
        shelf.note_played(spec.id)
    assert shelf.recent(games()) == [CHESS, VOLLEY]
    for spec in games():
        shelf.note_played(spec.id)
    assert len(shelf.recent(games())) == MOST_RECENT


def test_games_that_are_not_installed_stay_in_the_file(tmp_path):
    path = tmp_path / "games.json"
    save_shelf(ShelvedGames(("away/game", CHESS.id), ("away/game",)), path)
    loaded, warning = load_shelf(path)
    shelf = GameShelf(loaded, save=lambda changed: save_shelf(changed, path))
    assert (warning, shelf.favourites(games()), shelf.recent(games())) == ("", [CHESS], [])
    shelf.note_played(VOLLEY.id)
    assert load_shelf(path)[0] == ShelvedGames(("away/game", CHESS.id), (VOLLEY.id, "away/game"))


def test_the_last_match_can_be_played_again_with_the_device_that_is_pressed(tmp_path):
    path, pad = tmp_path / "games.json", SeatChoice("gamepad", "0")
    shelf = GameShelf(save=lambda changed: save_shelf(changed, path))
    shelf.note_played(VOLLEY.id, {"left_0": SeatChoice("level", "hard"), "right_0": SeatChoice("keyboard")})
    found = GameShelf(load_shelf(path)[0]).last_lineup(VOLLEY, pad, devices=[], snapshots=[])
    assert found == {"left_0": SeatChoice("level", "hard"), "right_0": pad}
    assert shelf.last_lineup(CHESS, pad, devices=[], snapshots=[]) is None


@pytest.mark.parametrize(
    ("left", "right", "here"),
    [
        ("gamepad:0", "keyboard", True), ("gamepad:1", "keyboard", False), ("keyboard", "snapshot:mine", True),
        ("keyboard", "snapshot:gone", False), ("keyboard", "snapshot:latest", True),
    ],
)  # fmt: skip
def test_a_lineup_whose_pad_or_snapshot_is_gone_is_not_continued(left, right, here):
    shelf = GameShelf()
    shelf.note_played(VOLLEY.id, {"left_0": parse_seat(left), "right_0": parse_seat(right)})
    devices = [SeatChoice("keyboard"), SeatChoice("gamepad", "0")]
    found = shelf.last_lineup(VOLLEY, devices[0], devices=devices, snapshots=["mine"])
    assert (found is not None) is here


def test_they_are_saved_in_the_home_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    shelf, warning = open_shelf()
    shelf.mark(VOLLEY.id)
    shelf.close()
    assert warning == ""
    assert open_shelf()[0].is_favourite(VOLLEY.id)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"seats": [1]}', '{"favourites": [1]}', '{"recent": "x"}', "[" * 100_000]
)
def test_a_broken_file_is_kept_aside_and_named(tmp_path, text):
    path = tmp_path / "games.json"
    path.write_text(text)
    games_found, warning = load_shelf(path)
    assert games_found == ShelvedGames()
    assert "games.json.bad" in warning
    assert (tmp_path / "games.json.bad").read_text() == text


def test_two_windows_lose_nothing_of_each_other(tmp_path, monkeypatch):
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    first, away = open_shelf()[0], "away/game"
    first.mark(away)
    first.note_played(away)
    first.note_clock(away, "3+2")
    first.close()
    one, other = (open_shelf()[0] for _ in range(2))
    one.mark(CHESS.id)
    one.note_clock(CHESS.id, "5+0")
    one.note_played(CHESS.id, title="Chess")
    one.note_unrated(["Ann"])
    one.close()
    other.mark(VOLLEY.id)
    other.mark(away, on=False)
    other.note_clock(away, "")
    other.note_played(VOLLEY.id, {"left_0": SeatChoice("random")}, title="Volley")
    other.note_unrated(["Ann", "Bo"])
    other.close()
    one.note_unrated(["Ann"])
    one.close()
    assert load_shelf(tmp_path / "games.json")[0] == ShelvedGames(
        favourites=(CHESS.id, VOLLEY.id),
        recent=(VOLLEY.id, CHESS.id, away),
        seats={"left_0": "random"},
        title="Volley",
        clocks={away: "", CHESS.id: "5+0"},
        unrated={"Ann": 3, "Bo": 1},
    )
