"""Ticks taken down while the match goes on, and made records of where nobody waits for it."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from agents.controller import Action, AgentID
from agents.records import MAX_RECORD_BYTES, pack_record
from arcade.match.digest import joined_digest, tick_digest
from arcade.match.replay_format import TIME_UNIT, Part, Shape, copied, pack_part
from arcade.match.tick import Tick

_PLAIN = ("array", "number")

TICK_BYTES = 1024
"""Of a tick without observations in memory, about."""

LARGE_BYTES = 2**14
"""Of a tick in which it pays to look for what is there twice."""

MAX_SEEN_BYTES = MAX_RECORD_BYTES // 2
"""Of the observations of one tick; what is more would make no record that can be read."""


class TakenDown(NamedTuple):
    """A tick as it was, whatever the env and the seats do with its arrays later."""

    tick: int
    acting: tuple[AgentID, ...]
    seconds: float  # since the match's start
    actions: Mapping[AgentID, Action]  # as they were sent
    executed: Mapping[AgentID, Action]
    rewards: Mapping[AgentID, float]
    masks: Sequence[tuple[AgentID, Any]]
    ends: Sequence[tuple[AgentID, str]]
    seen: Sequence[tuple[AgentID, Part]]  # of everybody
    observed: Collection[AgentID]  # whose observations are to be kept
    digest: int | None  # None: it follows from the rest
    size: int  # bytes, about

    def without_observations(self) -> TakenDown:
        """The same, in a few bytes."""
        return self._replace(seen=(), observed=(), size=TICK_BYTES, digest=digest_of(self))


def take_down(
    tick: Tick, actions: Mapping[AgentID, Action], seconds: float, observed: Collection[AgentID]
) -> TakenDown:
    """Copy what somebody may write over later, and no more: the match waits for this."""
    seen, size = [], TICK_BYTES
    value, part = None, Part((), b"", ())
    for agent, observation in tick.observations.items():
        if observation is not value:  # many games show all seats the same
            value, part = observation, pack_part(observation)
            size += len(part.data)
        seen.append((agent, part))
    is_plain = all(part.shape[0] in _PLAIN for _, part in seen)
    return TakenDown(
        tick.index,
        tick.acting,
        seconds,
        {agent: action if type(action) is int else copied(action) for agent, action in actions.items()},
        tick.executed,
        dict(tick.rewards),
        [(agent, mask.copy()) for agent, mask in tick.action_masks.items() if mask is not None],
        [(agent, "terminated" if tick.terminations.get(agent) else "truncated") for agent in tick.ended],
        seen,
        observed,
        None if is_plain else tick_digest(tick),
        size,
    )


def digest_of(taken: TakenDown) -> int:
    """Its `tick_digest`."""
    if taken.digest is not None:
        return taken.digest
    digests: list[tuple[AgentID, int]] = []
    last, digest = b"", 0
    for agent, part in taken.seen:
        if part.data is not last:
            last, digest = part.data, zlib.crc32(part.data)
        digests.append((agent, digest))
    return joined_digest(taken.tick, taken.rewards, digests)


class TickEncoder:
    """Makes the records of one file's ticks, in order."""

    def __init__(self) -> None:
        self.too_large = False  # whether there were observations that no record holds
        self._layouts: dict[tuple[tuple[AgentID, Shape], ...], int] = {}
        self._written = 0  # layouts
        self._acting: tuple[AgentID, ...] | None = None  # as the record before has it
        self._time = 0

    def rewound(self) -> None:
        """The next tick does not follow the one before."""
        self._acting = None

    def encode(self, taken: TakenDown) -> bytes:
        """The record of a tick, behind that of its layout where that is new; raises WireError for what none holds."""
        if taken.size > LARGE_BYTES:
            taken = taken._replace(seen=_alike(taken.seen))
        layout, seen = self._seen(taken) if taken.observed else (b"", None)
        now = max(self._time, round(taken.seconds / TIME_UNIT))
        actions, executed = taken.actions, taken.executed
        record = pack_record(
            [
                "tick",
                taken.tick,
                now - self._time,
                digest_of(taken),
                None if taken.acting == self._acting else taken.acting,
                list({**actions, **executed}.items() if executed else actions.items()),
                [(agent, reward) for agent, reward in taken.rewards.items() if reward],
                taken.masks,
                taken.ends,
                [(agent, actions[agent]) for agent in executed],
                seen,
            ]
        )
        self._acting, self._time = taken.acting, now
        return layout + record

    def _seen(self, taken: TakenDown) -> tuple[bytes, list[Any] | None]:
        """The record of a layout that is new, and what stands in the tick's own."""
        parts = [(agent, part) for agent, part in taken.seen if agent in taken.observed]
        if not parts or taken.size > MAX_SEEN_BYTES:
            self.too_large = self.too_large or bool(parts)
            return b"", None
        layout = tuple([(agent, part.shape) for agent, part in parts])
        known = self._layouts.setdefault(layout, len(self._layouts))
        seen = [known, _shared([part.data for _, part in parts]), [value for _, part in parts for value in part.values]]
        if len(self._layouts) == self._written:
            return b"", seen
        self._written += 1
        return pack_record(["layout", layout]), seen


def _shared(parts: list[bytes]) -> list[bytes | int]:
    """Each part, or the place of the one before where they are the same object."""
    shared: list[bytes | int] = []
    last, at = None, 0
    for place, part in enumerate(parts):
        shared.append(at if part is last else part)
        if part is not last:
            last, at = part, place
    return shared


def _alike(seen: Sequence[tuple[AgentID, Part]]) -> list[tuple[AgentID, Part]]:
    """The same, where equal neighbours are one object: a stage in a child hands each seat a copy of its own."""
    alike: list[tuple[AgentID, Part]] = []
    last: Part | None = None
    for agent, part in seen:
        if last is None or part.data != last.data or part.shape != last.shape:
            last = part
        alike.append((agent, last))
    return alike
