"""Text of a recording's card, for lists and pages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from arcade.language import N_, _
from arcade.recordings.card import RecordingCard
from arcade.recordings.library import Recording
from arcade.session.player_names import PlayerNames

_ENDED = {
    "": N_("cut off"), "finished": "", "max_ticks": N_("stopped"), "resigned": N_("resigned"),
    "quit": N_("ended early"), "failed": N_("the game failed"),
}  # fmt: skip
MOST_NAMES = 4


def sides(card: RecordingCard, names: PlayerNames | None = None) -> str:
    """The players by team: "Ann against Volley AI, hard"; at most MOST_NAMES; without `names` by their labels."""
    teams = card.teams or tuple((agent,) for agent in card.lineup)
    return _(" against ").join(filter(None, (_team(card, team, names) for team in teams[:MOST_NAMES])))


def player(card: RecordingCard, agent: str, names: PlayerNames | None = None) -> str:
    """The player of a seat, by its label without `names`."""
    label = card.lineup[agent]
    is_person = agent in card.people or names is None
    return label if is_person else names.of_label(label, card.kinds.get(agent, ""))  # type: ignore[union-attr]


def _team(card: RecordingCard, team: Sequence[str], names: PlayerNames | None) -> str:
    found = list(dict.fromkeys(player(card, agent, names) for agent in team if agent in card.lineup))
    listed = ", ".join(found[:MOST_NAMES])
    if len(found) <= MOST_NAMES:
        return listed
    return _("{players} and {count} more").format(players=listed, count=len(found) - MOST_NAMES)


def outcome(card: RecordingCard, names: PlayerNames | None = None) -> str:
    """The result: "Ann won", "a draw", "ended early"."""
    winners = [agent for agent in card.lineup if card.outcome(agent) == "win"]
    if winners:
        found = list(dict.fromkeys(player(card, agent, names) for agent in winners))
        text = _("{player} won") if len(found) <= 2 else _("{player} … won")
        return text.format(player=", ".join(found[:2]))
    if any(card.outcome(agent) == "draw" for agent in card.lineup):
        return _("a draw")
    return _(_ENDED[card.ended])


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
