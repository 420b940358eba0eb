"""Makes a recording's card from its replay."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from arcade.games import GameSpec, games
from arcade.match.play.result import RecordingSource
from arcade.match.playback.replay import Replay
from arcade.recordings.card import MAX_DECIDERS, MAX_POINTS, MAX_TEXT, Decider, RecordingCard, check_time, make_card


def card_of(replay: Replay, stat: os.stat_result) -> RecordingCard:
    """Make the card of a replay, without notes; raises ValueError for impossible content.

    stat: of the file before it was read, so that a file still growing gets a new card later.
    """
    head, result = replay.head, _mapping(replay.result)
    spec = next((spec for spec in games() if spec.id == head["game"]), None)  # a file never causes an import
    main = {agent: _main_source(replay, agent) for agent in _agents(replay)}
    return make_card(
        {
            "id": replay.path.stem,
            "game": plain(head["game"]),
            "created": _created(head.get("created"), stat.st_mtime),
            "seed": replay.seed,
            "ticks": len(replay.actions),
            "seconds": _seconds(replay, spec),
            "ended": result.get("ended", ""),
            "lineup": {agent: plain(source.label) for agent, source in main.items()},
            "people": {agent: plain(source.person) for agent, source in main.items() if source.human},
            "kinds": {agent: plain(source.kind) for agent, source in main.items()},
            "deciders": {agent: _deciders(replay, source) for agent, source in main.items()},
            "returns": _returns(replay, list(main)),
            "placements": _mapping(result.get("placements")),
            "teams": result.get("teams") or [[str(agent) for agent in team] for team in (spec.teams if spec else ())],
            "points": _points(replay),
            "takeovers": list(_takeovers(replay)),
            "exact": spec is not None and spec.exact,
            "bytes": stat.st_size,
            "damage": plain(replay.damage),
            "parent": plain(str(_mapping(head.get("settings")).get("parent", ""))),
        }
    )


def plain(text: str, *, most: int = MAX_TEXT) -> str:
    """A text of a file made safe for a terminal: one short line without control characters."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:most])


def _created(text: Any, changed: float) -> datetime:
    """When it was recorded, or else when the file was changed."""
    try:
        return check_time(datetime.fromisoformat(text)).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        return datetime.fromtimestamp(changed, UTC)


def _seconds(replay: Replay, spec: GameSpec | None) -> float:
    """The duration at the game's own rate; of turn-based and unknown games by the wall clock."""
    if spec is not None and not spec.turn_based:
        return len(replay.actions) / spec.fps
    wall: float = _mapping(replay.result).get("seconds", max(replay.times, default=0.0))
    return wall


def _mapping(value: Any) -> Mapping[Any, Any]:
    """The value if it is a mapping, since an edited file may hold anything."""
    return value if isinstance(value, Mapping) else {}


def _agents(replay: Replay) -> list[str]:
    return list(dict.fromkeys(source.agent for source in replay.sources))


def _terms(replay: Replay, agent: str) -> Iterator[tuple[RecordingSource, int, int]]:
    """Each source of a seat with its first tick and the tick behind its last."""
    last, own = len(replay.actions), [source for source in replay.sources if source.agent == agent]
    ends = [after.tick for _, after in pairwise(own)] + [last]
    for source, end in zip(own, ends, strict=True):
        yield source, min(source.tick, last), min(end, last)


def _main_source(replay: Replay, agent: str) -> RecordingSource:
    """The first source of the player who decided at the most ticks."""
    ticks: dict[tuple[str, str, str], int] = {}
    first: dict[tuple[str, str, str], RecordingSource] = {}
    for source, start, end in _terms(replay, agent):
        who = (source.label, source.person, source.kind)
        ticks[who] = ticks.get(who, 0) + end - start
        first.setdefault(who, source)
    return first[max(ticks, key=lambda who: ticks[who])]


def _deciders(replay: Replay, main: RecordingSource) -> list[Decider]:
    """All players of the seat of `main`, each once."""
    had = [source for source, start, end in _terms(replay, main.agent) if start < end] or [main]
    who = [(plain(one.label), plain(one.kind), plain(one.person), one.takeover) for one in had]
    return list(dict.fromkeys(who))[:MAX_DECIDERS]


def _takeovers(replay: Replay) -> Iterator[tuple[str, int, int]]:
    for agent in _agents(replay):
        for source, start, end in _terms(replay, agent):
            if source.takeover and start < end:
                yield agent, start, end


def _returns(replay: Replay, agents: list[str]) -> dict[str, float]:
    totals = dict.fromkeys(agents, 0.0)
    for rewards in replay.rewards:
        for agent, reward in rewards.items():
            totals[str(agent)] = totals.get(str(agent), 0.0) + reward
    return totals


def _points(replay: Replay) -> list[int]:
    """The ticks with rewards; of too many those with the largest ones, the earliest of equals first."""
    greatest = {tick: max(map(abs, rewards.values())) for tick, rewards in enumerate(replay.rewards) if rewards}
    ranked = sorted((tick for tick in greatest if greatest[tick]), key=lambda tick: -greatest[tick])
    return sorted(ranked[:MAX_POINTS])
