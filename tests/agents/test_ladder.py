"""Results are never lost, and ratings follow from them."""

from __future__ import annotations

import sqlite3

import pytest

from agents.ladder.ladder import Ladder, LadderError, RatingBook
from agents.ladder.ratings.online import OnlineRatings
from tests.support.ladder_rows import write_version_1


def duel(one="strong", two="weak", places=(1, 2), **changes):
    agents = ["left", "right"]
    result = {
        "game": "house/volley",
        "seed": 2**70,
        "ticks": 900,
        "seconds": 15.0,
        "lineup": dict(zip(agents, (one, two), strict=True)),
        "teams": [["left"], ["right"]],
        "placements": dict(zip(agents, places, strict=True)),
        "returns": {"left": 5.0, "right": -5.0},
        "late": {"left": 0, "right": 0},
        "ended": "finished",
        "error": None,
    }
    return result | changes


@pytest.fixture
def ladder(tmp_path):
    with Ladder(tmp_path / "deep" / "ladder.sqlite") as ladder:
        yield ladder


def test_who_wins_stands_above(ladder):
    for _ in range(10):
        ladder.add(duel(), source="tournament", settings={"points": 5})
    ladder.add(duel(places=(2, 1)))
    ladder.add(duel(places=(1, 1)))
    strong, weak = ladder.ratings("house/volley")
    assert (strong.name, weak.name) == ("strong", "weak")
    assert (strong.games, strong.wins, strong.draws, strong.losses) == (12, 10, 1, 1)
    assert (weak.wins, weak.draws, weak.losses) == (1, 1, 10)
    assert strong.mu > 25 > weak.mu
    assert strong.elo - 1500 == pytest.approx(1500 - weak.elo)
    assert strong.sigma < 25 / 3
    assert ladder.rating("house/volley", "strong") == strong.ordinal
    assert ladder.rating("house/volley", "nobody") is None
    assert ladder.ratings("other/game") == []
    assert ladder.games() == ["house/volley"]


def test_a_ladder_that_may_only_be_read_is_shown_and_stays_as_it_is(tmp_path, monkeypatch):
    path = tmp_path / "ladder.sqlite"
    with Ladder(path) as ladder:
        ladder.add(duel())
    before = path.read_bytes()
    monkeypatch.setattr("os.access", lambda *_: False)  # whoever runs this may be root, who may write to all
    with Ladder(path, reading=True) as ladder:
        assert [one.name for one in ladder.ratings("house/volley")] == ["strong", "weak"]
        assert ladder.recompute("house/volley") == 0
        with pytest.raises(LadderError, match="read-only file; check its permissions"):
            ladder.add(duel())
    assert path.read_bytes() == before


def test_machines_are_as_strong_at_any_speed(ladder):
    ladder.add(duel(settings={"speed": 0.5}))
    assert len(ladder.ratings("house/volley")) == 2


def test_a_result_comes_back_as_it_was(ladder, tmp_path):
    number = ladder.add(duel(settings={"speed": 2.0}), source="trainer", settings={"points": 5})
    (row,) = Ladder(tmp_path / "deep" / "ladder.sqlite").results("house/volley")
    assert row["id"] == number
    assert row["seed"] == str(2**70)
    assert row["lineup"] == {"left": "strong", "right": "weak"}
    assert row["source"] == "trainer"
    assert [row["settings"][name] for name in ("points", "seconds", "speed")] == [5, 15.0, 2.0]


def test_ratings_are_the_same_read_at_once_or_bit_by_bit(ladder, tmp_path):
    for i in range(20):
        ladder.add(duel(f"p{i % 3}", f"p{(i + 1) % 4}", (1, 2) if i % 2 else (2, 1)))
        ladder.ratings("house/volley")
    again = Ladder(tmp_path / "deep" / "ladder.sqlite")
    assert again.ratings("house/volley") == ladder.ratings("house/volley")


@pytest.mark.parametrize(
    "changes",
    [
        {"ended": "quit"},
        {"ended": "failed"},
        {"ended": "max_ticks"},
        {"ended": "max_ticks", "placements": {"left": 1, "right": 1}},
        {"error": "boom"},
        {"teams": [["left", "right"]]},
        {"placements": {}},
        {"changes": [{"tick": 90, "agent": "right", "label": "weaker"}]},
        {"rated": False},
        {"settings": {"rules": {"frame_skip": 4}}},
        {"settings": {"speed": 0.5}, "seats": {"left": {"kind": "gamepad"}}},
    ],
)
def test_what_says_nothing_of_strength_is_kept_and_not_rated(changes, ladder):
    ladder.add(duel(**changes))
    assert ladder.ratings("house/volley") == []
    assert len(ladder.results("house/volley")) == 1


