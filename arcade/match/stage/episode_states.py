"""EpisodeStates: what a stage in this process keeps, to go back to the moments of its episode."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from sys import getrefcount
from typing import Any

import numpy as np

from agents.seats.controller import Action, AgentID
from arcade.match.stage.state import StageState
from arcade.match.stage.tick import Tick
from arcade.match.states.errors import UnsettledError
from arcade.match.states.memento import Memento

Moves = tuple[Mapping[AgentID, Action], ...]


@dataclass(eq=False, frozen=True)
class LocalState:
    """A moment as moves after an earlier one; without moves where it could be saved itself."""

    start: Memento | None  # None: the reset
    start_index: int
    moves: Moves
    tick: Tick | None  # a copy; None where moves are played after it in any case

    @property
    def size(self) -> int:
        """Rough bytes."""
        return (self.start.size if self.start and not self.moves else 64) + (_size(self.tick) if self.tick else 0)


@dataclass
class EpisodeStates:
    """The states of one episode of a local stage.

    A game that `stalls` cannot be saved at some moments; the moves since the newest that could be saved are kept then.
    """

    stalls: bool
    episode: object = field(default_factory=object)
    size: int = 0  # rough bytes of all states that are held
    _newest: LocalState = LocalState(None, 0, (), None)
    _moves: list[Mapping[AgentID, Action]] = field(default_factory=list)  # since then

    def note(self, actions: Mapping[AgentID, Action]) -> None:
        """The stage is about to play these."""
        if self.stalls:
            self._moves.append(actions)

    def save(self, index: int, tick: Tick | None, *parts: Any) -> StageState:
        """The present state of all `parts` of the stage; raises StateError where they cannot be saved."""
        try:
            local = LocalState(Memento(*parts), index, (), tick)
        except UnsettledError:
            if not self.stalls:
                raise
            local = LocalState(self._newest.start, self._newest.start_index, tuple(self._moves), tick)
        else:
            self.back_at(replace(local, tick=None))
        self.size += local.size
        weakref.finalize(local, self._forget, local.size)
        return StageState(index, self.episode, local)

    def back_at(self, local: LocalState) -> None:
        """The stage is at the start of that state, and is about to play its moves."""
        self._newest, self._moves = replace(local, moves=(), tick=None), []

    def _forget(self, size: int) -> None:
        self.size -= size


def copied(tick: Tick) -> Tick:
    """A copy that no game overwrites; its arrays are read-only."""
    known: dict[int, Any] = {}
    return replace(
        tick,
        observations=_copied(tick.observations, known),
        action_masks=_copied(tick.action_masks, known),
        frame=tick.frame if _has_own_frame(tick) else _copied(tick.frame, known),
        infos={agent: dict(info) for agent, info in tick.infos.items()},
        other_observations=_copied(tick.other_observations, known),
    )


def _has_own_frame(tick: Tick) -> bool:
    """Whether the picture belongs to the tick alone: most games draw into a new array each time, and keep none.

    A copy costs more than all else that is saved of such a game.
    """
    frame = tick.frame
    if frame is None or frame.base is None:
        return frame is not None and frame.flags.owndata and getrefcount(frame) == OWN
    owner = frame.base
    return type(owner) is np.ndarray and owner.flags.owndata and getrefcount(owner) == OWN


OWN = 3
"""References to what one object alone has: as `getrefcount` counts them, with a local variable and its own argument."""


def _copied(value: Any, known: dict[int, Any]) -> Any:
    """One object stays one: many games show all seats the same."""
    if id(value) not in known:
        known[id(value)] = _copy(value, known)
    return known[id(value)]


def _copy(value: Any, known: dict[int, Any]) -> Any:
    match value:
        case np.ndarray():
            array = value.copy(order="K")  # as it lies in memory: many pictures are turned
            array.flags.writeable = False
            return array
        case Mapping():
            return {key: _copied(part, known) for key, part in value.items()}
        case tuple():
            return tuple(_copied(part, known) for part in value)
        case list():
            return [_copied(part, known) for part in value]
    return value


def _size(value: Any) -> int:
    if isinstance(value, Tick):
        seen = {id(one): one for one in value.observations.values()}
        return 2048 + sum(map(_size, seen.values())) + _size(value.frame)
    if isinstance(value, Mapping):
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if isinstance(value, tuple | list) else int(getattr(value, "nbytes", 8))
