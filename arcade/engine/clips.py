"""ClipRecorder: the last half minute of the window, kept by a process of its own."""

from __future__ import annotations

import logging
import mmap
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pygame

from agents.platform import system
from agents.platform.children import start_child
from arcade.engine.capture import CLIP_FPS
from arcade.language import _, clock_text

if TYPE_CHECKING:  # it imports Pillow
    from arcade.engine.clip_process import Heard, Outcome

MEMORY = 256 * 2**20
"""Bytes for the JPEGs at most: a clip of noise is shorter; memory is taken as it is needed."""

NICE = 5
"""The process gives way to the game: a clip may miss a picture, and the window may not."""

AGAIN = 10.0
"""Seconds until another process is started after one has ended."""

_BGRX = (0xFF0000, 0xFF00, 0xFF, 0)
_log = logging.getLogger(__name__)


class ClipRecorder:
    """Hands pictures of the window to a process, which compresses and keeps the newest.

    In a thread, its work would stop the window whenever it waits for a core while it has Python's lock.  `take` copies
    the canvas (a tenth of a millisecond) at most `CLIP_FPS` times a second, and drops a picture rather than wait.
    """

    def __init__(self, memory: int = MEMORY) -> None:
        self.seconds = 0.0  # length of the clip
        self._limit = memory
        self._process: Future[_Process] | None = None
        self._starter = ThreadPoolExecutor(1, "clips")  # starts the process, and asks it for videos
        self._waiter = ThreadPoolExecutor(1, "videos")  # waits for them
        self._due = float("-inf")

    def take(self, canvas: pygame.Surface, now: float) -> None:
        """Record the canvas at `now` (seconds, of a monotonic clock)."""
        if now < self._due:
            return
        try:
            if self._is_ready():
                self._due = max(self._due + 1 / CLIP_FPS, now)
                self._running().show(canvas, now)
        except (EOFError, OSError) as error:
            _log.warning("the clip of the last half minute begins anew, since its process ended: %s", error)
            self._due = now + AGAIN
            self._waiter.submit(self._end())  # after what it reads from there

    def _is_ready(self) -> bool:
        """Whether the process has kept the last picture; starts one if there is none."""
        if self._process is None:
            self._process = self._starter.submit(_Process, self._limit)
        if not self._process.done():
            return False
        process = self._running()
        if process.is_busy and (seconds := process.answer()) is not None:
            self.seconds = seconds
        return not process.is_busy

    def _running(self) -> _Process:
        """The process; raises OSError where it could not be started."""
        assert self._process is not None
        return self._process.result()

    def save(self, path: Path, done: Callable[[str], None], *, heard: Sequence[Heard] = ()) -> None:
        """Write the clip as an MP4 at `path`; a thread calls `done` with the result as a message.

        `heard` has the sounds, at times of the clock of `take`.
        """
        started, sounds = self._process, list(heard)
        asked = self._starter.submit(lambda: None if started is None else started.result().ask(path, sounds))
        self._waiter.submit(lambda: done(_words(_outcome(started, asked), path)))

    def close(self) -> None:
        """Finish open videos and drop the pictures; can be called twice."""
        self._starter.shutdown()
        self._waiter.shutdown()
        self._end()()

    def _end(self) -> Callable[[], None]:
        """Forget the process; returns what ends it."""
        process, self._process = self._process, None
        self.seconds = 0.0
        has_started = process is not None and process.exception() is None
        return process.result().close if process is not None and has_started else lambda: None


class _Process:
    """The process, our ends of its connections, and the memory that it shares with us."""

    def __init__(self, limit: int) -> None:
        from multiprocessing import Pipe  # on demand: the first frame does not need it

        self._pictures, pictures = Pipe()
        self._videos, videos = Pipe()
        self._descriptor = system.anonymous_file()
        ends = [system.pass_on_connection(end) for end in (pictures, videos)]
        memory, inherits = system.pass_on([self._descriptor])
        words = [*(word for word, _arguments in ends), *memory, str(limit)]
        arguments = system.child_arguments(*(one for _word, one in ends), inherits)
        try:
            self._program = start_child(
                [sys.executable, "-m", "arcade.engine.clip_process", *words],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, nice=NICE, **arguments,
            )  # fmt: skip
        except OSError:
            self._free()
            raise
        finally:
            pictures.close()
            videos.close()
        self._has_answered = system.waiter(self._pictures)
        self._memory: mmap.mmap | None = None
        self.is_busy = False

    def show(self, canvas: pygame.Surface, now: float) -> None:
        """Have it keep a copy of the canvas."""
        if canvas.get_masks() != _BGRX:
            plain = pygame.Surface(canvas.get_size(), depth=32)
            plain.blit(canvas, (0, 0))
            canvas = plain
        width, height, pitch = *canvas.get_size(), canvas.get_pitch()
        size = pitch * height
        if self._memory is None or len(self._memory) < size:
            os.ftruncate(self._descriptor, size)
            self._memory = mmap.mmap(self._descriptor, size)
        memoryview(self._memory)[:size] = memoryview(canvas.get_buffer()).cast("B")  # type: ignore[arg-type]
        self._pictures.send((width, height, pitch, now))
        self.is_busy = True

    def answer(self) -> float | None:
        """The seconds that it keeps once it has the last picture, else None."""
        if not self._has_answered(0.0):
            return None
        seconds: float = self._pictures.recv()
        self.is_busy = False
        return seconds

    def ask(self, path: Path, sounds: Sequence[Heard]) -> None:
        """Have it write a video of what it has."""
        self._videos.send((path, sounds))

    def outcome(self) -> Outcome:
        """Wait for the next video; raises EOFError where the process has ended."""
        found: Outcome = self._videos.recv()
        return found

    def close(self) -> None:
        """End it."""
        self._free()
        self._program.kill()
        self._program.wait()

    def _free(self) -> None:
        self._pictures.close()
        self._videos.close()
        os.close(self._descriptor)


def _outcome(started: Future[_Process] | None, asked: Future[None]) -> Outcome:
    if started is None:
        return ("nothing",)
    try:
        asked.result()
        return started.result().outcome()
    except (EOFError, OSError) as error:
        return "failed", str(error) or _("the process that keeps it has ended")


def _words(outcome: Outcome, path: Path) -> str:
    match outcome:
        case "saved", float() as seconds:
            return _("Clip of {length} saved: {path}").format(length=clock_text(seconds), path=path)
        case "failed", str() as error:
            _log.warning("the clip could not be written: %s", error)
            return _("The clip could not be written: {error}").format(error=error)
    return _("There is no clip yet: nothing has been played")
