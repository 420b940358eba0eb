"""The book reads a person's sheet in the worker, and only what is new the next time."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from agents.ladder.ladder import Ladder
from arcade.games import games
from arcade.session.player.book import PlayerBook, PlayerSheet
from arcade.session.worker import Worker
from tests.support.ladder_rows import duel


def card(name: str, *, algorithm: str, game: str = "house/volley") -> SimpleNamespace:
    return SimpleNamespace(name=name, algorithm=algorithm, game=game)


class Shelf:
    """A ladder, and a book that reads it."""

    def __init__(self, folder) -> None:
        self.path = folder / "ladder.sqlite"
        self.worker = Worker()
        self.cards = [card("clone-ann-1", algorithm="BC"), card("volley-1", algorithm="PPO")]
        store = SimpleNamespace(list=lambda: self.cards)
        self.book = PlayerBook(self.worker, self.path, games=games, store=lambda: store)  # type: ignore[arg-type,return-value]

    def add(self, *results: dict) -> None:
        with Ladder(self.path) as ladder:
            for result in results:
                ladder.add(result)

    def read(self, name: str = "Ann") -> PlayerSheet:
        found: list[PlayerSheet] = []
        self.book.read(name, found.append)
        self.worker.settle(timeout=60)
        return found[0]


@pytest.fixture
def shelf(tmp_path):
    shelf = Shelf(tmp_path)
    yield shelf
    shelf.worker.close()


def test_without_a_ladder_the_sheet_is_empty_and_none_is_made(shelf):
    sheet = shelf.read()
    assert sheet.history.matches == ()
    assert not shelf.path.exists()
    assert {"house/volley", "classic/chess_v6"} <= sheet.levelled


def test_each_match_is_counted_once_however_often_it_is_read(shelf):
    shelf.add(duel("Ann", "volley-1"), duel("Bo", "volley-1"))
    assert shelf.read().history.totals.wins == 1
    shelf.add(duel("volley-1", "Ann"), duel("Ann", "Bo"))
    assert shelf.read().history.totals.played == 3
    assert shelf.read().history.totals.played == 3
    assert shelf.read("Bo").history.totals.played == 2


def test_ratings_follow_each_match(shelf):
    shelf.add(duel("Ann", "volley-1"))
    course = shelf.read().ratings["house/volley"]["Ann"]
    assert [moment.rating.wins for moment in course] == [1]
    shelf.add(duel("Ann", "volley-1"))
    ratings = shelf.read().ratings["house/volley"]
    assert [moment.rating.wins for moment in ratings["Ann"]] == [1, 2]
    assert ratings["Ann"][1].rating.elo > ratings["Ann"][0].rating.elo
    assert list(ratings) == ["Ann"]


def test_a_role_has_a_rating_of_its_own(shelf):
    teams = {"lineup": {"adversary_0": "volley-1", "agent_0": "Ann"}, "teams": [["adversary_0"], ["agent_0"]]}
    places = {"placements": {"adversary_0": 2, "agent_0": 1}, "returns": {"adversary_0": 0.0, "agent_0": 1.0}}
    shelf.add(duel("Ann", "volley-1", game="mpe/simple_push_v3", seats={}, **teams, **places))
    (name,) = shelf.read().ratings["mpe/simple_push_v3"]
    assert name.startswith("Ann [")


def test_a_clone_that_wins_earns_its_achievement(shelf):
    def earned() -> list[str]:
        return [one.achievement.title for one in shelf.read().achievements if one.is_earned]

    shelf.add(duel("clone-ann-1", "volley-1", level="hard", kinds=("snapshot", "level")))
    shelf.add(duel("volley-1", "volley-2", level="easy", kinds=("snapshot", "level")))
    assert earned() == []
    shelf.add(duel("clone-ann-1", "volley-1", level="easy", kinds=("snapshot", "level")))
    assert earned() == ["Chip off the old block"]


def test_a_file_that_is_no_ladder_is_reported_and_the_sheet_stays(shelf):
    shelf.add(duel("Ann", "volley-1"))
    sheet = shelf.read()
    shelf.path.unlink()
    shelf.path.write_bytes(b"no ladder at all" * 100)
    shelf.book.read("Ann")
    shelf.worker.settle(timeout=60)
    assert str(shelf.path) in shelf.book.trouble
    assert shelf.book.sheets["Ann"] is sheet
