"""The seats screen's choices, without the screen."""

import pytest

from agents.seats.controller import SeatChoice
from agents.seats.kinds import parse_seat
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.session.seating import EASY, LATEST, POOL, RANDOM, SCRIPTED, Seating, describe, quick_lineup

WASD = SeatChoice("keyboard", "wasd")
ARROWS = SeatChoice("keyboard", "arrows")
PAD = SeatChoice("gamepad", "0")


def make_spec(*, turn_based: bool = False, scripted: str = "") -> GameSpec:
    return GameSpec(
        id="test/duel",
        title="Duel",
        entry="nowhere:env",
        agents=("a", "b"),
        teams=(("a",), ("b",)),
        turn_based=turn_based,
        fps=30,
        scripted=scripted,
    )


def test_a_seat_nobody_takes_gets_a_machine_that_people_can_play_with() -> None:
    assert Seating(make_spec(), devices=[WASD]).lineup == {"a": RANDOM, "b": RANDOM}
    assert Seating(make_spec(scripted="x:y"), devices=[WASD]).lineup["a"] == SCRIPTED
    assert Seating(make_spec(scripted="x:y"), devices=[], snapshots=["one"]).lineup["a"] == EASY
    assert Seating(make_spec(), devices=[], snapshots=["one"], training=True).lineup["a"] == POOL


STOCKFISH = parse_seat("uci:stockfish?skill=0&depth=1")


def test_without_levels_beginners_meet_the_weakest_engine() -> None:
    stronger = parse_seat("uci:stockfish?skill=20")
    seating = Seating(make_spec(turn_based=True, scripted="x:y"), devices=[], engines=[STOCKFISH, stronger])
    assert seating.default == STOCKFISH


@pytest.mark.parametrize("is_installed", [True, False])
def test_chess_and_go_begin_at_the_easy_level_with_an_engine_or_without(
    is_installed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opponent(game: str) -> str:
        return str(list(quick_lineup(find_game(game), WASD, ()).values())[1])

    monkeypatch.setattr("agents.engines.engine.find_program", lambda name: f"/usr/games/{name}" * is_installed or None)
    assert [opponent(game) for game in ("chess", "go", "connect_four")] == ["level:easy"] * 3


def test_options_come_in_groups_with_the_snapshots_folded_behind_the_levels() -> None:
    seating = Seating(
        make_spec(scripted="x:y"), devices=[WASD], snapshots=["new", "old"], engines=[STOCKFISH],
        endpoints=["tcp://h:1"],
    )  # fmt: skip
    groups = seating.groups("a")
    assert [group.title for group in groups] == ["People", "AI", "Trained AI", "Engines", "Bots", "Others"]
    assert [group.is_folded for group in groups] == [False, False, True, False, False, False]
    words = [[str(choice) for choice in group.choices] for group in groups]
    assert words[1] == ["level:easy", "level:normal", "level:hard", "level:expert", "level:even"]
    assert words[4] == ["scripted", "random"]
    assert words[2] == ["snapshot:latest", "snapshot:best", "pool", "snapshot:new", "snapshot:old"]
    assert seating.options("a") == tuple(choice for group in groups for choice in group.choices)


def test_groups_without_a_player_are_left_out_and_a_player_that_is_gone_comes_first() -> None:
    gone = SeatChoice("snapshot", "gone")
    seating = Seating(make_spec(), devices=[], lineup={"a": gone})
    assert [(group.title, group.choices[0]) for group in seating.groups("a")] == [
        ("Now", gone), ("Bots", RANDOM), ("Others", SeatChoice("idle")),
    ]  # fmt: skip
    assert LATEST not in seating.options("b")


def test_devices_join_free_seats_in_order_and_only_once() -> None:
    seating = Seating(make_spec(), devices=[WASD, ARROWS, PAD])
    assert seating.join(PAD) == "a"
    assert seating.join(PAD) is None
    assert seating.join(WASD) == "b"
    assert seating.join(ARROWS) is None
    assert seating.people == 2


def test_a_device_moves_in_a_real_time_game_and_is_shared_in_a_turn_based_one() -> None:
    real_time, turn_based = (Seating(make_spec(turn_based=t), devices=[WASD]) for t in (False, True))
    for seating in (real_time, turn_based):
        seating.put("a", WASD)
        seating.put("b", WASD)
    assert real_time.lineup == {"a": RANDOM, "b": WASD}
    assert turn_based.lineup == {"a": WASD, "b": WASD}
    assert WASD not in real_time.options("a")
    assert WASD in turn_based.options("a")


def test_every_kind_of_player_is_an_option_and_any_can_have_the_seat() -> None:
    seating = Seating(make_spec(), devices=[WASD, PAD], snapshots=["old", "new"], endpoints=["tcp://host:1"])
    options = seating.options("a")
    assert {"level:easy", "level:expert", "snapshot:latest", "snapshot:old", "remote:tcp://host:1", "gamepad:0"} <= {
        str(choice) for choice in options
    }
    for choice in options:
        seating.put("a", choice)
        assert seating.lineup["a"] == choice
        assert seating.options("a") == options


def test_a_pad_that_goes_gives_its_seat_back() -> None:
    seating = Seating(make_spec(), devices=[WASD, PAD])
    seating.join(PAD)
    seating.set_devices([WASD])
    assert seating.lineup["a"] == RANDOM
    assert PAD not in seating.options("a")


def test_every_option_reads_back_as_a_seat_word_and_has_words_for_people() -> None:
    seating = Seating(make_spec(scripted="x:y"), devices=[WASD, PAD], snapshots=["n"], endpoints=["tcp://h:1"])
    for choice in seating.options("a"):
        assert parse_seat(str(choice)) == choice
        assert describe(choice)
