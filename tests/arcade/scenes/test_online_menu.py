"""The page that hosts or joins a match over the network."""

from __future__ import annotations

from agents.seats.controller import SeatChoice
from arcade.games import find_game
from arcade.scenes import routes
from arcade.session.online.hosting import OnlineHost


def test_a_spoilt_code_is_told_in_plain_words_and_can_be_corrected(sit, keyboard) -> None:
    sitting = sit()
    sitting.engine.push(routes.Online())
    hand = keyboard(sitting)
    hand.choose("Enter a code")
    hand.type("hello")
    hand.press("accept")
    (told,) = sitting.engine.toasts.messages
    assert told == "This is not the whole code of a match. Copy it again, to its last letter."
    assert sitting.on == "TextEntryScene"
    assert sitting.engine.scene.value == "hello"


def test_the_deal_that_a_host_has_told_is_no_hint_of_its_next_one(sit) -> None:
    sitting, seeds = sit(), []
    for _ in range(3):
        with OnlineHost(sitting.services, find_game("leduc_holdem"), SeatChoice("keyboard")) as host:
            sitting.until(lambda host=host: host.host is not None, "the lobby")
            seeds.append(host.host.terms.seed)
    assert seeds[1] - seeds[0] != seeds[2] - seeds[1]


def test_ready_is_offered_while_it_can_be_pressed(sit, keyboard) -> None:
    sitting = sit()
    sitting.engine.push(routes.Lobby(find_game("volley")))
    scene, ready = sitting.engine.scene, ("start", "Ready")
    assert ready not in scene.legend, "the game is still tried"
    sitting.until(lambda: ready in scene.legend, "the lobby")
    keyboard(sitting).choose("Ready")
    assert ready not in scene.legend
    assert getattr(scene.focus.focused, "label", "") != "Ready"
