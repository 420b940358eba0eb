"""The matches of a person, played again by a clone: same seeds, same opponents, same rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.errors import UserError
from agents.seats.controller import AgentID, SeatChoice
from agents.seats.limits import Limits
from agents.snapshots.card import check_name
from agents.snapshots.store import SnapshotStore
from arcade.games.spec import GameSpec
from arcade.match.batch.series import Series, play_series
from arcade.match.play.result import RecordingSource
from arcade.match.playback.replay import Replay
from arcade.match.stage.rules import StageRules
from arcade.recordings.library import Recording, RecordingLibrary

ALWAYS_THERE = ("scripted", "random", "idle")
"""Opponents that a word alone brings back."""


class NoRematchError(Exception):
    """A match that cannot be played again; the message says why, in a few words."""


@dataclass(frozen=True, kw_only=True)
class Rematch:
    """One match to play again with another player in one seat."""

    recording: Recording
    spec: GameSpec  # as it was made for the match
    seed: int
    agent: AgentID  # the seat
    lineup: Mapping[AgentID, SeatChoice]  # of all other seats
    rules: StageRules

    @classmethod
    def of(cls, recording: Recording, agent: str) -> Rematch:
        """Raises NoRematchError."""
        if recording.card.ended not in ("finished", "max_ticks"):
            raise NoRematchError("not played to its end")
        replay = recording.replay()
        if any(seat == agent for seat, _, _ in recording.card.takeovers) or len(_sources(replay, agent)) > 1:
            raise NoRematchError("more than one player in the seat")
        seats = replay.head.get("agents", [])
        own = next((one for one in seats if str(one) == agent), None)
        if own is None:
            raise NoRematchError("no such seat in the file")
        others = {one: _choice(replay, one) for one in seats if one != own}
        return cls(
            recording=recording, spec=replay.spec(), seed=replay.seed, agent=own, lineup=others, rules=_rules(replay)
        )  # fmt: skip

    def play(self, player: SeatChoice, *, store: SnapshotStore, folder: Path) -> Recording:
        """Play the match, recorded in `folder`."""
        series = Series(
            seed=self.seed,
            max_ticks=self.recording.card.ticks if self.recording.card.ended == "max_ticks" else None,
            rules=self.rules,
            record=folder,
        )
        played = play_series(self.spec, {**self.lineup, self.agent: player}, series, store=store)
        return RecordingLibrary(folder).read(played.replays[0])


def _choice(replay: Replay, agent: AgentID) -> SeatChoice:
    """The seat word of the player, with its limits."""
    sources = _sources(replay, str(agent))
    if len(sources) != 1:
        raise NoRematchError("an opponent that changed")
    source = sources[0]
    options = _limits(replay, str(agent)).as_options()
    if source.kind in ALWAYS_THERE:
        return SeatChoice(source.kind, "", options)
    if source.snapshot:
        return SeatChoice("snapshot", _stored(source.snapshot), options)
    raise NoRematchError("an opponent that is a person" if source.human else f"an opponent of kind {source.kind:.20}")


def _stored(name: str) -> str:
    """A name in the store; paths from files are refused."""
    try:
        return check_name(name)
    except ValueError:
        raise NoRematchError("an opponent that is no snapshot of a store") from None


def _limits(replay: Replay, agent: str) -> Limits:
    """The limits of the seat's player, from the result."""
    reports: Mapping[str, Any] = (replay.result or {}).get("seats", {})
    try:
        return Limits(**reports.get(agent, {}).get("limits", {}))
    except (TypeError, ValueError, AttributeError, UserError) as error:
        raise NoRematchError("limits of an opponent that are none") from error


def _rules(replay: Replay) -> StageRules:
    try:
        return StageRules(**replay.head.get("settings", {}).get("rules", {}))
    except (TypeError, ValueError) as error:
        raise NoRematchError("rules of play that are none") from error


def _sources(replay: Replay, agent: str) -> list[RecordingSource]:
    return [source for source in replay.sources if source.agent == agent]
