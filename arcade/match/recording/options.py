"""What a recording holds beyond what is needed to play the match again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arcade.games.spec import GameSpec

OBSERVATIONS = ("auto", "always", "never")
"""When a replay holds observations: "auto" where the game is not exactly repeatable."""

SEATS = ("all", "people")
"""Whose observations those are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingOptions:
    """How a match is recorded."""

    observations: str = "auto"  # one of OBSERVATIONS
    seats: str = "all"  # one of SEATS; people: of a seat from the tick on at which a person sits there
    patient: bool = False  # True: the match waits for a slow disk; False: observations are left out

    def __post_init__(self) -> None:
        if self.observations not in OBSERVATIONS:
            raise ValueError(f"expected observations among {', '.join(OBSERVATIONS)}, got: {self.observations!r}")
        if self.seats not in SEATS:
            raise ValueError(f"expected seats among {', '.join(SEATS)}, got: {self.seats!r}")

    def observes(self, spec: GameSpec) -> bool:
        """Whether observations of that game are recorded."""
        return self.observations == "always" or (self.observations == "auto" and not spec.exact)


IMPATIENT = RecordingOptions()
"""For matches that people play: the match never waits for the disk."""

PATIENT = RecordingOptions(patient=True)
"""For unwatched matches: no observation is lost."""
