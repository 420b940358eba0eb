"""Ticks taken down while the match goes on, and made records of where nobody waits for it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from agents.controller import Action, AgentID
from agents.records import MAX_RECORD_BYTES, pack_record
from arcade.match.digest import tick_digest
from arcade.match.replay_format import TIME_UNIT, Shape, copied, pack_seen
from arcade.match.tick import Tick

TICK_BYTES = 1024
"""Of a tick without observations in memory, about."""

MAX_SEEN_BYTES = MAX_RECORD_BYTES // 2
"""Of the observations of one tick; what is more would make no record that can be read."""


@dataclass(frozen=True, slots=True)
class TakenDown:
    """A tick as it was, whatever the env and the seats do with its arrays later."""

    tick: Tick
    actions: dict[AgentID, Action]  # as they were sent
    seconds: float  # since the match's start
    observed: Collection[AgentID]  # whose observations are to be kept
    size: int  # bytes, about
    digest: int | None = None  # of a tick whose observations are gone already

    @classmethod
    def of(cls, tick: Tick, actions: dict[AgentID, Action], seconds: float, observed: Collection[AgentID]) -> TakenDown:
        seen = {agent: copied(observation) for agent, observation in tick.observations.items()}
        masks = {agent: None if mask is None else np.array(mask, np.int8) for agent, mask in tick.action_masks.items()}
        copy = Tick(
            tick.index, tick.acting, seen, masks, dict(tick.rewards), tick.terminations, tick.truncations, {},
            tick.ended, executed=dict(tick.executed),
        )  # fmt: skip
        done = {agent: copied(action) for agent, action in actions.items()}
        return cls(copy, done, seconds, observed, TICK_BYTES + sum(map(_size, seen.values())))

    def without_observations(self) -> TakenDown:
        """The same, in a few bytes."""
        slim = replace(self.tick, observations={})
        return replace(self, tick=slim, observed=(), size=TICK_BYTES, digest=tick_digest(self.tick))


def _size(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    if isinstance(value, tuple | list):
        return sum(map(_size, value))
    return getattr(value, "nbytes", 64)


class TickEncoder:
    """Makes the records of one file's ticks, in order."""

    def __init__(self) -> None:
        self.too_large = False  # whether there were observations that no record holds
        self._layouts: dict[tuple[tuple[AgentID, Shape], ...], int] = {}
        self._acting: tuple[AgentID, ...] | None = None  # as the record before has it
        self._time = 0

    def rewound(self) -> None:
        """The next tick does not follow the one before."""
        self._acting = None

    def encode(self, taken: TakenDown) -> bytes:
        """The record of a tick, behind that of its layout where that is new; raises WireError for what none holds."""
        tick, now = taken.tick, round(taken.seconds / TIME_UNIT)
        layout, seen = self._seen(taken)
        record = [
            "tick",
            tick.index,
            max(0, now - self._time),
            tick_digest(tick) if taken.digest is None else taken.digest,
            None if tick.acting == self._acting else tick.acting,
            list({**taken.actions, **tick.executed}.items()),
            [(agent, reward) for agent, reward in tick.rewards.items() if reward],
            [(agent, mask) for agent, mask in tick.action_masks.items() if mask is not None],
            [(agent, "terminated" if tick.terminations.get(agent) else "truncated") for agent in tick.ended],
            [(agent, taken.actions[agent]) for agent in tick.executed],
            seen,
        ]
        self._acting, self._time = tick.acting, max(now, self._time)
        return layout + pack_record(record)

    def _seen(self, taken: TakenDown) -> tuple[bytes, list[Any] | None]:
        """The record of a layout that is new, and what stands in the tick's own."""
        observed = taken.observed
        seen = pack_seen((agent, value) for agent, value in taken.tick.observations.items() if agent in observed)
        if not seen.layout or len(seen.data) > MAX_SEEN_BYTES:
            self.too_large = self.too_large or bool(seen.layout)
            return b"", None
        number = self._layouts.get(seen.layout)
        if number is not None:
            return b"", [number, seen.data, seen.values]
        number = self._layouts[seen.layout] = len(self._layouts)
        return pack_record(["layout", seen.layout]), [number, seen.data, seen.values]
