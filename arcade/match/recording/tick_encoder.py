"""TickEncoder: the records of ticks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from agents.records import MAX_RECORD_BYTES, pack_record
from agents.seats.controller import Action, AgentID
from arcade.match.recording.format import TIME_UNIT
from arcade.match.recording.observations import Part, Shape, pack_part
from arcade.match.stage.digest import once_each, tick_digest
from arcade.match.stage.tick import Tick

MAX_SEEN_BYTES = MAX_RECORD_BYTES // 2
"""Most bytes of observations in one tick; larger records could not be read."""


class TickEncoder:
    """Encodes the ticks of one file, in order."""

    def __init__(self) -> None:
        self.too_large = False  # whether there were observations that no record holds
        self._layouts: dict[tuple[tuple[AgentID, Shape], ...], int] = {}
        self._acting: tuple[AgentID, ...] | None = None  # as the record before has it
        self._time = 0

    def rewound(self, seconds: float) -> None:
        """The next tick does not follow the one before, but a moment that the match was back at `seconds`."""
        self._acting, self._time = None, round(seconds / TIME_UNIT)

    def encode(
        self, tick: Tick, actions: Mapping[AgentID, Action], seconds: float, observed: Collection[AgentID]
    ) -> bytes:  # fmt: skip
        """The record of a tick, behind that of its layout where that is new; it shares no array with env and seats.

        `actions` are those sent, `seconds` since the match's start, `observed` the seats whose observations are kept.
        Raises WireError for what no record holds.
        """
        parts = once_each(((agent, seen) for agent, seen in tick.observations.items() if agent in observed), pack_part)
        if parts and sum({id(part): len(part.data) for _, part in parts}.values()) > MAX_SEEN_BYTES:
            self.too_large, parts = True, []
        layout, seen = self._layout(parts) if parts else (b"", None)
        now, executed = max(self._time, round(seconds / TIME_UNIT)), tick.executed
        record = [
            "tick",
            tick.index,
            now - self._time,
            tick_digest(tick),
            None if tick.acting == self._acting else tick.acting,
            list({**actions, **executed}.items()),
            [(agent, reward) for agent, reward in tick.rewards.items() if reward],
            [(agent, np.asarray(mask, np.int8)) for agent, mask in tick.action_masks.items() if mask is not None],
            list(tick.ends.items()),
            [(agent, actions[agent]) for agent in executed],
            seen,
        ]
        self._acting, self._time = tick.acting, now
        return layout + pack_record(record)

    def _layout(self, parts: Sequence[tuple[AgentID, Part]]) -> tuple[bytes, list[object]]:
        """The record of a new layout, and the field of a tick with observations."""
        layout = tuple([(agent, part.shape) for agent, part in parts])
        is_new = layout not in self._layouts
        number = self._layouts.setdefault(layout, len(self._layouts))
        values = [value for _, part in parts for value in part.values]
        return pack_record(["layout", layout]) if is_new else b"", [number, _shared(parts), values]


def _shared(parts: Sequence[tuple[AgentID, Part]]) -> list[bytes | int]:
    """The bytes of each, or the place of those before where they are one object."""
    shared: list[bytes | int] = []
    last, at = None, 0
    for place, (_, part) in enumerate(parts):
        shared.append(at if part is last else part.data)
        if part is not last:
            last, at = part, place
    return shared
