"""Text of a recording's card, for lists and pages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from arcade.recordings.card import RecordingCard
from arcade.recordings.library import Recording

_ENDED = {"": "cut off", "finished": "", "max_ticks": "stopped", "quit": "ended early", "failed": "the game failed"}
MOST_NAMES = 4


def sides(card: RecordingCard) -> str:
    """The players by team: "Ann against volley-6 (hard)"; at most MOST_NAMES."""
    teams = card.teams or tuple((agent,) for agent in card.lineup)
    return " against ".join(filter(None, (_names(card, team) for team in teams[:MOST_NAMES])))


def _names(card: RecordingCard, team: Sequence[str]) -> str:
    names = list(dict.fromkeys(card.lineup[agent] for agent in team if agent in card.lineup))
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def outcome(card: RecordingCard) -> str:
    """The result: "Ann won", "a draw", "ended early"."""
    winners = [agent for agent in card.lineup if card.outcome(agent) == "win"]
    if winners:
        names = dict.fromkeys(card.lineup[agent] for agent in winners)
        return f"{', '.join(list(names)[:2])}{' …' if len(names) > 2 else ''} won"
    if any(card.outcome(agent) == "draw" for agent in card.lineup):
        return "a draw"
    return _ENDED[card.ended]


def when(created: datetime, now: datetime) -> str:
    """Local day and time: "today 17:25", "yesterday 9:05", "3 March 2026 21:40"."""
    local, today = created.astimezone(now.tzinfo), now.date()
    days = (today - local.date()).days
    day = {0: "today", 1: "yesterday"}.get(days) or f"{local.day} {local:%B}" + (f" {local.year}" if days > 300 else "")
    return f"{day} {local.hour}:{local:%M}"


def length(seconds: float) -> str:
    """ "8 s", "1:07 min", "2.5 h"."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


def size(count: float) -> str:
    """ "12 KB", "3.4 MB"."""
    for unit, name in ((2**30, "GB"), (2**20, "MB")):
        if count >= unit:
            return f"{count / unit:.1f} {name}"
    return f"{max(1, round(count / 2**10))} KB"


def totals(recordings: Sequence[Recording]) -> str:
    """Number, length and size of the recordings in one line."""
    count = f"{len(recordings):,} recording" + ("s" if len(recordings) != 1 else "")
    seconds = length(sum(recording.card.seconds for recording in recordings))
    return f"{count}  ·  {seconds}  ·  {size(sum(one.card.bytes for one in recordings))}" if recordings else ""