def test_a_match_of_full_length_is_decided_by_its_score(ladder):
    ladder.add(duel(ended="max_ticks", ticks=20_000))
    ladder.add(duel(ended="max_ticks", ticks=20_000, places=(1, 1)))
    strong, _ = ladder.ratings("house/volley")
    assert (strong.name, strong.wins, strong.draws) == ("strong", 1, 1)


def test_one_label_on_both_sides(ladder):
    ladder.add(duel("random", "random"))
    assert ladder.ratings("house/volley") == []
    four = duel()
    four |= {
        "lineup": {"a": "random", "b": "ace", "c": "random", "d": "bob"},
        "teams": [["a", "b"], ["c", "d"]],
        "placements": {"a": 1, "b": 1, "c": 2, "d": 2},
    }
    ladder.add(four)
    found = {rating.name: rating for rating in ladder.ratings("house/volley")}
    assert found["ace"].elo > 1500 > found["bob"].elo
    assert found.keys() == {"ace", "bob"}  # one on both sides does not meet itself


def test_free_for_all(ladder):
    agents = ["a", "b", "c"]
    places = {"a": 2, "b": 1, "c": 3}
    ladder.add(duel(lineup={x: x.upper() for x in agents}, teams=[[x] for x in agents], placements=places))
    assert [rating.name for rating in ladder.ratings("house/volley")] == ["B", "A", "C"]


def test_teams_of_unlike_sizes_begin_at_even_odds(ladder):
    agents = {"h0": "a", "h1": "a", "h2": "b", "hare": "c"}
    for winner in ("h", "hare"):
        places = {agent: 1 if (agent == "hare") == (winner == "hare") else 2 for agent in agents}
        ladder.add(duel(game=winner, lineup=agents, teams=[["h0", "h1", "h2"], ["hare"]], placements=places))
    won = {rating.name: rating.mu - 25 for rating in ladder.ratings("h")}
    lost = {rating.name: rating.mu - 25 for rating in ladder.ratings("hare")}
    assert won["a"] == pytest.approx(won["b"]) == pytest.approx(-won["c"])
    assert lost["c"] == pytest.approx(-lost["a"]) == pytest.approx(won["a"])


def test_an_old_ladder_is_upgraded_where_it_is(tmp_path):
    path = tmp_path / "ladder.sqlite"
    write_version_1(path)
    with Ladder(path) as ladder:
        (row,) = ladder.results("old")
        assert (row["id"], row["key"], row["time"], row["settings"]) == (7, "", 1700000000.5, {"speed": 1})
        assert [rating.name for rating in ladder.ratings("old")] == ["ann", "bob"]
        assert ladder.add(duel(game="old"), key="new") == 8
    with Ladder(path) as ladder:
        assert [row["key"] for row in ladder.results("old")] == ["", "new"]


def test_whoever_holds_the_file_too_long_is_no_reason_to_move_it_away(tmp_path, monkeypatch):
    path = tmp_path / "ladder.sqlite"
    write_version_1(path)
    monkeypatch.setattr("agents.ladder.database._BUSY_SECONDS", 0.01)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LadderError, match="try again"):
        Ladder(path)
    other.close()
    assert Ladder(path).games() == ["old"]


def test_ratings_that_could_not_be_written_down_count_no_match_twice(tmp_path, monkeypatch):
    monkeypatch.setattr("agents.ladder.database._BUSY_SECONDS", 0.01)
    with Ladder(tmp_path / "ladder.sqlite") as ladder:
        ladder.add(duel())
        other = sqlite3.connect(ladder.path, isolation_level=None)
        for ask in (ladder.ratings, ladder.recompute):
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(LadderError, match="another program is writing"):
                ask("house/volley")
            other.execute("ROLLBACK")
            ladder.add(duel())
        other.close()
        assert [one.games for one in ladder.ratings("house/volley")] == [3, 3]
        assert ladder.recompute("house/volley") == 0


def test_ratings_that_are_written_down_in_part_are_not_there_at_all(ladder):
    for number in range(3):
        ladder.add(duel(one=f"p{number}"))
    other = sqlite3.connect(ladder.path, isolation_level=None)
    broken = "CREATE TRIGGER broken BEFORE INSERT ON moments WHEN NEW.name = 'p2' BEGIN SELECT RAISE(ABORT, 'no'); END"
    other.execute(broken)
    with pytest.raises(LadderError, match="got: no"):
        ladder.ratings("house/volley")
    assert other.execute("SELECT COUNT(*) FROM books").fetchone() == (0,)
    other.execute("DROP TRIGGER broken")
    assert sorted(one.games for one in ladder.ratings("house/volley")) == [1, 1, 1, 3]
    other.close()


