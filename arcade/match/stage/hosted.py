"""HostedStage: a stage in a child process, so that no env can crash or block the window.

`StageHost` keeps a warm child ready, so that pressing start waits for no imports.
"""

from __future__ import annotations

import _thread
import itertools
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing import Pipe
from typing import Any

from agents.platform import system
from agents.platform.children import start_child
from agents.seats.controller import Action, AgentID
from arcade.games.spec import GameSpec
from arcade.match.stage.child import unpack_tick
from arcade.match.stage.local import TRACEBACK_LINES
from arcade.match.stage.rules import PLAIN, StageRules
from arcade.match.stage.shared_memory import SharedArrays
from arcade.match.stage.stage import Stage, StageError
from arcade.match.stage.state import StageState
from arcade.match.stage.tick import Tick
from arcade.match.states.errors import StateError

STEP_LIMIT = 15.0
"""Seconds after which a reset or a step counts as hung: generous, since a laptop under load stalls too."""

MAKE_LIMIT = 120.0
"""Seconds that making the env may take, imports included."""

END_SECONDS = 2.0
"""Seconds that a child may take to end after its socket closed, before it is ended."""


class _Child:
    """The process, our end of its socket, its memory and the file that catches what it prints to stderr.

    A `spare` one gives way to others, as it imports and makes its env, until it is told to `come_forward`.
    """

    def __init__(self, *, spare: bool = False) -> None:
        self.gives_way = spare
        self.connection, theirs = Pipe()
        self.memory = system.anonymous_file()
        self.log = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the child)
        socket, socket_arguments = system.pass_on_connection(theirs)
        memory, memory_arguments = system.pass_on([self.memory])
        self.process = start_child(
            [sys.executable, "-m", "arcade.match.stage.child", socket, *memory],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log,
            **system.child_arguments(socket_arguments, memory_arguments), **(system.set_apart if spare else {}),
        )  # fmt: skip
        if spare:
            system.put_aside(self.process.pid, is_aside=True)
        theirs.close()
        self._wait = system.waiter(self.connection)

    def send(self, request: tuple[Any, ...]) -> None:
        self.connection.send_bytes(pickle.dumps(request, pickle.HIGHEST_PROTOCOL))

    def receive(self, timeout: float) -> tuple[Any, ...] | None:
        """The next answer, None where none came within `timeout` seconds; EOFError when the child is gone."""
        if not self._wait(timeout):
            return None
        answer: tuple[Any, ...] = pickle.loads(self.connection.recv_bytes())  # noqa: S301  (our own child's)
        return answer

    def come_forward(self) -> None:
        """Give way no more; in a thread of its own, since the system may have to be asked for a second."""
        if self.gives_way:
            self.gives_way = False
            # Thread.start would wait for the thread to run
            _thread.start_new_thread(partial(system.put_aside, self.process.pid, is_aside=False), ())

    def last_lines(self) -> str:
        """The last lines that the child printed to stderr: its traceback after a crash."""
        size = self.log.seek(0, os.SEEK_END)
        self.log.seek(max(0, size - 4096))
        return "\n".join(self.log.read().decode(errors="replace").rstrip().splitlines()[-TRACEBACK_LINES:])

    def close(self) -> None:
        """End the process and free what it was given; arrays that map its memory stay valid."""
        self.process.kill()
        self.process.wait()
        self.connection.close()
        self.log.close()
        os.close(self.memory)


