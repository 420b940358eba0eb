"""Text of a recording's card, for lists and pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from functools import reduce

from arcade.language import N_, _, local_number, ngettext
from arcade.recordings.card import RecordingCard
from arcade.recordings.library import Recording
from arcade.session.player_names import PlayerNames

_ENDED = {
    "": N_("cut off"), "finished": "", "max_ticks": N_("stopped"), "resigned": N_("resigned"),
    "out_of_time": N_("out of time"), "agreed": N_("a draw"), "forfeit": N_("ended early"), "quit": N_("ended early"),
    "failed": N_("the game failed"),
}  # fmt: skip
_MONTHS = (
    N_("January"), N_("February"), N_("March"), N_("April"), N_("May"), N_("June"), N_("July"), N_("August"),
    N_("September"), N_("October"), N_("November"), N_("December"),
)  # fmt: skip
MOST_NAMES = 4
MOST_FILE_NAME = 120
_NOT_IN_FILES = re.compile(r'[<>:"/\\|?*\x00-\x1f]+')
"""What Windows allows in no name of a file."""
OLD_DAYS = 300
"""Days after which a date has its year."""


def sides(card: RecordingCard, names: PlayerNames | None = None) -> str:
    """The players by team: "Ann against Volley AI, hard"; at most MOST_NAMES.  Without `names`: labels."""
    teams = card.teams or tuple((agent,) for agent in card.lineup)
    found = filter(None, (_players(card, team, names) for team in teams[:MOST_NAMES]))
    return against(list(found))


def against(sides: Sequence[str]) -> str:
    """Join the sides of a match: "Ann against Bo against Cleo"."""
    return reduce(lambda one, other: _("{one} against {other}").format(one=one, other=other), sides) if sides else ""


def file_name(card: RecordingCard, game: str, names: PlayerNames) -> str:
    """Return a name for a file about the recording, as every system allows it: "Volley, Ann against Bo, 2026-11-23"."""
    day = f"{card.created.astimezone():%Y-%m-%d}"
    room = MOST_FILE_NAME - len(game) - len(day) - 4
    parts = (game, card.name or sides(card, names)[: max(room, 0)], day)
    return _NOT_IN_FILES.sub(" ", ", ".join(part.strip() for part in parts if part.strip())).strip()


def outcome(card: RecordingCard, names: PlayerNames | None = None) -> str:
    """The result: "Ann won", "Ann won by forfeit", "Bo forfeited", "a draw", "ended early"; "" for a single team."""
    winners = [agent for agent in card.lineup if card.outcome(agent) == "win"]
    if winners:
        found = _told_apart(card, winners, names)
        text = _("{player} and others won") if len(found) > 2 else _("{player} won")
        return text.format(player=", ".join(found[:2]))
    if card.ended == "forfeit" and len(card.teams) > 1 and card.placements:
        is_duel = len(card.teams) == 2
        named = [agent for agent in card.lineup if (card.placements.get(agent, 1) == 1) == is_duel]
        found = _told_apart(card, named, names)
        text = _("{player} won by forfeit") if is_duel else _("{player} forfeited")
        return text.format(player=", ".join(found))
    if any(card.outcome(agent) == "draw" for agent in card.lineup):
        return _("a draw")
    return _(_ENDED[card.ended])


def _told_apart(card: RecordingCard, agents: Sequence[str], names: PlayerNames | None) -> list[str]:
    """The players of these seats, each once; their seats instead where another seat has a player of the same name."""
    found = list(dict.fromkeys(player(card, agent, names) for agent in agents))
    others = {player(card, agent, names) for agent in card.lineup if agent not in agents}
    if names is None or others.isdisjoint(found):
        return found
    return [names.spec.seat_title(agent) for agent in agents]


def player(card: RecordingCard, agent: str, names: PlayerNames | None = None) -> str:
    """The player of a seat; the label without `names`."""
    label = card.lineup[agent]
    if names is None:
        return label
    if agent in card.people:
        return names.of_person(label)
    kind = card.kinds.get(agent, "")
    return names.of_label(label, "" if kind == "replay" else kind)  # most of the match repeats an earlier recording


def _players(card: RecordingCard, team: Sequence[str], names: PlayerNames | None) -> str:
    found = list(dict.fromkeys(player(card, agent, names) for agent in team if agent in card.lineup))
    shown, more = ", ".join(found[:MOST_NAMES]), len(found) - MOST_NAMES
    if more <= 0:
        return shown
    return ngettext("{names} and {count} more", "{names} and {count} more", more).format(names=shown, count=more)


def when(created: datetime, now: datetime) -> str:
    """Local day and time: "today 17:25", "yesterday 9:05", "3 March 2026 21:40"."""
    local = created.astimezone(now.tzinfo)
    days = (now.date() - local.date()).days
    month, time = _(_MONTHS[local.month - 1]), f"{local.hour}:{local:%M}"
    if days in (0, 1):
        return (_("yesterday {time}") if days else _("today {time}")).format(time=time)
    text = _("{day} {month} {year} {time}") if days > OLD_DAYS else _("{day} {month} {time}")
    return text.format(day=local.day, month=month, year=local.year, time=time)


def length(seconds: float) -> str:
    """ "8 s", "1:07 min", "2.5 h"."""
    if seconds < 60:
        return _("{seconds} s").format(seconds=f"{seconds:.0f}")
    if seconds < 3600:
        return _("{minutes} min").format(minutes=f"{int(seconds) // 60}:{int(seconds) % 60:02d}")
    return _("{hours} h").format(hours=local_number(f"{seconds / 3600:.1f}"))


def size(count: float) -> str:
    """ "12 KB", "3.4 MB"."""
    for unit, name in ((2**30, "GB"), (2**20, "MB")):
        if count >= unit:
            return local_number(f"{count / unit:.1f} {name}")
    return f"{max(1, round(count / 2**10))} KB"


def totals(recordings: Sequence[Recording]) -> str:
    """Number, length and size of the recordings in one line."""
    if not recordings:
        return ""
    count = ngettext("{count} recording", "{count} recordings", len(recordings)).format(
        count=local_number(f"{len(recordings):,}")
    )
    seconds = length(sum(recording.card.seconds for recording in recordings))
    return f"{count}  ·  {seconds}  ·  {size(sum(one.card.bytes for one in recordings))}"