def test_whoever_rates_the_same_matches_later_takes_nothing_back(ladder):
    for _ in range(4):
        ladder.add(duel())
    with Ladder(ladder.path) as slow:
        rows = slow.results("house/volley")[:2]
        book = RatingBook(slow._file, "house/volley", {})
        assert [one.games for one in ladder.ratings("house/volley")] == [4, 4]
        book.count(rows)
    with Ladder(ladder.path) as later:
        assert [one.games for one in later.ratings("house/volley")] == [4, 4]


def test_a_key_is_added_once(ladder):
    first = ladder.add(duel(), key="t1/0")
    assert ladder.add(duel(places=(2, 1)), key="t1/0") == first
    assert ladder.add(duel(), key="t1/1") > first
    assert ladder.add(duel()) < ladder.add(duel())  # without a key each is another match
    assert [row["key"] for row in ladder.results("house/volley")] == ["t1/0", "t1/1", "", ""]


def test_ratings_that_were_tampered_with_are_mended_and_told_of(ladder):
    for i in range(10):
        ladder.add(duel(places=(1 + i % 2, 2 - i % 2)))
    right = ladder.ratings("house/volley")
    connection = sqlite3.connect(ladder.path)
    with connection:
        connection.execute("UPDATE moments SET mu = 99 WHERE name = 'weak' AND result IN (3, 10)")
        connection.execute("DELETE FROM moments WHERE name = 'strong' AND result = 10")
    connection.close()
    with Ladder(ladder.path) as again:
        assert again.ratings("house/volley") != right
        assert again.recompute("house/volley") == 3
        assert again.ratings("house/volley") == right
        assert again.recompute("house/volley") == 0
    with Ladder(ladder.path) as again:
        assert again.ratings("house/volley") == right


def test_each_match_is_rated_once_however_often_the_ladder_is_opened(ladder, monkeypatch):
    for _ in range(5):
        ladder.add(duel())
    right = ladder.ratings("house/volley")
    counted = []
    monkeypatch.setattr(OnlineRatings, "add", lambda _, match: counted.append(match) or [])
    with Ladder(ladder.path) as again:
        assert again.ratings("house/volley") == right
        again.add(duel())
        again.ratings("house/volley")
    assert len(counted) == 1


def test_what_there_is_of_each_game(ladder):
    ladder.add(duel())
    ladder.add(duel("strong", "other", ended="quit"))
    ladder.add(duel(game="a/b"))
    totals = [(total.game, total.results, total.players) for total in ladder.totals()]
    assert totals == [("a/b", 1, 2), ("house/volley", 2, 3)]


def test_a_result_with_something_missing_names_it(ladder):
    with pytest.raises(LadderError, match="teams"):
        ladder.add({"game": "x", "lineup": {}, "placements": {}})
    with pytest.raises(LadderError, match="'right'"):
        ladder.add(duel(lineup={"left": "a"}))
    with pytest.raises(LadderError, match="JSON"):
        ladder.add(duel(returns={"left": object()}))
    assert ladder.results("house/volley") == []


def test_a_result_that_cannot_be_written_does_not_keep_the_next_one_out(ladder):
    with pytest.raises(LadderError, match="expected to write to"):
        ladder.add(duel(ticks=object()))
    ladder.add(duel())
    assert len(ladder.results("house/volley")) == 1


def test_a_damaged_file_is_named_when_it_is_read(tmp_path):
    path = tmp_path / "ladder.sqlite"
    with Ladder(path) as ladder:
        for _ in range(200):
            ladder.add(duel())
    data = path.read_bytes()
    path.write_bytes(data[:8192] + b"\xff" * (len(data) - 8192))
    with Ladder(path) as ladder, pytest.raises(LadderError, match=r"ladder\.sqlite"):
        ladder.ratings("house/volley")


def test_a_file_that_is_no_ladder_is_named(tmp_path):
    path = tmp_path / "ladder.sqlite"
    path.write_bytes(b"not a database" * 500)
    with pytest.raises(LadderError, match=r"ladder\.sqlite"):
        Ladder(path)
    newer = tmp_path / "newer.sqlite"
    connection = sqlite3.connect(newer)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(LadderError, match="update the arcade"):
        Ladder(newer)
