"""The child of a hosted stage: ``python -m arcade.match.stage.child SOCKET MEMORY``, two inherited descriptors.

Requests and answers are pickled tuples on a private socket pair between a process and the child that it started
itself, as multiprocessing's own are; nothing that a user receives ever travels there.

=============================  ====================================================================
request                        answer
=============================  ====================================================================
("warm", modules)              none: they are imported ahead of need
("make", spec, render)         ("made", spaces, other spaces, slots, slot bytes)
("advance", method, settings,  ("tick", …, size, why) as `pack_tick` lays it out, the bytes of all that is saved, and
*arguments)                    why saving failed: the tick that the call of the stage's method leads to, once the
                               settings, such as `draws`, are set on the stage
("save", number, whole)        none: the moment is kept under that number; where the game cannot be copied, a copy of
                               the whole process waits there, which answers from a "load" on
("drop", numbers)              none: these are forgotten
("load", settings, number,     ("tick", …) of that moment, or of the last of the moves from there
moves, shown)
("play", moves)                ("played", pickled Ticks): every tick, without pictures, until the game ends
any, when it fails             ("failed", message, details)
=============================  ====================================================================
"""

from __future__ import annotations

import faulthandler
import importlib
import os
import pickle
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from agents.platform import forks, system
from agents.platform.children import end_with_parent
from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec
from arcade.match.stage.local import LocalStage
from arcade.match.stage.shared_memory import SharedArrays, seat_slots
from arcade.match.stage.stage import StageError
from arcade.match.stage.state import StageState
from arcade.match.stage.tick import Tick
from arcade.match.states.errors import StateError, UnknownKindError


def pack_tick(tick: Tick, pages: SharedArrays) -> tuple[Any, ...]:
    """A Tick as a tuple: what fits into the shared memory is put there and named only."""
    shared: list[tuple[Any, ...]] = []
    observations = _share("observation", tick.observations, shared, pages)
    masks = _share("mask", tick.action_masks, shared, pages)
    picture = None if tick.frame is None else (pages.write_frame(tick.frame), tick.frame.shape)
    infos = {agent: info for agent, info in tick.infos.items() if info}
    return (
        "tick", tick.index, tick.acting, shared, observations, masks,
        tick.rewards, tick.terminations, tick.truncations, infos, tick.ended, picture,
        tick.figures, tick.views, tick.text, tick.executed, tick.score, tick.other_observations,
    )  # fmt: skip


def _share(
    kind: str, values: Mapping[AgentID, Any], shared: list[tuple[Any, ...]], pages: SharedArrays
) -> dict[AgentID, Any]:
    """Write what fits a slot, noting its key in `shared`, with the agent before that has the same; the rest is sent."""
    sent: dict[AgentID, Any] = {}
    last: tuple[Any, AgentID] | None = None
    for agent, value in values.items():
        key = (kind, agent)
        if last is not None and value is last[0]:  # many games show all seats the same
            shared.append((*key, last[1]))
        elif value is not None and pages.write(key, value):
            shared.append(key)
            last = value, agent
        else:
            sent[agent] = value
    return sent


def unpack_tick(answer: tuple[Any, ...], pages: SharedArrays) -> Tick:
    """The Tick that `pack_tick` packed."""
    _, index, acting, shared, observations, masks, rewards, terminations, truncations, infos, ended, picture, *seen = (
        answer
    )
    for kind, agent, *twin in shared:
        values = observations if kind == "observation" else masks
        values[agent] = values[twin[0]] if twin else pages.read((kind, agent))
    frame = None if picture is None else pages.read_frame(*picture)
    return Tick(index, acting, observations, masks, rewards, terminations, truncations, infos, ended, frame, *seen)


FORKED_BYTES = 8 << 20
"""Rough bytes of a copy of the process, which shares most of its memory."""


class Forked:
    """A saved state that waits as a copy of this process."""


