"""The narrator speaks through real child processes on the PATH: a fake voice writes down what it reads."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

import pytest

from arcade import language
from arcade.engine.audio.narrator import Narrator
from arcade.engine.audio.speech_programs import find_programs
from tests.support.fake_voices import install

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="fakes the speech programs of Linux")


class Listener:
    """A folder of fake voices, and what they have read."""

    def __init__(self, folder) -> None:
        self.folder = folder
        self.heard = folder / "heard.txt"
        self.failures: list[str] = []
        self.narrator = Narrator(failed=self.failures.append)

    def lines(self) -> list[str]:
        return self.heard.read_text().splitlines() if self.heard.exists() else []

    def until(self, condition: Callable[[], object]) -> None:
        deadline = time.monotonic() + 20
        while not condition():
            assert time.monotonic() < deadline, f"heard only {self.lines()}, failures: {self.failures}"
            threading.Event().wait(0.01)


@pytest.fixture
def listener(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    listener = Listener(tmp_path)
    yield listener
    listener.narrator.close()
    listener.narrator.close()


def test_it_is_off_until_it_is_turned_on(listener):
    install("spd-say", listener.folder)
    listener.narrator.say("too early")
    listener.narrator.turn_on()
    listener.narrator.say("now")
    listener.until(lambda: "now" in listener.lines())
    assert "too early" not in listener.lines()


def test_the_newest_text_silences_the_one_before(listener):
    install("spd-say", listener.folder)
    listener.narrator.turn_on()
    listener.narrator.say("first\n  button")
    listener.until(lambda: "first button" in listener.lines())
    listener.narrator.say("second")
    listener.until(lambda: "second" in listener.lines())
    assert listener.lines()[-2:] == ["!-!CANCEL self", "second"]
    listener.narrator.say("third", interrupt=False)
    listener.until(lambda: "third" in listener.lines())
    assert listener.lines()[-2:] == ["second", "third"]


def test_a_program_that_reads_one_text_is_ended_by_the_next(listener):
    install("espeak-ng", listener.folder, seconds=600)
    listener.narrator.turn_on()
    listener.narrator.say("a long story")
    listener.until(lambda: "begins: a long story" in listener.lines())
    listener.narrator.say("stop")
    listener.until(lambda: "begins: stop" in listener.lines())
    assert not any(line.startswith("ends") for line in listener.lines())


def test_texts_that_do_not_interrupt_are_read_to_the_end(listener):
    install("espeak-ng", listener.folder)
    listener.narrator.turn_on()
    listener.narrator.say("one")
    listener.narrator.say("two", interrupt=False)
    listener.until(lambda: "ends: two" in listener.lines())
    assert listener.lines() == ["begins: one", "ends: one", "begins: two", "ends: two"]


def test_a_broken_program_is_replaced_by_the_next_one(listener):
    install("spd-say", listener.folder, fails="Failed to connect to Speech Dispatcher")
    install("espeak-ng", listener.folder)
    listener.narrator.turn_on()
    listener.narrator.say("hello")
    listener.until(lambda: "ends: hello" in listener.lines())
    assert listener.narrator.available
    assert not listener.failures


def test_the_last_broken_program_is_reported(listener):
    install("espeak-ng", listener.folder, fails="no audio device")
    listener.narrator.turn_on()
    listener.narrator.say("hello")
    listener.until(lambda: listener.failures)
    assert listener.failures == ["The voice does not work: espeak-ng: no audio device"]
    assert not listener.narrator.available


def test_without_a_voice_it_says_how_to_get_one(listener):
    assert find_programs() == []
    listener.narrator.turn_on()
    assert "apt install espeak-ng" in listener.narrator.failure
    assert listener.failures == [listener.narrator.failure]
    listener.narrator.say("nothing happens")
    assert listener.lines() == []


def test_it_never_makes_the_caller_wait(listener):
    """For a voice that takes no input at all."""
    install("spd-say", listener.folder, seconds=600, deaf=True)
    listener.narrator.turn_on()

    def talk() -> None:
        for _ in range(200):
            listener.narrator.say("word " * 400, interrupt=False)

    caller = threading.Thread(target=talk)
    caller.start()
    caller.join(10)
    assert not caller.is_alive()
    listener.until(lambda: listener.narrator._voice is not None)
    listener.narrator.close()
    assert not listener.lines()


def test_a_voice_that_was_installed_meanwhile_is_found(listener):
    listener.narrator.turn_on()
    assert listener.failures
    listener.narrator.turn_on(False)
    install("spd-say", listener.folder)
    listener.narrator.turn_on()
    listener.narrator.say("now")
    listener.until(lambda: "now" in listener.lines())
    assert not listener.narrator.failure


def test_a_missing_voice_is_told_in_the_language_of_the_user(listener):
    language.use("de")
    try:
        listener.narrator.turn_on()
    finally:
        language.use("en")
    assert listener.failures[0].startswith("Keine Stimme gefunden")
