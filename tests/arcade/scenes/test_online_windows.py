"""Two people play over the network, each in a real window on a real X server."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from agents.ladder.ladder import Ladder
from arcade.match.playback.reader import read_replay
from arcade.match.playback.replay import ReplayError
from arcade.match.playback.verify import verify
from arcade.together.ways.codes import parse_code
from arcade.together.ways.nearby import Nearby, NearbyMatch
from tests.support.desk import Desk, until
from tests.support.online import Arcade
from tests.support.screen import MISSING

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")


@pytest.fixture
def desks(tmp_path):
    with ExitStack() as stack:
        found = [stack.enter_context(Desk(tmp_path / name)) for name in ("ada", "bob")]
        for desk in found:
            desk.show()
        yield found


def open_online(desk: Desk) -> None:
    desk.focus("All games", most=40)
    desk.press("Play online", key="Right")
    until(lambda: desk.state.startswith("OnlineScene"), "the page of play online")


def open_lobby(desk: Desk, game: str) -> str:
    """Host a match, with the focus on *Ready*; its code."""
    open_online(desk)
    desk.xdotool("key", "Return")
    until(lambda: desk.state.startswith("SelectScene"), "the games")
    desk.xdotool("type", game)
    desk.xdotool("key", "Return")
    until(lambda: desk.state.endswith(" Ready"), "the lobby")
    return (desk.folder / "code").read_text()


def host_game(desk: Desk, game: str = "volley") -> str:
    """Host a match and be ready; its code."""
    code = open_lobby(desk, game)
    desk.xdotool("key", "Return")
    return code


def open_join(desk: Desk, code: str) -> None:
    """Join with a code, with the focus on *Ready*."""
    open_online(desk)
    desk.press("Enter a code", key="Right")
    until(lambda: desk.state.startswith("TextEntryScene"), "the entry")
    desk.xdotool("type", "--delay", 20, code)
    desk.xdotool("key", "Return")
    until(lambda: desk.state.endswith(" Ready"), "the lobby")


def join(desk: Desk, code: str) -> None:
    open_join(desk, code)
    desk.xdotool("key", "Return")


def results(desk: Desk) -> dict:
    return json.loads(desk.arcade.stdout.readline())


def ticks(desk: Desk) -> int:
    """The length of the newest recording so far."""
    try:
        return len(read_replay(recording(desk)).actions)
    except (ReplayError, ValueError):
        return 0


def recording(desk: Desk) -> Path:
    """The whole recording: the one of a killed window is cut off."""
    return max((desk.folder / "home" / "replays").glob("*.replay"), key=lambda path: path.stat().st_mtime)


def begin_volley(host: Desk, guest: Desk) -> None:
    """Play a match of volley, in which the host runs to the right."""
    join(guest, host_game(host))
    for desk in (host, guest):
        until(lambda desk=desk: desk.state.startswith("OnlineMatchScene"), "the match")
    host.xdotool("keydown", "d")


def kill_and_return(desk: Desk) -> None:
    """Kill the arcade once the match is under way there, and return to the match with a new one."""
    kill(desk)
    come_back(desk)


def kill(desk: Desk) -> None:
    """Kill the arcade once the match is under way there, and open a new one."""
    until(lambda: ticks(desk) > 30, "the match to be under way")
    desk.xdotool("keyup", "d")  # a held key would move through the menu
    desk.run_again()


def come_back(desk: Desk) -> None:
    """Return to the match with the new arcade."""
    desk.show()
    open_online(desk)
    desk.press("Return to the match")
    until(lambda: desk.state.startswith("OnlineMatchScene"), "the player to be back")


def check_ladder(desk: Desk) -> None:
    with Ladder(desk.folder / "home" / "ladder.sqlite") as ladder:
        until(lambda: len(ladder.results("house/volley")) == 1, "one row on the ladder")


def test_two_people_join_by_code_play_and_one_comes_back_from_a_kill(desks) -> None:
    ada, bob = desks
    begin_volley(ada, bob)
    kill_and_return(bob)
    bob.xdotool("keydown", "a")
    one, two = map(results, desks)
    assert one["ended"] == two["ended"] == "finished"
    assert one["lineup"] == two["lineup"] == {"left_0": "Player", "right_0": "Player 2"}
    assert one["actions"] == two["actions"], "both played the same"
    for desk in desks:
        until(lambda desk=desk: desk.state.startswith("ResultsScene"), "the results")
        until(lambda desk=desk: read_replay(recording(desk)).result is not None, "the whole recording")
        replay = read_replay(recording(desk))
        assert verify(replay).ok
        assert 2 in {actions["left_0"] for actions in replay.actions}, "Ada ran to the right"
        assert len({actions["right_0"] for actions in replay.actions}) == 2, "Bob stood, came back, and ran"
        check_ladder(desk)
    assert not (bob.folder / "home" / "online.json").exists()
    for desk, key in ((ada, "d"), (bob, "a")):  # once more, with the same code
        desk.xdotool("keyup", key)
        until(lambda desk=desk: desk.state.startswith("ResultsScene True"), "a page that listens")
        desk.press("Play again")
        until(lambda desk=desk: desk.state.endswith(" Ready"), "the lobby")
        desk.xdotool("key", "Return")
    for desk in desks:
        until(lambda desk=desk: desk.state.startswith("OnlineMatchScene"), "the next match")


def test_the_host_is_killed_and_comes_back_as_a_guest_of_the_next_one_which_others_find(desks, tmp_path) -> None:
    ada, bob = desks
    with Nearby() as nearby:
        begin_volley(ada, bob)
        code = (ada.folder / "code").read_text()

        def found() -> list[NearbyMatch]:
            return [one for one in nearby.found if parse_code(one.code).secret == parse_code(code).secret]

        until(lambda: found() == [NearbyMatch(code, "house/volley", "Player", has_begun=True)], "the match of Ada")
        kill(ada)
        until(lambda: [one.has_begun for one in found() if one.code != code] == [True], "the match of Bob")
        [match] = found()
        with Arcade(tmp_path / "cy", "join", match.code, "--watch", "--no-ladder") as watcher:
            watcher.wait_for("begins")
        come_back(ada)
        bob.xdotool("keydown", "a")
        one, two = map(results, desks)
        until(lambda: not found(), "the match to be off the list")
    assert one["ended"] == two["ended"] == "finished"
    assert one["actions"] == two["actions"], "both played the same"
    for desk in desks:
        until(lambda desk=desk: read_replay(recording(desk)).result is not None, "the whole recording")
        assert verify(read_replay(recording(desk))).ok
        check_ladder(desk)


def seat_second_person(desk: Desk, seat: str, downs: int) -> None:
    """Give a seat to the player so many rows below the present one, and go back to *Ready*."""
    desk.focus(seat, key="Up")
    desk.xdotool("key", "Return")
    until(lambda: desk.state.startswith("SeatPickerScene True"), "the players")
    for _ in range(downs):
        desk.xdotool("key", "Down")
    desk.xdotool("key", "Return")
    until(lambda: desk.state.startswith("LobbyScene True"), "the lobby")
    desk.focus("Ready")


def test_two_people_at_each_machine_play_two_against_two_and_one_pair_comes_back_from_a_kill(desks) -> None:
    ada, bob = desks
    code = open_lobby(ada, "doubles")
    seat_second_person(ada, "Left 2", 2)  # Keyboard arrow keys
    ada.xdotool("key", "Return")
    bob.hold()
    open_join(bob, code)
    seat_second_person(bob, "Right 2", 4)  # the gamepad
    bob.xdotool("key", "Return")
    for desk in desks:
        until(lambda desk=desk: desk.state.startswith("OnlineMatchScene"), "the match")
    with Nearby() as nearby:
        until(lambda: NearbyMatch(code, "house/volley_2v2", "Player", has_begun=True) in nearby.found, "the match")
    for key in ("d", "Left"):
        ada.xdotool("keydown", key)
    kill_and_return(bob)
    bob.xdotool("keydown", "a")
    bob.hold("right")
    until(lambda: all(len(moves_of(desk, "right_1")) > 1 for desk in desks), "both to have moved at Bob's")
    for key in ("d", "Left"):
        ada.xdotool("keyup", key)  # else they move the focus of the menu
    ada.xdotool("key", "Escape")
    until(lambda: ada.state.startswith("OnlineMenuScene True"), "the menu")
    ada.press("Leave the match", key="Right")
    until(lambda: ada.state.startswith("ConfirmScene True"), "the question")
    ada.press("Leave", key="Right")
    one, two = map(results, desks)
    assert one["actions"] == two["actions"], "both played the same"
    assert one["lineup"] == two["lineup"] == {
        "left_0": "Player", "left_1": "Player 2", "right_0": "Player 3", "right_1": "Player 4",
    }  # fmt: skip
    assert (one["ended"], one["loser"]) == (two["ended"], two["loser"]) == ("forfeit", "left_0")
    for desk in desks:
        until(lambda desk=desk: read_replay(recording(desk)).result is not None, "the whole recording")
        assert verify(read_replay(recording(desk))).ok
        assert [moves_of(desk, seat) for seat in one["lineup"]] == [{0, 2}, {0, 1}, {0, 2}, {0, 1}]


def moves_of(desk: Desk, seat: str) -> set[int]:
    """The actions of a seat in the newest recording so far."""
    try:
        return {int(actions[seat]) for actions in read_replay(recording(desk)).actions}
    except (ReplayError, ValueError):
        return set()


def test_who_joins_a_match_under_way_takes_over_from_an_ai(desks) -> None:
    ada, bob = desks
    code = open_lobby(ada, "volley")
    ada.press("Fill with AI", key="Right")
    until(lambda: ada.state.endswith(" Ready"), "the focus to move on, since no seat is open")
    ada.xdotool("key", "Return")
    until(lambda: ada.state.startswith("OnlineMatchScene"), "the match")
    join(bob, code)  # with the seat that is offered
    until(lambda: bob.state.startswith("OnlineMatchScene"), "the match at the late joiner")
    bob.xdotool("keydown", "a")
    ada.xdotool("keydown", "d")
    one, two = map(results, desks)
    assert one["actions"] == two["actions"]
    assert [(each["agent"], each["why"]) for each in one["changes"]] == [("right_0", "join")]
    assert one["lineup"] == two["lineup"]


def test_two_people_play_cards_that_only_the_host_has(desks) -> None:
    ada, bob = desks
    join(bob, host_game(ada, "leduc"))
    for desk in desks:
        until(lambda desk=desk: desk.state.startswith("OnlineMatchScene"), "the match")

    def is_over() -> bool:
        for desk in desks:
            desk.xdotool("key", "space")
        return all(desk.state.startswith("ResultsScene") for desk in desks)

    until(is_over, "the end of the session")
    one, two = map(results, desks)
    assert one["ended"] == two["ended"] == "finished"
    assert one["actions"] == two["actions"], "the guest has played the whole match at its end"
    assert [(each["rated"], each["unrated"]) for each in (one, two)] == [(True, "")] * 2
    for desk in desks:
        until(lambda desk=desk: read_replay(recording(desk)).result is not None, "the whole recording")
        assert verify(read_replay(recording(desk))).ok
