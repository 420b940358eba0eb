"""Somebody joins in the middle of a match and takes the seat of an AI player, between real processes."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from gymnasium.spaces import Discrete

from arcade.games import find_game
from arcade.together.hosting.late_seats import LateSeats
from arcade.together.input_log import InputLog, PendingInputs
from arcade.together.messages import Foretold, Handover, Player
from tests.support.online import WAYS, check_alike, host


def changes(arcade):
    [row] = arcade.rows
    return [(each["agent"], each["label"], each["why"], each["tick"]) for each in row["settings"]["changes"]]


@pytest.mark.parametrize("way", WAYS)
def test_a_late_joiner_takes_over_from_an_ai(arcades, way):
    one = host(arcades, "volley", "--seat", "left_0=scripted", "--seat", "right_0=random", "--max-ticks", 900, way)
    one.wait_for("begins")
    two = arcades("join", one.code, "--seat", "right_0=scripted", "--name", "Bob", way)
    one.wait_for("scripted takes over Right")
    two.wait_for("takes over Right")
    first, second = one.end(), two.end()
    assert first["agreed"]
    assert second["agreed"]
    assert first["result"]["lineup"] == {"left_0": "scripted", "right_0": "random"}
    digests = check_alike(one, two)
    [change] = changes(one)
    assert change[:3] == ("right_0", "scripted", "join")
    assert changes(two) == [change]
    assert 0 < change[3] < len(digests) - 1
    assert first["result"]["unrated"] == second["result"]["unrated"] == "a seat changed"
    kinds = [each["result"]["seats"]["right_0"]["kind"] for each in (first, second)]
    assert kinds == ["scripted", "scripted"]


def test_a_late_joiner_takes_over_in_a_board_game(arcades):
    one = host(arcades, "connect_four", "--seat", "*=random", "--speed", 0.1)
    one.wait_for("begins")
    two = arcades("join", one.code, "--seat", "player_1=random", "--name", "Bob")
    two.wait_for("takes over")
    assert one.end()["agreed"]
    assert two.end()["agreed"]
    check_alike(one, two)
    assert [each[0] for each in changes(one)] == [each[0] for each in changes(two)] == ["player_1"]


def test_a_late_joiner_takes_over_a_hand_of_cards(arcades):
    one = host(arcades, "texas_holdem", "--seat", "*=random", "--speed", 1, "--max-ticks", 60)
    watcher = arcades("join", one.code, "--watch")
    watcher.wait_for("begins")
    two = arcades("join", one.code, "--seat", "player_1=scripted", "--name", "Bob")
    for each in (one, two, watcher):
        each.wait_for("scripted takes over")
    outcomes = [each.end() for each in (one, two, watcher)]
    assert all(outcome["agreed"] for outcome in outcomes)
    check_alike(one, two, watcher)
    [change] = changes(one)
    assert change[:3] == ("player_1", "scripted", "join")
    assert changes(two) == changes(watcher) == [change]
    assert outcomes[1]["result"]["seats"]["player_1"]["kind"] == "scripted"
    assert outcomes[0]["result"]["unrated"] == "a seat changed"


def test_a_late_joiner_of_a_match_by_pictures_takes_over_and_is_told_who_has_the_recording(arcades):
    one = host(
        arcades, "volley", "--seat", "left_0=scripted", "--seat", "right_0=random", "--max-ticks", 900, "--views"
    )
    one.wait_for("begins")
    two = arcades("join", one.code, "--seat", "right_0=random", "--name", "Bob")
    two.wait_for("the host alone has a recording")
    two.wait_for("takes over Right")
    first, second = one.end(), two.end()
    assert first["agreed"]
    assert second["agreed"]
    assert first["result"]["unrated"] == second["result"]["unrated"] == "a seat changed"
    assert not two.recordings
    one.check_recording()


def test_a_late_joiner_that_is_killed_comes_back_to_its_seat(arcades):
    one = host(arcades, "volley", "--seat", "left_0=scripted", "--seat", "right_0=random", "--max-ticks", 1500)
    one.wait_for("begins")
    words = ("join", one.code, "--seat", "right_0=scripted", "--name", "Bob")
    two = arcades(*words, home="guest")
    two.wait_for("takes over Right")
    two.kill()
    one.wait_for("absent")
    again = arcades(*words, home="guest")
    again.wait_for("takes over Right")
    assert one.end()["agreed"]
    assert again.end()["agreed"]
    again.keep_newest_recording()
    check_alike(one, again)
    assert changes(one) == changes(again)


def test_the_host_is_lost_after_a_late_joiner_took_its_last_seat(arcades):
    one = host(arcades, "volley", "--seat", "left_0=random", "--max-ticks", 1500, "--no-record")
    two = arcades("join", one.code, "--seat", "right_0=scripted", "--name", "Ada")
    two.wait_for("begins")
    three = arcades("join", one.code, "--seat", "left_0=scripted", "--name", "Bob")
    three.wait_for("takes over Left")
    two.wait_for("takes over Left")
    one.kill()
    two.wait_for("this machine is the host now")
    first, second = two.end(), three.end()
    assert first["agreed"]
    assert second["agreed"]
    check_alike(two, three)
    assert changes(two) == changes(three)


def test_seats_of_people_and_of_other_machines_cannot_be_taken(arcades):
    one = host(arcades, "volley", "--seat", "left_0=scripted", "--max-ticks", 3000)
    two = arcades("join", one.code, "--seat", "right_0=random")
    two.wait_for("begins")
    other = arcades("join", one.code, "--seat", "right_0=scripted")
    assert other.end()["error"]["message"] == "others have these seats"
    third = arcades("join", one.code)
    assert "or --seat left_0=… to take over from its AI" in third.end()["error"]["hint"]
    one.ask_to_end()
    one.end()


@pytest.mark.parametrize(("told", "counts_at"), [(0, 5), (2, 7), (40, 20)])
def test_a_new_host_lets_a_seat_change_where_the_earlier_host_has_told_no_input_of_it(told, counts_at):
    spec = find_game("house/volley")
    spaces = dict.fromkeys(spec.agents, (None, Discrete(6)))
    log = InputLog(spec.agents)
    for _ in range(5):
        log.append(dict.fromkeys(spec.agents, 0))
    pending = PendingInputs(spec.agents, log)
    pending.add(Foretold(tick=5, seats={"left_0": [1] * told}), spaces, of=spec.agents)
    announced = Handover(tick=20, seat="left_0", player=Player("Bob", "keyboard"))
    play = SimpleNamespace(spec=spec, log=log, pending=pending, handovers=[announced])
    play.hand_over = lambda message: play.handovers.append(message)
    seats = LateSeats(SimpleNamespace(play=play, tell=lambda message, text: None))
    seats.settle()
    assert play.handovers[-1].tick == counts_at
