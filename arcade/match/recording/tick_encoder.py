"""Copies each tick on the game's thread and encodes it on the writer's thread."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np
from isal.isal_zlib import crc32

from agents.records import MAX_RECORD_BYTES, begin_record, pack_record
from agents.seats.controller import Action, AgentID
from agents.wire.encoding import begin_bytes, begin_list, pack
from arcade.match.recording.format import TIME_UNIT
from arcade.match.recording.observations import LARGE_BYTES, Buffers, Part, Shape, pack_part
from arcade.match.stage.digest import joined_digest, once_each, seen_digests
from arcade.match.stage.tick import Tick

_PLAIN = ("array", "number")

TICK_BYTES = 1024
"""About the memory of a tick without observations."""

MAX_SEEN_BYTES = MAX_RECORD_BYTES // 2
"""Most bytes of observations in one tick; larger records could not be read."""


class CopiedTick(NamedTuple):
    """A copy of a tick that shares no array with env and seats."""

    tick: int
    acting: tuple[AgentID, ...]
    seconds: float  # since the match's start
    actions: Mapping[AgentID, Action]  # as they were sent
    executed: Mapping[AgentID, Action]
    rewards: Mapping[AgentID, float]
    masks: Sequence[tuple[AgentID, Any]]
    ends: Sequence[tuple[AgentID, str]]
    seen: Sequence[tuple[AgentID, Part]]  # of every seat
    observed: Collection[AgentID]  # whose observations are to be kept
    digests: Sequence[tuple[AgentID, int]] | None  # of all observations; None: they follow from `seen`
    size: int  # bytes, about

    def without_observations(self) -> CopiedTick:
        """The same tick in a few bytes."""
        return self._replace(seen=(), observed=(), size=TICK_BYTES, digests=_digests_of(self))


def copy_tick(
    tick: Tick, actions: Mapping[AgentID, Action], seconds: float, observed: Collection[AgentID], buffers: Buffers
) -> CopiedTick:
    """Copy what may be overwritten later, and no more: the match waits for this."""
    seen = once_each(tick.observations.items(), lambda value: pack_part(value, buffers)) if observed else []
    is_plain = bool(seen) and all(part.shape[0] in _PLAIN for _, part in seen)
    return CopiedTick(
        tick.index,
        tick.acting,
        seconds,
        {agent: action if type(action) is int else deepcopy(action) for agent, action in actions.items()},
        tick.executed,
        dict(tick.rewards),
        [(agent, np.array(mask, np.int8)) for agent, mask in tick.action_masks.items() if mask is not None],
        list(tick.ends.items()) if tick.ended else (),
        seen,
        observed,
        None if is_plain else seen_digests(tick),
        TICK_BYTES + (sum(len(part.data) for part in _each(seen)) if seen else 0),
    )


def _each(seen: Sequence[tuple[AgentID, Part]]) -> Iterable[Part]:
    """Every Part once."""
    return {id(part): part for _, part in seen}.values()


def _digests_of(copy: CopiedTick) -> Sequence[tuple[AgentID, int]]:
    if copy.digests is not None:
        return copy.digests
    return once_each(copy.seen, lambda part: crc32(part.data))


class TickEncoder:
    """Encodes the ticks of one file, in order."""

    def __init__(self, buffers: Buffers) -> None:
        """Memory that `copy_tick` took from `buffers` returns there."""
        self._buffers = buffers
        self.too_large = False  # whether there were observations that no record holds
        self._layouts: dict[tuple[tuple[AgentID, Shape], ...], int] = {}
        self._written = 0  # layouts
        self._acting: tuple[AgentID, ...] | None = None  # as the record before has it
        self._time = 0

    def rewound(self, seconds: float) -> None:
        """The next tick does not follow the one before, but a moment that the match was back at `seconds`."""
        self._acting, self._time = None, round(seconds / TIME_UNIT)

    def encode(self, copy: CopiedTick) -> Iterator[bytes | bytearray]:
        """The record of a tick in parts, behind that of its layout where that is new.

        Raises WireError for what no record holds.  Large parts are used again once the next one is asked for.
        """
        yield from self._record(copy)
        for part in _each(copy.seen):
            self._buffers.give_back(part.data)

    def _record(self, copy: CopiedTick) -> list[bytes | bytearray]:
        parts = [(agent, part) for agent, part in copy.seen if agent in copy.observed]
        if copy.size > MAX_SEEN_BYTES:
            self.too_large, parts = self.too_large or bool(parts), []
        now = max(self._time, round(copy.seconds / TIME_UNIT))
        actions, executed = copy.actions, copy.executed
        fields = [
            "tick",
            copy.tick,
            now - self._time,
            joined_digest(copy.tick, copy.rewards, _digests_of(copy)),
            None if copy.acting == self._acting else copy.acting,
            list({**actions, **executed}.items() if executed else actions.items()),
            [(agent, reward) for agent, reward in copy.rewards.items() if reward],
            copy.masks,
            copy.ends,
            [(agent, actions[agent]) for agent in executed],
        ]
        self._acting, self._time = copy.acting, now
        return self._observed(fields, parts) if parts else [pack_record([*fields, None])]

    def _observed(self, fields: list[Any], parts: Sequence[tuple[AgentID, Part]]) -> list[bytes | bytearray]:
        """The record with observations; large ones are not copied once more."""
        layout = tuple([(agent, part.shape) for agent, part in parts])
        known = self._layouts.setdefault(layout, len(self._layouts))
        new: list[bytes | bytearray] = [pack_record(["layout", layout])] if len(self._layouts) > self._written else []
        self._written = len(self._layouts)
        seen, values = _shared(parts), [value for _, part in parts for value in part.values]
        if all(isinstance(one, int) or len(one) < LARGE_BYTES for one in seen):
            return [*new, pack_record([*fields, [known, seen, values]])]
        start = begin_list(len(fields) + 1) + pack(fields)[1:]  # of a list that short the first byte says how long
        body: list[bytes | bytearray] = [start, begin_list(3), pack(known), begin_list(len(seen))]
        for one in seen:
            body += [pack(one)] if isinstance(one, int) else [begin_bytes(len(one)), one]
        body.append(pack(values))
        return [*new, begin_record(body), *body]


def _shared(parts: Sequence[tuple[AgentID, Part]]) -> list[bytes | bytearray | int]:
    """The bytes of each, or the place of those before where they are one object."""
    shared: list[bytes | bytearray | int] = []
    last, at = None, 0
    for place, (_, part) in enumerate(parts):
        shared.append(at if part is last else part.data)
        if part is not last:
            last, at = part, place
    return shared