class HostedStage(Stage):
    """One env in a child.  Made at once; `ready` once the child has made the env (poll it).

    A frame is a view of shared memory that stays unchanged until the second frame after it is asked for;
    observations are copies.  `child` is a warm one from a StageHost, None starts one.
    """

    def __init__(
        self, spec: GameSpec, *, render: bool = True, child: _Child | None = None, step_limit: float = STEP_LIMIT,
        clock: Callable[[], float] = time.monotonic, rules: StageRules = PLAIN,
    ) -> None:  # fmt: skip
        self.spec, self.rules, self.start, self.forks = spec, rules, spec.start, spec.forks
        self._child: _Child | None = child or _Child()
        self._pages: SharedArrays | None = None
        self._spaces: Mapping[AgentID, tuple[Any, Any]] = {}
        self._other_spaces: Mapping[str, Any] = {}
        self._step_limit, self._clock = step_limit, clock
        self._asked_at: float | None = None
        self._gone_at: float | None = None  # when the child closed its socket: it ends, or has ended
        self._limit = MAKE_LIMIT
        self._failure: StageError | None = None
        self._index: int | None = None  # of the newest tick
        self._episode = object()
        self._numbers = itertools.count()  # of states
        self._dropped: deque[int] = deque()  # states without a handle, for any thread to add to
        self._states_size = 0
        self._ask("make", spec, render)

    @property
    def ready(self) -> bool:
        return self._pages is not None

    @property
    def busy(self) -> bool:
        """Whether the answer to the newest request is still to come, the env's own making included."""
        return self._asked_at is not None

    @property
    def pid(self) -> int | None:
        """The child's process id, None when it is gone."""
        return self._child.process.pid if self._child else None

    @property
    def spaces(self) -> Mapping[AgentID, tuple[Any, Any]]:
        if not self.ready:
            raise StageError(self.spec.id, "expected the env to be made, got a question before; poll until ready")
        return self._spaces

    @property
    def other_spaces(self) -> Mapping[str, Any]:
        return self._other_spaces

    def wait_ready(self) -> None:
        """Block until the env is made; for headless use."""
        while not self.ready:
            self.poll(0.05)

    @property
    def _settings(self) -> dict[str, Any]:
        return {"locates": self.locates, "obs_types": self.obs_types}

    def reset(self, seed: int) -> None:
        self._episode = object()
        settings = {"rules": self.rules, "start": self.start, **self._settings}
        self._ask("advance", "reset", settings, seed, limit=self._step_limit)

    def step(self, actions: Mapping[AgentID, Action]) -> None:
        self._ask("advance", "step", {"draws": self.draws, **self._settings}, actions, limit=self._step_limit)

    def replay(self, moves: Sequence[Mapping[AgentID, Action]], anew: bool = False) -> None:
        if anew:
            self._episode = object()
        self._ask("advance", "replay", {"obs_types": self.obs_types}, list(moves), anew)

    def save(self, *, whole: bool = True) -> StageState:
        if self._index is None or self.busy:
            raise StateError(f"expected {self.spec.id} to be between two ticks to save it, got one before its tick")
        state = StageState(self._index, self._episode, next(self._numbers))
        weakref.finalize(state, self._dropped.append, state.held)
        self._send("save", state.held, whole, self.forks)
        return state

    def load(self, state: StageState, moves: Sequence[Mapping[AgentID, Action]] = (), *, shown: bool = True) -> None:
        state.check(self._episode)
        self._ask("load", {"obs_types": self.obs_types}, state.held, list(moves), shown)

    @property
    def saves(self) -> bool:
        return super().saves or (self.forks and not self.cannot_save)

    @property
    def states_size(self) -> int:
        return self._states_size

    def play(self, moves: Sequence[Mapping[AgentID, Action]]) -> list[Tick]:
        """Step through `moves` and return every tick, undrawn, up to the game's end; blocks, unlike all else here."""
        self._ask("play", list(moves))
        while (answer := self._answer(0.5)) is None:
            pass  # raises where the child is gone, or has hung
        if answer[0] != "played":
            self._receive(answer)
        self._asked_at = None
        ticks: list[Tick] = [pickle.loads(tick) for tick in answer[1]]  # noqa: S301  (our own child's)
        self._index = ticks[-1].index if ticks else self._index
        return ticks

    def poll(self, timeout: float = 0.0) -> Tick | None:
        answer = self._answer(timeout)
        return None if answer is None else self._receive(answer)

    def _answer(self, timeout: float) -> tuple[Any, ...] | None:
        """The child's answer to the newest request; None while there is none."""
        if self._failure is not None:
            raise self._failure
        if self._child is None or self._asked_at is None:
            return None
        answer = None
        if self._gone_at is None:
            try:
                answer = self._child.receive(timeout)
            except (EOFError, OSError):  # OSError: gone in the middle of an answer
                self._gone_at = self._clock()
        if self._gone_at is not None:
            self._take_leave(self._child.process, timeout)
        elif answer is None and self._clock() - self._asked_at > self._limit:
            raise self._fail(f"the game gave no answer in {self._limit:g} s and was ended")
        return answer

    def close(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.close()
        if self._pages is not None:
            self._pages.close()

    def _ask(self, *request: Any, limit: float = MAKE_LIMIT) -> None:
        """Send a request that has an answer."""
        self._send(*request)
        self._asked_at, self._limit = self._clock(), limit

    def _send(self, *request: Any) -> None:
        if self._failure is not None:
            raise self._failure
        if self._child is None:
            raise StageError(self.spec.id, f"expected an open stage, got {request[0]!r} after close")
        try:
            if self._dropped:
                self._child.send(("drop", [self._dropped.popleft() for _ in range(len(self._dropped))]))
            self._child.send(request)
        except OSError:
            self._gone_at = self._clock()  # `poll` says why

    def _receive(self, answer: tuple[Any, ...]) -> Tick | None:
        self._asked_at = None
        if answer[0] == "failed":
            raise self._end_with(answer[1])
        if answer[0] == "made":
            assert self._child is not None
            _, self._spaces, self._other_spaces, slots, size = answer
            self._child.come_forward()
            self._pages = SharedArrays(self._child.memory, slots, size)
            return None
        assert self._pages is not None
        *packed, self._states_size, self.cannot_save = answer
        tick = unpack_tick(tuple(packed), self._pages)
        self._index = tick.index
        return tick

    def _take_leave(self, process: subprocess.Popen[Any], timeout: float) -> None:
        """Raise StageError once the child, which is gone, can be asked how it ended: the kernel may need a moment."""
        assert self._gone_at is not None
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout)
        code = process.returncode
        if code is not None:
            how = f"killed by signal {-code}" if code < 0 else f"exit status {code}"
            raise self._fail(f"the game's process ended ({how})")
        if self._clock() - self._gone_at > END_SECONDS:  # the env closed our socket but did not end
            raise self._fail("the game's process ended (it hung up)")

    def _fail(self, message: str) -> StageError:
        assert self._child is not None
        return self._end_with(StageError(self.spec.id, message, details=self._child.last_lines()))

    def _end_with(self, error: StageError) -> StageError:
        """Free the child and remember the error, which every later call raises."""
        self._failure = error
        self.close()
        return error


class StageHost:
    """Makes hosted stages out of one spare child that is kept warm.

    Any thread may call it: starting a process takes longer than a window that draws should wait.
    """

    def __init__(self) -> None:
        self._spare: _Child | None = None
        self._lock = threading.Lock()

    def warm(self, spec: GameSpec | None = None) -> None:
        """Have a spare child running, with the modules of `spec` imported; waits for no import."""
        with self._lock:
            if self._spare is None or self._spare.process.poll() is not None:
                self._drop()
                self._spare = _Child(spare=True)
            if spec is not None:
                modules = (spec.entry.partition(":")[0], *spec.requires)
                self._spare.send(("warm", modules))

    def stage(self, spec: GameSpec, *, render: bool = True) -> HostedStage:
        """A stage on the spare child, or on a new one; a new spare takes its place at the next `warm`."""
        with self._lock:
            child, self._spare = self._spare, None
        if child is not None and child.process.poll() is not None:
            child.close()
            child = None
        return HostedStage(spec, render=render, child=child)

    def close(self) -> None:
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        child, self._spare = self._spare, None
        if child is not None:
            child.close()
