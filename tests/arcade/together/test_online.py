"""Arcades play together as real processes, over real sockets, and are really killed."""

from __future__ import annotations

import pytest

from tests.support.online import WAYS, check_alike, host, kill_and_rejoin


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("other_way", WAYS)
def test_two_arcades_play_a_match_in_real_time(arcades, way, other_way):
    one = host(arcades, "volley", "--seat", "left_0=scripted", "--max-ticks", 240, "--name", "Ada", way)
    two = arcades("join", one.code, "--seat", "right_0=random", "--name", "Bob", other_way)
    first, second = one.end(), two.end()
    assert first["agreed"]
    assert second["agreed"]
    assert first["result"]["lineup"] == second["result"]["lineup"] == {"left_0": "scripted", "right_0": "random"}
    assert first["result"]["ended"] == "max_ticks"
    assert first["result"]["unrated"] == second["result"]["unrated"] == "it was cut short"
    assert [each["network"]["rolls_back"] for each in (first, second)] == [way == WAYS[0], other_way == WAYS[0]]
    assert len(check_alike(one, two)) == 241
    assert any("Bob plays Right (random)" in line for line in one.lines)


def test_a_board_game_has_a_spectator_who_comes_late(arcades):
    one = host(arcades, "connect_four", "--seat", "player_0=random", "--speed", 2)
    two = arcades("join", one.code)  # the first free seat
    two.wait_for("begins")
    three = arcades("join", one.code, "--watch")
    results = [each.end()["result"] for each in (one, two, three)]
    assert results[0]["ended"] == "finished"
    check_alike(one, two, three)


def test_four_arcades_share_a_game_of_four(arcades):
    one = host(arcades, "simple_tag", "--seat", "adversary_0=random", "--max-ticks", 60)
    others = [arcades("join", one.code, "--seat", f"{seat}=random")
              for seat in ("adversary_1", "adversary_2", "agent_0")]  # fmt: skip
    for each in (one, *others):
        assert each.end()["agreed"]
    check_alike(one, *others)


DOUBLES = ("--seat", "right_0=random", "--seat", "right_1=scripted")


@pytest.mark.parametrize("way", WAYS)
def test_two_arcades_have_two_players_each_and_one_comes_back_with_both_of_its_seats(arcades, way):
    one = host(
        arcades, "volley_2v2", "--seat", "left_0=scripted", "--seat", "left_1=random", "--max-ticks", 400, way
    )  # fmt: skip
    again = kill_and_rejoin(arcades, one, *DOUBLES, way)
    again.wait_for("begins")
    first, second = one.end(), again.end()
    assert first["agreed"]
    assert second["agreed"]
    lineup = {"left_0": "scripted", "left_1": "random", "right_0": "random", "right_1": "scripted"}
    assert first["result"]["lineup"] == second["result"]["lineup"] == lineup
    again.keep_newest_recording()
    assert len(check_alike(one, again)) == 401


def test_a_pair_that_leaves_loses_together(arcades):
    one = host(arcades, "volley_2v2", "--seat", "left_0=random", "--seat", "left_1=random")
    two = arcades("join", one.code, *DOUBLES)
    two.wait_for("begins")
    two.ask_to_end()
    first, second = one.end()["result"], two.end()["result"]
    assert first["placements"] == second["placements"] == {"left_0": 1, "left_1": 1, "right_0": 2, "right_1": 2}


def test_a_guest_that_is_killed_forfeits_and_the_host_loses_nothing(arcades):
    one = host(arcades, "volley", "--seat", "left_0=random", "--grace", 4)
    two = arcades("join", one.code, "--seat", "right_0=scripted")
    two.wait_for("begins")
    one.wait_for("begins")
    two.kill()
    one.wait_for("absent")
    outcome = one.end()
    assert outcome["result"]["ended"] == "forfeit"
    assert outcome["result"]["loser"] == "right_0"
    assert outcome["result"]["placements"] == {"left_0": 1, "right_0": 2}
    assert "did not come back within 4 s" in outcome["why"]
    assert outcome["words"] == "random won: scripted forfeited"
    one.check_recording()
    assert [row["ended"] for row in one.rows] == ["forfeit"]


def test_a_host_that_is_killed_forfeits_and_the_guest_loses_nothing(arcades):
    one = host(arcades, "volley", "--seat", "left_0=random", "--grace", 4)
    two = arcades("join", one.code, "--seat", "right_0=scripted")
    two.wait_for("begins")
    one.kill()
    two.wait_for("the host is absent")
    outcome = two.end()
    assert outcome["result"]["ended"] == "forfeit"
    assert outcome["result"]["loser"] == "left_0"
    assert outcome["agreed"] is None
    two.check_recording()
    assert [row["placements"] for row in two.rows] == [{"left_0": 2, "right_0": 1}]


@pytest.mark.parametrize("way", WAYS)
def test_a_guest_that_is_killed_comes_back_and_plays_on(arcades, way):
    one = host(arcades, "volley", "--seat", "left_0=scripted", "--max-ticks", 300, way)
    again = kill_and_rejoin(arcades, one, "--seat", "right_0=random", way)
    again.wait_for("begins")
    assert one.end()["agreed"]
    assert again.end()["agreed"]
    assert any("is back" in line for line in one.lines)
    again.keep_newest_recording()
    assert len(check_alike(one, again)) == 301