class StageChild:
    """Answers requests until the other side is gone; the first one but for "warm" is "make"."""

    _stage: LocalStage
    _pages: SharedArrays

    def __init__(self, connection: Connection, memory: int) -> None:
        self._connection, self._memory = connection, memory
        self._states: dict[int, StageState | StateError | Forked] = {}
        self._forks = forks.Forks()

    def run(self) -> None:
        with suppress(EOFError, ConnectionError):  # the arcade has ended
            while True:
                name, *arguments = pickle.loads(self._connection.recv_bytes())  # noqa: S301  (our own parent's)
                try:
                    answer = getattr(self, f"_{name}")(*arguments)
                except StageError as error:
                    answer = ("failed", error)
                if answer is not None:
                    self._connection.send_bytes(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))

    def _warm(self, modules: tuple[str, ...]) -> None:
        with suppress(Exception, SystemExit):  # making the game says what is wrong with it; another one may come first
            for module in modules:
                importlib.import_module(module)

    def _make(self, spec: GameSpec, render: bool) -> tuple[Any, ...]:
        self._stage = LocalStage(spec, render=render)
        slots, size = seat_slots(self._stage.spaces)
        self._pages = SharedArrays(self._memory, slots, size)
        return ("made", dict(self._stage.spaces), dict(self._stage.other_spaces), slots, size)

    def _advance(self, method: str, settings: Mapping[str, Any], *arguments: Any, **named: Any) -> tuple[Any, ...]:
        self._set(settings)
        getattr(self._stage, method)(*arguments, **named)
        return self._answer()

    def _set(self, settings: Mapping[str, Any]) -> None:
        for name, value in settings.items():
            setattr(self._stage, name, value)

    def _answer(self) -> tuple[Any, ...]:
        size = self._stage.states_size + FORKED_BYTES * len(self._forks.numbers)
        return (*pack_tick(self._stage.wait(), self._pages), size, self._stage.cannot_save)

    def _save(self, number: int, whole: bool, forked: bool) -> tuple[Any, ...] | None:
        if forked and forks.POSSIBLE:
            return self._fork(number)
        try:
            self._states[number] = self._stage.save(whole=whole)
        except UnknownKindError as error:
            self._states[number] = error
            return self._fork(number) if forks.POSSIBLE else None
        except StateError as error:
            self._states[number] = error  # `load` reports it
        return None

    def _fork(self, number: int) -> tuple[Any, ...] | None:
        """Leave a copy of this process here; in the copy, once it is loaded, the answer to that."""
        self._states[number] = Forked()
        self._stage.cannot_save = ""
        try:
            woken = self._forks.keep(number, self._connection.close)
        except OSError as error:
            self._states[number] = StateError(f"{self._stage.spec.id} cannot be saved: {error}")
            self._stage.cannot_save = str(error)
            return None
        if woken is None:
            return None
        self._connection = Connection(woken.descriptors[0])
        self._states = dict.fromkeys(self._forks.numbers, Forked())
        settings, moves, shown, self._pages.drawn = woken.message
        self._set(settings)
        self._stage.play_here(moves, shown=shown)
        return self._answer()

    def _drop(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            if isinstance(self._states.pop(number, None), Forked):
                self._forks.drop(number)

    def _load(self, settings: Mapping[str, Any], number: int, moves: Sequence[Any], shown: bool) -> tuple[Any, ...]:
        state = self._states[number]
        if isinstance(state, StateError):
            raise StageError(self._stage.spec.id, str(state))
        if isinstance(state, Forked):
            message = settings, moves, shown, self._pages.drawn
            try:
                self._forks.go_back(number, message, [self._connection.fileno()])
            except OSError as error:
                raise StageError(self._stage.spec.id, f"its copy at the saved moment is gone: {error}") from error
        return self._advance("load", settings, state, moves, shown=shown)

    def _play(self, moves: list[dict[Any, Any]]) -> tuple[Any, ...]:
        self._stage.draws, played = False, []
        for actions in moves:
            self._stage.step(actions)
            tick = self._stage.wait()
            played.append(pickle.dumps(tick, pickle.HIGHEST_PROTOCOL))  # now: games overwrite their observations
            if tick.over:
                break
        return "played", played


def main() -> None:
    end_with_parent()
    system.interrupt_nobody()
    connection, memory = system.received_connection(sys.argv[1]), system.received(sys.argv[2])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all at once: the parent ends us
    faulthandler.enable()  # an env's native crash leaves its traceback in our log
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    StageChild(connection, memory).run()
    os._exit(0)  # an env's close may hang, and nothing here needs it


if __name__ == "__main__":
    main()
