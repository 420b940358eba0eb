"""Speech programs of the system, and Voice: one of them, fed with text by a thread.

Speech Dispatcher or eSpeak NG on Linux, ``say`` on macOS, SAPI by PowerShell on Windows.  They come with the system or
with one of its packages, and speak with the voice that the user chose there.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from agents.platform.children import start_program

TRIAL = 0.5
"""Seconds after its start in which a program that reads line by line may still turn out not to work."""


class SpeechError(Exception):
    """A speech program that does not work; the message says why."""


class SpeechProgram(NamedTuple):
    """A program that reads its input aloud."""

    command: tuple[str, ...]
    cancel: str = ""  # the line that silences it, where it reads line by line; "": it reads one text and ends


_SAPI = (
    "$voice = New-Object -ComObject SAPI.SpVoice; [Console]::InputEncoding = [Text.Encoding]::UTF8; "
    "while ($null -ne ($line = [Console]::In.ReadLine())) "
    "{ if ($line -eq '!-!') { [void]$voice.Speak('', 3) } else { [void]$voice.Speak($line, 17) } }"
)
"""Flags of Speak: 1 returns at once, 2 silences what is being read, 16 takes the text as plain text."""

PROGRAMS: Mapping[str, tuple[SpeechProgram, ...]] = {
    "linux": (
        SpeechProgram(("spd-say", "--pipe-mode", "--application-name", "PettingZoo Arcade"), "!-!CANCEL self"),
        SpeechProgram(("espeak-ng", "--stdin")),
        SpeechProgram(("espeak", "--stdin")),
    ),
    "darwin": (SpeechProgram(("say", "-f", "-")),),
    "win32": (SpeechProgram(("powershell", "-NoProfile", "-NonInteractive", "-Command", _SAPI), "!-!"),),
}
"""Platform → its programs, the best one first."""


def find_programs(platform: str = sys.platform) -> list[SpeechProgram]:
    """Return the installed speech programs, the best one first."""
    found = [(shutil.which(one.command[0]), one) for one in PROGRAMS.get(platform, ())]
    return [SpeechProgram((path, *one.command[1:]), one.cancel) for path, one in found if path]


class Voice:
    """A speech program and its process.  Any thread calls `cut` and `kill`, one thread the other methods."""

    def __init__(self, program: SpeechProgram) -> None:
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, text: str, *, is_void: Callable[[], bool] = lambda: False) -> None:
        """Read one line, until its end, `cut`, or until the program has taken it; raises SpeechError.

        `is_void` becomes True before a call of `cut`.
        """
        if self._program.cancel:
            self._write(text)
            return
        process = self._process = self._start()
        if is_void():  # the cut may have come before there was a process
            process.kill()
        _, errors = process.communicate(text.encode())
        if process.returncode and not is_void():
            raise self._error(errors)

    def cut(self) -> None:
        """End a program that reads one text, without waiting for it."""
        if not self._program.cancel:
            self.kill()

    def kill(self) -> None:
        """End the program without waiting for it."""
        if self._process is not None:
            self._process.kill()

    def silence(self) -> None:
        """Silence a program that reads line by line."""
        if self._program.cancel and self._process is not None:
            with suppress(SpeechError):
                self._write(self._program.cancel)

    def close(self) -> None:
        """End the program; can be called twice."""
        self.silence()
        process, self._process = self._process, None
        if process is not None and process.poll() is None:
            assert process.stdin is not None
            process.stdin.close()
            with suppress(subprocess.TimeoutExpired):  # time to take the last line
                process.wait(TRIAL)
            process.kill()
            process.wait()

    def _write(self, line: str) -> None:
        is_new = self._process is None
        process = self._process = self._process or self._start()
        assert process.stdin is not None
        try:
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
        except OSError:
            process.wait()
        if is_new:
            with suppress(subprocess.TimeoutExpired):
                process.wait(TRIAL)
        if process.poll() is not None:
            assert process.stderr is not None
            raise self._error(process.stderr.read())

    def _start(self) -> subprocess.Popen[bytes]:
        quiet, pipe = subprocess.DEVNULL, subprocess.PIPE
        window = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # else Windows shows a console
        try:
            return start_program(
                self._program.command, stdin=pipe, stdout=quiet, stderr=pipe, creationflags=window
            )  # fmt: skip
        except OSError as error:
            raise SpeechError(f"{Path(self._program.command[0]).name}: {error.strerror}") from error

    def _error(self, output: bytes) -> SpeechError:
        reason = output.decode(errors="replace").strip().splitlines()[-1:] or ["it ended"]
        return SpeechError(f"{Path(self._program.command[0]).name}: {reason[0]}")