def test_a_stranger_cannot_have_the_seat_of_an_absent_guest(arcades):
    one = host(arcades, "volley", "--seat", "left_0=scripted", "--grace", 30)
    two = arcades("join", one.code, "--seat", "right_0=random")
    two.wait_for("begins")
    two.kill()
    one.wait_for("absent")
    other = arcades("join", one.code, "--seat", "right_0=random")
    assert "the same players as before" in other.end()["error"]["hint"]
    one.ask_to_end()
    assert one.end()["result"]["ended"] == "forfeit"


@pytest.mark.parametrize("leaver", ["host", "guest"])
def test_leaving_is_a_forfeit_at_once(arcades, leaver):
    one = host(arcades, "volley", "--seat", "left_0=random")
    two = arcades("join", one.code, "--seat", "right_0=random")
    two.wait_for("begins")
    one.wait_for("begins")
    (one if leaver == "host" else two).ask_to_end()
    first, second = one.end()["result"], two.end()["result"]
    loser = "left_0" if leaver == "host" else "right_0"
    assert first["ended"] == second["ended"] == "forfeit"
    assert first["loser"] == second["loser"] == loser
    for each in (one, two):
        each.check_recording()
        assert [row["placements"][loser] for row in each.rows] == [2]


@pytest.mark.parametrize("way", WAYS)
def test_a_difference_at_a_guest_is_named_to_the_tick_and_healed(arcades, way):
    one = host(arcades, "volley", "--seat", "left_0=scripted", "--max-ticks", 240)
    two = arcades(60, "join", one.code, "--seat", "right_0=random", way, program="tests.support.odd_arcade")
    first, second = one.end(), two.end()
    assert [(each["tick"], each["what"]) for each in first["differences"]] == [(61, "the observation of left_0")]
    assert [(each["tick"], each["what"]) for each in second["differences"]] == [(61, "the observation of left_0")]
    assert first["agreed"]
    assert second["agreed"]
    check_alike(one, two)


@pytest.mark.parametrize("way", WAYS)
def test_a_difference_at_the_host_is_healed_by_the_inputs(arcades, way):
    one = host(arcades, "volley", "--seat", "left_0=scripted", "--max-ticks", 240, way, odd=(60,))
    two = arcades("join", one.code, "--seat", "right_0=random")
    assert one.end()["agreed"]
    assert two.end()["agreed"]
    assert any("so the host plays the match anew" in line for line in one.lines)
    check_alike(one, two)


def test_machines_that_always_differ_end_the_match_unrated(arcades):
    one = host(arcades, "volley", "--seat", "left_0=scripted", "--max-ticks", 2000)
    two = arcades(
        "60always", "join", one.code, "--seat", "right_0=random", "--no-rollback", program="tests.support.odd_arcade"
    )
    first, second = one.end()["result"], two.end()["result"]
    assert first["ended"] == second["ended"] == "failed"
    assert not one.rows or first["unrated"]


def test_a_machine_that_computes_otherwise_is_told_before_the_match(arcades):
    one = host(arcades, "volley", "--seat", "left_0=scripted")
    two = arcades(0, "join", one.code, "--seat", "right_0=random", program="tests.support.odd_arcade")
    assert two.end()["error"]["message"] == "the game comes to another result on this machine than at the host"
    one.wait_for("computes another result")


def test_without_the_secret_of_the_code_a_stranger_stays_outside(arcades):
    from dataclasses import replace

    from arcade.together.ways.codes import parse_code

    one = host(arcades, "volley", "--seat", "left_0=scripted")
    wrong = replace(parse_code(one.code), secret=bytes(10)).text
    error = arcades("join", wrong, "--seat", "right_0=random").end()["error"]
    assert "this code does not lead into the match" in error["message"]


def test_a_taken_seat_and_a_wrong_code_are_explained(arcades):
    one = host(arcades, "volley", "--seat", "left_0=scripted")
    error = arcades("join", one.code, "--seat", "left_0=random").end()["error"]
    assert error["message"] == "others have these seats"
    assert error["hint"] == "free seats: Right"
    error = arcades("join", one.code[:-3]).end()["error"]
    assert "expected the whole code" in error["message"]


def test_a_network_that_breaks_and_stalls_loses_nothing(arcades):
    from dataclasses import replace

    from arcade.together.ways.codes import parse_code
    from tests.support.proxy import Proxy

    one = host(arcades, "volley", "--seat", "left_0=scripted", "--max-ticks", 500)
    code = parse_code(one.code)
    with Proxy(code.port) as proxy:
        two = arcades("join", replace(code, port=proxy.port).text, "--seat", "right_0=random")
        two.wait_for("begins")
        for _ in range(3):
            proxy.reset()
            proxy.stalled = True
            one.wait_for("is absent")
            proxy.stalled = False
            one.wait_for("is back")
            del one.lines[:]
        assert one.end()["agreed"]
        assert two.end()["agreed"]
    assert len(check_alike(one, two)) == 501
