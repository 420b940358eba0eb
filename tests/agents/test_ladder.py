"""Results are never lost, and ratings follow from them."""

from __future__ import annotations

import sqlite3
import subprocess
import sys

import pytest

from agents.ladder import Ladder, LadderError


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


def test_a_result_comes_back_as_it_was(ladder, tmp_path):
    number = ladder.add(duel(), source="trainer", settings={"points": 5})
    (row,) = Ladder(tmp_path / "deep" / "ladder.sqlite").results("house/volley")
    assert row["id"] == number
    assert row["seed"] == str(2**70)
    assert row["lineup"] == {"left": "strong", "right": "weak"}
    assert (row["source"], row["settings"]["points"], row["settings"]["seconds"]) == ("trainer", 5, 15.0)


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
        {"error": "boom"},
        {"teams": [["left", "right"]]},
        {"placements": {}},
        {"changes": [{"tick": 90, "agent": "right", "label": "weaker"}]},
    ],
)
def test_what_says_nothing_of_strength_is_kept_and_not_rated(changes, ladder):
    ladder.add(duel(**changes))
    assert ladder.ratings("house/volley") == []
    assert len(ladder.results("house/volley")) == 1


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
    assert found["ace"].elo > found["random"].elo == 1500 > found["bob"].elo
    assert found["random"].mu == pytest.approx(25)
    assert found["random"].games == 1


def test_free_for_all(ladder):
    agents = ["a", "b", "c"]
    places = {"a": 2, "b": 1, "c": 3}
    ladder.add(duel(lineup={x: x.upper() for x in agents}, teams=[[x] for x in agents], placements=places))
    assert [rating.name for rating in ladder.ratings("house/volley")] == ["B", "A", "C"]


WRITER = """
import sys
from agents.ladder import Ladder
ladder = Ladder(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
for i in range(60):
    ladder.add({"game": "g", "seed": i, "lineup": {"0": sys.argv[2], "1": "other"}, "teams": [["0"], ["1"]],
                "placements": {"0": 1, "1": 2}})
"""


def test_two_processes_writing_at_once_lose_nothing(tmp_path):
    path = str(tmp_path / "ladder.sqlite")
    command = [sys.executable, "-c", WRITER, path]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    writers = [subprocess.Popen([*command, name], **pipes) for name in ("one", "two")]
    try:
        for writer in writers:
            assert writer.stdout.readline() == "ready\n"
        for writer in writers:
            writer.stdin.write("go\n")
            writer.stdin.flush()
        for writer in writers:
            assert writer.wait(120) == 0
    finally:
        for writer in writers:
            writer.kill()
            writer.stdin.close()
            writer.stdout.close()
    labels = [row["lineup"]["0"] for row in Ladder(path).results("g")]
    assert (labels.count("one"), labels.count("two")) == (60, 60)


def test_a_result_with_something_missing_names_it(ladder):
    with pytest.raises(LadderError, match="teams"):
        ladder.add({"game": "x", "lineup": {}, "placements": {}})
    with pytest.raises(LadderError, match="'right'"):
        ladder.add(duel(lineup={"left": "a"}))
    with pytest.raises(LadderError, match="JSON"):
        ladder.add(duel(returns={"left": object()}))
    assert ladder.results("house/volley") == []


def test_a_result_that_cannot_be_written_does_not_keep_the_next_one_out(ladder):
    with pytest.raises(LadderError, match="expected to write a result"):
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
