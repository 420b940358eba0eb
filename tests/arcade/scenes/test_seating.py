"""The seats screen's choices, without the screen."""

from agents.seats.controller import SeatChoice
from agents.seats.kinds import parse_seat
from arcade.games.spec import GameSpec
from arcade.session.seating import NORMAL, POOL, RANDOM, SCRIPTED, Seating, describe

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
    assert Seating(make_spec(scripted="x:y"), devices=[], snapshots=["one"]).lineup["a"] == NORMAL
    assert Seating(make_spec(), devices=[], snapshots=["one"], training=True).lineup["a"] == POOL


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
