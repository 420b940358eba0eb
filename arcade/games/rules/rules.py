"""Rules: how a game is played, in four parts that a new player reads in half a minute."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from arcade.language import N_, _

PARTS = {"aim": N_("Aim"), "play": N_("How it goes"), "score": N_("Score"), "end": N_("End")}
"""The heading of each part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Each part is a sentence or a few, in English; keys are told by the controls."""

    aim: str  # what a player tries to reach
    play: str  # what a turn is, or what one does all the time, and what the actions mean
    score: str  # what counts
    end: str  # when the match ends, and who has won then

    @property
    def texts(self) -> tuple[str, ...]:
        """All parts, as they are in the catalogues."""
        return tuple(getattr(self, part.name) for part in fields(self))

    def lines(self) -> Iterator[str]:
        """Yield each part with its heading, in the language in use: "Aim: …"."""
        for part, heading in PARTS.items():
            yield f"{_(heading)}: {_(getattr(self, part))}"
