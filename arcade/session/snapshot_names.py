"""Short names of snapshots: "Connect Four, 3 min" by the time that the training took, else by its steps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePath
from typing import TYPE_CHECKING

from arcade.language import N_, _, day_text, local_number, ngettext

if TYPE_CHECKING:
    from agents.snapshots.card import SnapshotCard
    from arcade.games.spec import GameSpec

SHORT = N_("{game}, {trained}")
OF_SEAT = N_("{game}, {seat}, {trained}")
CLONE = N_("Clone of {player}")
MADE = N_("{snapshot}, {day}")
NUMBERED = N_("{snapshot}, no. {number}")
UNTRAINED = N_("untrained")

_CLONE = re.compile(r"clone-(.+)-\d+")
_NUMBER = re.compile(r".*?-?(\d+)")
_STEPS = (
    (1_000_000, N_("{count} million steps")),
    (1_000, N_("{count} thousand steps")),
    (0, N_("{count} steps")),
)


def short_names(spec: GameSpec, cards: Iterable[SnapshotCard]) -> dict[str, str]:
    """Return the short name of each snapshot of the game; no two are the same."""
    cards = list(cards)
    names = {card.name: _short_name(spec, card) for card in cards}
    for longer in (_with_day, _with_number, lambda name, card: f"{name} ({card.name})"):
        counts = Counter(names.values())
        for card in cards:
            if counts[names[card.name]] > 1:
                names[card.name] = longer(names[card.name], card)
    return names


def name_alone(name: str, spec: GameSpec) -> str:
    """Return a short name for a snapshot without its card, such as one that was deleted; `name` may be a path."""
    word = PurePath(name).stem if "/" in name else name
    if clone := _CLONE.fullmatch(word):
        return _(CLONE).format(player=clone[1].capitalize())
    number = _NUMBER.fullmatch(word)
    return _(NUMBERED).format(snapshot=_(spec.title), number=int(number[1])) if number else word.replace("_", " ")


def _short_name(spec: GameSpec, card: SnapshotCard) -> str:
    if clone := _CLONE.fullmatch(card.name):
        return _(CLONE).format(player=clone[1].capitalize())
    seat = _seat_of(spec, card)
    return _(OF_SEAT if seat else SHORT).format(game=_(spec.title), seat=seat, trained=_trained(card))


def _seat_of(spec: GameSpec, card: SnapshotCard) -> str:
    """Return the title of the seats that the snapshot plays, "" for all: "Red chaser" for three of that title."""
    seats = [agent for agent in spec.agents if card.plays(agent)]
    if len(seats) == spec.seats or not seats:
        return ""
    return re.sub(r" \d+$", "", spec.seat_title(seats[0]))


def _trained(card: SnapshotCard) -> str:
    if not card.step:  # a clone, or a model of another library, says nothing of its training
        return _(UNTRAINED) if card.run else card.name
    if card.trained_seconds:
        return _time_text(card.trained_seconds)
    unit, words = next((unit, words) for unit, words in _STEPS if card.step >= unit)
    return _(words).format(count=local_number(f"{card.step / max(1, unit):.3g}"))


def _time_text(seconds: float) -> str:
    """Return "40 s", "3 min", "2 h 5 min", "2 days"."""
    if seconds < 60:
        return _("{count} s").format(count=round(seconds))
    minutes = round(seconds / 60)
    if minutes < 60:
        return _("{count} min").format(count=minutes)
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        words = N_("{hours} h {minutes} min") if minutes else N_("{hours} h")
        return _(words).format(hours=hours, minutes=minutes)
    days = round(hours / 24)
    return ngettext("{count} day", "{count} days", days).format(count=days)


def _with_day(name: str, card: SnapshotCard) -> str:
    day = card.created.astimezone()
    return _(MADE).format(snapshot=name, day=day_text(day))


def _with_number(name: str, card: SnapshotCard) -> str:
    number = _NUMBER.fullmatch(card.name)
    return _(NUMBERED).format(snapshot=name, number=int(number[1])) if number else name
