"""The narrator reads pages, the focus, changed values, questions and messages, in the order of the screen."""

from __future__ import annotations

import sys
import threading
import time

import pytest

from arcade.engine.input.events import TextInput
from arcade.scenes import routes
from arcade.session.settings import Settings
from tests.support.fake_voices import install

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="fakes the speech programs of Linux")


@pytest.fixture
def spoken(sit, tmp_path, monkeypatch):
    """An arcade with a narrator, and a function that waits for a line that it reads."""
    install("spd-say", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    sitting = sit(engine={"settings": Settings(narrator=True, reduce_motion=True)})

    def heard(words: str) -> None:
        deadline = time.monotonic() + 60
        lines: list[str] = []
        while not any(words in line for line in lines):
            assert time.monotonic() < deadline, f"expected {words!r}, heard {lines}"
            threading.Event().wait(0.01)
            lines = (tmp_path / "heard.txt").read_text().splitlines() if (tmp_path / "heard.txt").exists() else []

    return sitting, heard


def test_a_page_its_focus_and_a_changed_value_are_read(spoken, keyboard) -> None:
    sitting, heard = spoken
    hand = keyboard(sitting)
    sitting.engine.push(routes.Settings("Sound"))
    heard("Settings. Sound")
    hand.press("down")
    heard("Volume, 70%")
    hand.press("right")
    heard("80%")
    hand.reach(sitting.widget("Mute"))
    heard("Mute, Off")
    hand.press("accept")
    heard("On")


def test_a_question_is_read_whole_and_the_page_again_after_it(spoken, keyboard) -> None:
    sitting, heard = spoken
    sitting.engine.push(routes.Settings("View"))
    heard("Settings. View")
    sitting.engine.push(routes.Confirm("Leave?", "The match counts as lost.", "Leave", lambda: None))
    heard("Leave? The match counts as lost. No")
    sitting.engine.say("Picture saved")
    heard("Picture saved")
    keyboard(sitting).press("down")
    keyboard(sitting).press("back")
    heard("Settings. View")


def test_typed_words_are_read_with_the_game_they_find(spoken) -> None:
    sitting, heard = spoken
    sitting.engine.push(routes.Games())
    heard("Games. Volley")
    sitting.engine.scene.handle(TextInput("connect"))
    heard("connect. Connect Four, 2 players")


def test_the_focus_is_read_again_where_a_page_is_built_anew_without_it(spoken) -> None:
    sitting, heard = spoken
    sitting.engine.push(routes.Ladder())
    heard("Ladder. Tournament")
    sitting.until(lambda: sitting.engine.scene.focus.focused.label == "All games", "the ladder without ratings")
    sitting.frame(2)
    heard("All games. Choose a game and play the first match")
