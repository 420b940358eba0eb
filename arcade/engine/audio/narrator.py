"""Narrator: reads text aloud by the system's voice, on a thread of its own."""

from __future__ import annotations

import logging
import queue
import sys
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

from agents.closing import Closing
from arcade.engine.audio.speech_programs import SpeechError, SpeechProgram, Voice, find_programs
from arcade.language import N_, _

LONGEST = 2000
"""Characters of one text that are read."""

_NO_VOICE = {
    "linux": N_("No voice found. Install Speech Dispatcher or eSpeak NG, for example with: apt install espeak-ng"),
    "darwin": N_("No voice found: the program “say” is missing."),
    "win32": N_("No voice found: PowerShell is missing."),
}
_UNKNOWN_SYSTEM = N_("No voice found: the narrator knows Linux, macOS and Windows.")
_BROKEN = N_("The voice does not work: {reason}")

_log = logging.getLogger(__name__)


class _Text(NamedTuple):
    words: str  # "": only silence
    round: int  # of the narrator when it was wanted


class Narrator(Closing):
    """Reads texts aloud, one after the other; a text that interrupts is read at once instead of all others.

    Off until `turn_on`.  No method waits for a program: a thread starts and feeds them::

        narrator.turn_on()
        narrator.say("Play, button, 1 of 5")
        narrator.failure                      # "No voice found. …", for the settings
    """

    def __init__(
        self,
        find: Callable[[], Sequence[SpeechProgram]] = find_programs,
        *,
        failed: Callable[[str], None] = lambda failure: None,
    ) -> None:
        """`find` returns the installed programs; `failed` gets each `failure`, on any thread."""
        self._find, self._failed = find, failed
        self.is_on = False
        self.failure = ""  # why nothing is read, as a sentence for the user
        self._programs: list[SpeechProgram] | None = None  # those that have not failed
        self._voice: Voice | None = None
        self._round = 0  # texts of an earlier one are void
        self._texts: queue.SimpleQueue[_Text | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    @property
    def available(self) -> bool:
        """Whether a voice is installed, and works as far as known."""
        if self._programs is None:
            self._programs = list(self._find())
            self.failure = "" if self._programs else _(_NO_VOICE.get(sys.platform, _UNKNOWN_SYSTEM))
        return bool(self._programs)

    def turn_on(self, on: bool = True) -> None:
        """Begin or stop to read aloud."""
        was_on, self.is_on = self.is_on, on
        if was_on and not on:
            self.stop()
        if not on or was_on:
            return
        self._programs = self._programs or None  # one may have been installed meanwhile
        if not self.available:
            self._failed(self.failure)
        elif self._thread is None:
            self._thread = threading.Thread(target=self._work, name="narrator", daemon=True)
            self._thread.start()

    def say(self, text: str, interrupt: bool = True) -> None:
        """Read `text`, at once or after the texts before it; nothing while turned off."""
        words = " ".join(text.split())[:LONGEST]
        if self.is_on and self._thread is not None and words:
            if interrupt:
                self.stop()
            self._texts.put(_Text(words, self._round))

    def stop(self) -> None:
        """Fall silent, and forget all texts."""
        self._round += 1
        if self._voice is not None:
            self._voice.cut()
        if self._thread is not None:
            self._texts.put(_Text("", self._round))

    def close(self) -> None:
        """End the program; can be called twice."""
        self.turn_on(False)
        if self._thread is not None:
            self._texts.put(None)
            self._thread.join(2.0)
            if self._voice is not None:  # a program that takes no input holds the thread up
                self._voice.kill()
            self._thread.join(2.0)
            self._thread = None

    def _work(self) -> None:
        """In the thread."""
        while (text := self._texts.get()) is not None:
            if text.round != self._round:
                continue
            if text.words:
                self._read(text)
            elif self._voice is not None:
                self._voice.silence()
        if self._voice is not None:
            self._voice.close()
            self._voice = None

    def _read(self, text: _Text) -> None:
        """Read by the first program that works; it stays the voice."""
        while self._programs:
            voice = self._voice = self._voice or Voice(self._programs[0])
            try:
                voice.read(text.words, is_void=lambda: text.round != self._round)
                return
            except SpeechError as error:
                _log.warning("a speech program failed: %s", error)
                voice.close()
                self._voice, self._programs = None, self._programs[1:]
                if not self._programs:
                    self.failure = _(_BROKEN).format(reason=error)
                    self._failed(self.failure)
