"""The replay file format, version 2, and the options of a recording.

A replay is one append-only file.  It begins with the line ``PettingZoo Arcade replay 2``; then comes one Zstandard
frame (RFC 8878) that is flushed twice a second at least, and in it records in the layout of `agents.records`, each a
list:

    ["head", {...}]        game, kwargs, agents, seed, lineup, settings, versions, created
    ["source", {...}]      a RecordingSource: a seat's controller from a tick on; replaces an earlier one of that tick
    ["layout", [[agent, shape], ...]]   the places of observations in their bytes, for ticks that name its number
    ["tick", index, time, digest, acting, actions, rewards, masks, ends, sent, seen]
                           index 0 is the reset; time: since the previous tick, or since play was back at the
                           tick of a rewind, in tenths of a millisecond; digest: `tick_digest`; acting: None
                           where it is the same as at the previous tick; actions: the executed ones since then;
                           rewards: those that are not 0; masks: those of games with masks; ends: "terminated" or
                           "truncated"; sent: the actions that seats sent where rules executed others; seen: None,
                           or [layout, bytes of each observation or the place of an equal one, values];
                           all from actions to sent are lists of [agent, value]
    ["seat", {...}]        another controller in a seat: the SeatChange as JSON
    ["rewind", index]      play resumed from that tick: all records of later ticks are void
    ["end", {...}]         the MatchResult as JSON; missing where the arcade was killed

A file cut off anywhere reads up to its last whole record that was flushed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arcade.games.spec import GameSpec

VERSION = 2
SUFFIX = ".replay"
FAMILY = b"PettingZoo Arcade replay "
MAGIC = FAMILY + b"%d\n" % VERSION
TIME_UNIT = 1e-4
"""Seconds of one count of a tick's time."""

MAX_TICKS = 2**21
"""Ten hours at 60 a second: longest recording, for writers and readers."""

OBSERVATIONS = ("auto", "always", "never")
"""When a replay holds observations: "auto" where the game is not exactly repeatable."""

SEATS = ("all", "people")
"""The seats with observations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingOptions:
    """How a match is recorded."""

    observations: str = "auto"  # one of OBSERVATIONS
    seats: str = "all"  # one of SEATS; people: of a seat from the tick on at which a person takes it
    patient: bool = False  # True: the match waits for a slow disk; False: observations are left out

    def __post_init__(self) -> None:
        if self.observations not in OBSERVATIONS:
            raise ValueError(f"expected observations among {', '.join(OBSERVATIONS)}, got: {self.observations!r}")
        if self.seats not in SEATS:
            raise ValueError(f"expected seats among {', '.join(SEATS)}, got: {self.seats!r}")

    def observes(self, spec: GameSpec) -> bool:
        """Whether observations of that game are recorded."""
        return self.observations == "always" or (self.observations == "auto" and not spec.exact)


PATIENT = RecordingOptions(patient=True)
"""For unwatched matches: no observation is lost."""
