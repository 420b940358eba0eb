"""Taking over: who can sit where from a tick of a recording on."""

from __future__ import annotations

from collections.abc import Sequence

from agents.engines.settings import label_of, present_seats
from agents.seats.choice import LEVELS, SeatChoice
from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec
from arcade.match.play.result import RecordingSource
from arcade.match.playback.replay import Replay
from arcade.session.seating import Seating, describe, sentence

AHEAD = 64
"""Ticks within which everybody who still plays has a turn."""


def seats_at(replay: Replay, tick: int) -> list[tuple[AgentID, str]]:
    """The seats that still play at that tick, each with who decided there."""
    out = {agent for ended, agents in replay.ends.items() if ended <= tick for agent in agents}
    seats = dict.fromkeys(agent for agents in replay.acting[tick : tick + AHEAD] for agent in agents)
    return [(agent, replay.source_at(agent, tick).label) for agent in seats if agent not in out]


def lineup_at(
    replay: Replay, spec: GameSpec, tick: int, snapshots: Sequence[str], taken: AgentID, who: SeatChoice
) -> dict[AgentID, SeatChoice]:
    """`who` in the seat that is taken over, and in every other whoever sat there, or a machine in that one's place."""
    others = {agent: same_again(replay.source_at(agent, tick), spec, snapshots) for agent in spec.agents}
    return {**others, taken: who}


def same_again(source: RecordingSource, spec: GameSpec, snapshots: Sequence[str]) -> SeatChoice:
    """The seat of whoever decided there, as far as it can be had; else that of the usual machine."""
    return _back(source, spec, snapshots) or _usual(spec, snapshots)


def stand_ins(replay: Replay, spec: GameSpec, tick: int, snapshots: Sequence[str], taken: AgentID) -> str:
    """Who the usual machine plays for in seats but `taken`, as a sentence; "" where all others are back."""
    sources = [replay.source_at(agent, tick) for agent in spec.agents if agent != taken]
    gone = [source.label for source in sources if not _back(source, spec, snapshots)]
    if not gone:
        return ""
    names = ", ".join(f"{name:.30}" for name in gone[:3]) + (f" and {len(gone) - 3} more" if len(gone) > 3 else "")
    who = sentence(describe(_usual(spec, snapshots)))
    return f"{who} plays for {names}: a recording brings back machines of this arcade alone"


def _back(source: RecordingSource, spec: GameSpec, snapshots: Sequence[str]) -> SeatChoice | None:
    """A machine that is here, None for all others: a file has no code run and no address called."""
    level = source.label.rpartition("(")[2].rstrip(")")
    if source.kind == "level" and snapshots and level in LEVELS:
        return SeatChoice("level", level)
    name = source.snapshot or source.label
    if name in snapshots:
        return SeatChoice("snapshot", name)
    if source.kind in ("uci", "gtp"):
        return next((seat for seat in present_seats(spec.id) if label_of(seat) == source.label), None)
    if source.kind in ("random", "idle") or (source.kind == "scripted" and spec.scripted):
        return SeatChoice(source.kind)
    return None


def _usual(spec: GameSpec, snapshots: Sequence[str]) -> SeatChoice:
    return Seating(spec, devices=(), snapshots=snapshots).usual
