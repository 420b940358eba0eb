"""Taking over a seat at a tick of a recording: the seats, and the lineup that continues the match."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from agents.engines.engine import label_of, present_seats
from agents.seats.controller import LEVELS, AgentID, SeatChoice
from arcade.games.spec import GameSpec
from arcade.language import N_, _
from arcade.match.play.result import RecordingSource
from arcade.match.playback.replay import Replay
from arcade.session.player_names import PlayerNames
from arcade.session.seating import default_opponent

REPLACED = N_("{player} plays for {others}")
SUBSTITUTION = N_("{player} plays for {others}: only AI players of this arcade can continue a recording")

AHEAD = 64
"""Ticks within which every agent that still plays has a turn."""


def seats_at(replay: Replay, tick: int, names: PlayerNames) -> list[tuple[AgentID, str]]:
    """Return the seats that still play at that tick, each with the name of its player."""
    out = {agent for ended, agents in replay.ends.items() if ended <= tick for agent in agents}
    seats = dict.fromkeys(agent for agents in replay.acting[tick : tick + AHEAD] for agent in agents)
    return [(agent, names.of_source(replay.source_at(agent, tick))) for agent in seats if agent not in out]


def lineup_with(
    replay: Replay, spec: GameSpec, tick: int, snapshots: Sequence[str], given: Mapping[AgentID, SeatChoice]
) -> dict[AgentID, SeatChoice]:
    """Return a lineup with the players `given`, and the recorded AI players or the default in the other seats."""
    default = default_opponent(spec, snapshots=snapshots, engines=present_seats(spec.id))
    others = {agent: same_player(replay.source_at(agent, tick), spec, snapshots) or default for agent in spec.agents}
    return {**others, **given}


def seat_of_person(replay: Replay, spec: GameSpec, tick: int) -> AgentID:
    """Return the seat to practise in: the first that a person has at that tick, else the first that acts then."""
    people = [agent for agent in spec.agents if replay.source_at(agent, tick).human]
    acting = [agent for agents in replay.acting[tick : tick + AHEAD] for agent in agents]
    return next(iter((*people, *acting, *spec.agents)))


def substitution(
    replay: Replay, spec: GameSpec, tick: int, snapshots: Sequence[str], taken: Container[AgentID], names: PlayerNames
) -> str:
    """Return a sentence about the recorded players that the default replaces, or ""."""
    sources = [replay.source_at(agent, tick) for agent in spec.agents if agent not in taken]
    replaced = [source for source in sources if not same_player(source, spec, snapshots)]
    if not replaced:
        return ""
    gone = [names.of_source(source) for source in replaced]
    listed = ", ".join(f"{name:.30}" for name in gone[:3])
    if len(gone) > 3:
        listed = _("{players} and {count} more").format(players=listed, count=len(gone) - 3)
    default = names.of_choice(default_opponent(spec, snapshots=snapshots, engines=present_seats(spec.id)))
    words = REPLACED if all(source.human for source in replaced) else SUBSTITUTION
    return _(words).format(player=default, others=listed)


def same_player(source: RecordingSource, spec: GameSpec, snapshots: Sequence[str]) -> SeatChoice | None:
    """Return the choice of an AI player that is here, else None: a recording must not run code or call an address."""
    level = source.label.rpartition("(")[2].rstrip(")")
    if source.kind == "level" and snapshots and level in LEVELS:
        return SeatChoice("level", level)
    if source.kind == "scripted" and spec.has_levels and source.label.removeprefix("AI, ") in LEVELS:
        return SeatChoice("level", source.label.removeprefix("AI, "))
    name = source.snapshot or source.label
    if name in snapshots:
        return SeatChoice("snapshot", name)
    if source.kind in ("uci", "gtp"):
        return next((seat for seat in present_seats(spec.id) if label_of(seat) == source.label), None)
    if source.kind in ("random", "idle") or (source.kind == "scripted" and spec.scripted):
        return SeatChoice(source.kind)
    return None
