"""Why experts of some games miss a mark, and why levels of some are not ordered, as far as play cannot mend it.

`assets/strengths.json` has what was measured and is written anew with each measurement; the reasons are kept here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arcade.games.strengths.marks import is_reached
from arcade.games.strengths.shipped import Strength
from arcade.language import N_


@dataclass(frozen=True, slots=True)
class Reason:
    """Sentences for people, "" where there is nothing to explain."""

    mark: str = ""  # why no expert can reach the mark of the kind of game
    order: str = ""  # why not every level beats the one below


REASONS: Mapping[str, Reason] = {
    "classic/rps_v2": Reason(
        mark=N_(
            "Against random moves no player can win more than half of the points: each choice wins, loses and draws "
            "equally often."
        )
    ),
}
"""By game."""


def reasons_for(game: str, found: Strength) -> list[str]:
    """Return the reasons for what the figures of the game lack, not translated."""
    reason = REASONS.get(game, Reason())
    lacking = [(is_reached(game, found) is False, reason.mark), (not found.levels_ordered, reason.order)]
    return [text for lacks, text in lacking if lacks and text]
