"""Names: tells people, and machines, of one name apart by numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import count

from agents.seats.controller import HUMAN_KINDS
from arcade.together.messages import Player
from arcade.together.preparing import MOST_LETTERS

_NUMBERED = re.compile(r"(.*\S) \d{1,3}")


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, with the next free number where it is taken.

    >>> free_name("Ada", ["Ada", "Ada 2"]), free_name("Ada 2", ["Ada", "Ada 2"])
    ('Ada 3', 'Ada 3')
    """
    if name not in taken:
        return name
    found = _NUMBERED.fullmatch(name)
    base = found[1] if found is not None else name
    names = (f"{base} {number}"[-MOST_LETTERS:] for number in count(2))
    return next(one for one in names if one not in taken)


def told_apart(players: Mapping[str, Player], machine: int, others: Iterable[Player]) -> dict[str, Player]:
    """A machine's players by seat; people get another name where a person of another machine has theirs."""
    taken = {one.label for one in others if one.kind in HUMAN_KINDS and one.peer != machine}
    labels: dict[str, str] = {}  # a person may have several seats
    for player in players.values():
        if player.name not in labels and player.kind in HUMAN_KINDS:
            labels[player.name] = free_name(player.name, {*taken, *labels.values()})
    return {
        word: Player(labels[one.name] if one.kind in HUMAN_KINDS else one.name, one.kind, one.rated, machine)
        for word, one in players.items()
    }  # fmt: skip
