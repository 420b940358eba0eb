"""Who sits where is seen in the lobby at once, before anybody is ready."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest

from agents.seats.controller import SeatChoice
from arcade.engine.ui.controls import Toggle
from arcade.games import find_game
from arcade.scenes import routes
from arcade.scenes.setup.seat_list import SeatRow
from arcade.session.online.seating import OPEN, OnlineSeating
from arcade.together.guest import GuestSession
from arcade.together.messages import Handover, Player
from arcade.together.modes import INPUTS, PICTURES, SECRETS
from arcade.together.terms import SessionError
from arcade.together.ways.connector import Connector

VOLLEY = find_game("house/volley")
LEFT, RIGHT = VOLLEY.agents


@pytest.fixture
def lobby(sit):
    """The lobby of a host, a guest that has come in, and what waits for both."""
    sitting = sit()
    sitting.engine.push(routes.Lobby(spec=VOLLEY))
    scene = sitting.engine.scene
    sitting.until(lambda: scene.session.is_open and scene.host.near is not None, "the lobby")
    code = scene.host.near
    guest = GuestSession(Connector.of(code).dial(code.place), secret=code.secret, name="Bob")

    def wait(condition: Callable[[], object], what: str) -> None:
        def is_there() -> object:
            guest.update()
            return condition()

        sitting.until(is_there, what)

    wait(lambda: guest.offer is not None, "the welcome")
    yield sitting, guest, wait
    guest.close()


def value_of(scene, agent) -> str:
    title = VOLLEY.seat_title(agent)
    return next(row.value for row in scene.tree.walk() if isinstance(row, SeatRow) and row.label == title)


def test_the_host_sees_a_guest_in_its_seat_before_it_is_ready(lobby) -> None:
    sitting, guest, wait = lobby
    scene = sitting.engine.scene
    assert value_of(scene, RIGHT) == "Open for others"
    guest.joining.choose({RIGHT: Player("Bob", "keyboard")})
    wait(lambda: value_of(scene, RIGHT) == "Bob", "the guest in the right seat")
    assert "Ready" in dict(scene.legend).values()
    scene._ready()
    assert "Ready" not in dict(scene.legend).values(), "nothing is left to press it for"
    wait(lambda: scene._waiting_words == "Waiting for Bob …", "the host to wait for the guest, and for no open seat")
    guest.leave()
    wait(lambda: value_of(scene, RIGHT) == "Open for others", "the seat to be open again")


def test_the_host_may_have_a_seat_that_a_guest_has_only_chosen(lobby) -> None:
    sitting, guest, wait = lobby
    scene = sitting.engine.scene
    guest.joining.choose({RIGHT: Player("Bob", "keyboard")})
    wait(lambda: value_of(scene, RIGHT) == "Bob", "the guest in the right seat")
    scene._put(RIGHT, SeatChoice("scripted"))
    wait(lambda: value_of(scene, RIGHT) == "Scripted bot", "the host's player")
    wait(lambda: str(RIGHT) in guest.lineup and not guest.chosen, "the guest to be told")


def test_the_host_chooses_another_game_and_the_guests_find_it_by_the_same_code(lobby, keyboard) -> None:
    sitting, _guest, wait = lobby
    code = sitting.engine.scene.host.near
    keyboard(sitting).choose("Another game")
    sitting.until(lambda: sitting.on == "SelectScene", "the games")
    sitting.engine.scene._pick(find_game("connect_four"))
    with pytest.raises(SessionError, match="has left"):
        wait(lambda: False, "the guest to be told")
    scene = sitting.engine.scene
    sitting.until(lambda: scene.session.is_open and scene.host.near is not None, "the lobby of the other game")
    assert scene.host.near == code
    again = GuestSession(Connector.of(code).dial(code.place), secret=code.secret, name="Bob")
    with closing(again):

        def has_offer() -> bool:
            again.update()
            return again.offer is not None

        sitting.until(has_offer, "the welcome")
    assert again.offer.terms.game == find_game("connect_four").id


def test_a_guest_whose_host_has_left_may_try_the_same_code_again(sit, keyboard) -> None:
    sitting = sit()
    sitting.engine.push(routes.Lobby(code="tcp://nothing"))
    first = sitting.engine.scene
    keyboard(sitting).choose("Try again")
    assert sitting.on == "LobbyScene"
    assert sitting.engine.scene is not first


def test_a_guest_whose_seat_another_machine_has_takes_an_open_one() -> None:
    pad = SeatChoice("gamepad", "0")
    seating = OnlineSeating(VOLLEY, devices=[pad], lineup={LEFT: pad})
    seating.others = {LEFT: Player("Ann", "keyboard", peer=1)}
    seating.yield_taken()
    assert seating.own == {RIGHT: pad}
    seating.others = {LEFT: Player("Ann", "keyboard"), RIGHT: Player("Cleo", "keyboard", peer=2)}
    seating.yield_taken()
    assert not seating.own
    seating.others = {}
    assert seating.lineup == {LEFT: OPEN, RIGHT: OPEN}


def test_the_host_may_run_the_game_alone_and_keeps_seats_and_code(lobby, keyboard) -> None:
    sitting, _guest, wait = lobby
    scene = sitting.engine.scene
    code = scene.host.near
    scene._put(RIGHT, SeatChoice("scripted"))
    assert says(scene, "Each machine runs the game.")
    scene.focus.focus(alone(scene))
    keyboard(sitting).press("accept")
    with pytest.raises(SessionError, match="has left"):
        wait(lambda: False, "the guest to be told")
    scene = sitting.engine.scene
    sitting.until(lambda: scene.session.is_open and scene.host.near is not None, "the lobby of the same game")
    assert scene.host.near == code
    assert value_of(scene, RIGHT) == "Scripted bot"
    assert scene.host.host.terms.mode == PICTURES
    assert says(scene, PICTURES.words)
    scene.focus.focus(alone(scene))
    keyboard(sitting).press("accept")
    scene = sitting.engine.scene
    sitting.until(lambda: scene.session.is_open and scene.host.near is not None, "the lobby of the same game")
    assert scene.host.host.terms.mode == INPUTS


def test_the_choice_to_run_the_game_alone_is_kept_for_the_next_match(sit, keyboard) -> None:
    sitting = sit(max_ticks=30)
    sitting.engine.push(routes.Lobby(spec=VOLLEY, by_views=True))
    scene = sitting.engine.scene
    sitting.until(lambda: scene.session.is_open and scene.host.near is not None, "the lobby")
    code = scene.host.near
    scene._fill()
    scene._ready()
    sitting.until(lambda: sitting.on == "ResultsScene" and sitting.engine.scene.listens, "the results")
    keyboard(sitting).choose("Play again")
    scene = sitting.engine.scene
    sitting.until(lambda: scene.session.is_open and scene.host.near is not None, "the next lobby")
    assert scene.host.near == code
    assert alone(scene).on
    assert scene.host.host.terms.mode == PICTURES


def test_a_card_game_runs_at_its_host_without_a_choice(sit) -> None:
    sitting = sit()
    sitting.engine.push(routes.Lobby(spec=find_game("leduc_holdem")))
    scene = sitting.engine.scene
    sitting.until(lambda: scene.session.is_open and scene.host.near is not None, "the lobby")
    assert says(scene, SECRETS.words)
    assert alone(scene) is None


def alone(scene) -> Toggle | None:
    return next((part for part in scene.tree.walk() if isinstance(part, Toggle)), None)


def says(scene, words: str) -> bool:
    return any(getattr(part, "text", None) == words for part in scene.tree.walk())


def test_ai_that_takes_over_a_seat_is_told_by_its_name(lobby) -> None:
    play = lobby[0].engine.scene.session._prepared.play
    told = play.handover_text(Handover(tick=1, seat=str(RIGHT), player=Player("random", "random")))
    assert told == "Random bot takes over Right"
