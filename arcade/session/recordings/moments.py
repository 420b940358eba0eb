"""Moments of recordings as text: a recording, and a tick or a time of play; and who is to play from there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from agents.seats.controller import AgentID, SeatChoice
from agents.seats.kinds import parse_lineup
from arcade.games.spec import GameSpec
from arcade.match.playback.branch import Branch
from arcade.match.playback.reader import read_replay
from arcade.match.playback.replay import ReplayError

_TIME = re.compile(r"(\d+):([0-5]\d)")


@dataclass(frozen=True, slots=True)
class MomentWord:
    """A recording, by id, name or file, and a tick of it or a time of play."""

    recording: str
    at: str  # "420", or minutes and seconds as in "0:07"

    def tick(self, spec: GameSpec) -> int:
        """The tick, from the game's own rate."""
        found = _TIME.fullmatch(self.at)
        return round((int(found[1]) * 60 + int(found[2])) * spec.fps) if found else int(self.at)


def parse_moment(word: str) -> MomentWord:
    """Read a moment; raises ReplayError for another text.

    >>> parse_moment("lost serve@420"), parse_moment("latest@0:07")
    (MomentWord(recording='lost serve', at='420'), MomentWord(recording='latest', at='0:07'))
    """
    recording, _sign, at = word.rpartition("@")
    if not recording or not (at.isdecimal() or _TIME.fullmatch(at)):
        raise ReplayError(f"expected a moment as RECORDING@TICK or RECORDING@M:SS, got: {word!r}")
    return MomentWord(recording, at)


def branch_at(file: Path, moment: MomentWord) -> Branch:
    """Read the recording; raises ReplayError where it is none, or does not reach the moment."""
    replay = read_replay(file)
    tick = moment.tick(replay.spec())
    if tick >= len(replay.actions):
        last = len(replay.actions) - 1
        raise ReplayError(f"expected a tick from 0 to {last} of {moment.recording}, got: {tick}")
    return Branch(replay=replay, tick=tick, recording=file.stem)


def given_seats(words: Iterable[str], spec: GameSpec) -> dict[AgentID, SeatChoice]:
    """Read ``AGENT=CONTROLLER`` words, only of the seats that they name; raises SeatError."""
    not_given = SeatChoice("idle")
    lineup = parse_lineup(words, spec.agents, default=not_given)
    return {agent: choice for agent, choice in lineup.items() if choice is not not_given}
