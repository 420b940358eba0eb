"""The replay file format, version 2.

A replay is one append-only file.  It begins with the line ``PettingZoo Arcade replay 2``; then comes one Zstandard
frame (RFC 8878) that is flushed twice a second at least, and in it records in the layout of `agents.records`, each a
list:

    ["head", {...}]        game, kwargs, agents, seed, lineup, settings, versions, created
    ["source", {...}]      who decides in a seat from a tick on, a Source; it replaces an earlier one of that tick
    ["layout", [[agent, shape], ...]]   how the observations of ticks that name it lie in their bytes; they count from 0
    ["tick", index, time, digest, acting, actions, rewards, masks, ends, sent, seen]
                           index 0 is the reset; time: since the tick recorded before, or since play was
                           back at the tick of a rewind, in tenths of a millisecond;
                           digest: `tick_digest`; acting: None where it is as at the tick before; actions: what was
                           really done since then; rewards: those that are not 0; masks: those that there are; ends:
                           "terminated" or "truncated"; sent: what seats had sent where rules had them do otherwise;
                           seen: None, or [layout, bytes of each observation or the place of an equal one,
                           values]; all from actions to sent are lists of [agent, value]
    ["seat", {...}]        another controller took a seat: the SeatChange as JSON
    ["rewind", index]      play resumed from that tick: what was recorded after it is void
    ["end", {...}]         the MatchResult as JSON; missing where the arcade was killed

A file cut off anywhere reads up to its last whole record that was flushed.
"""

from __future__ import annotations

VERSION = 2
SUFFIX = ".replay"
FAMILY = b"PettingZoo Arcade replay "
MAGIC = FAMILY + b"%d\n" % VERSION
TIME_UNIT = 1e-4
"""Seconds of one count of a tick's time."""

MAX_TICKS = 2**21
"""Ten hours at 60 a second: longest recording, for writers and readers."""
