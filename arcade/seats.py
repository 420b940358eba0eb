"""Seat kind ``replay:FILE``: a seat that repeats its actions of a recording."""

from __future__ import annotations

from pathlib import Path

from agents.seats.controller import Controller, SeatChoice, SeatSpec
from agents.seats.kinds import NamedSeatKind, SeatContext, register


class Replay(NamedSeatKind):
    """The moves of the seat's own place in the recording."""

    name, form = "replay", "replay:FILE"
    is_one_player = False

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from arcade.match.playback.reader import read_replay  # numpy and zstandard take long to import
        from arcade.match.playback.replay import ReplayController

        return ReplayController(read_replay(Path(choice.argument)), seat.agent)


register(Replay())
