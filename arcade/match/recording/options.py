"""What of a match is written down beside all that it takes to play it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arcade.games.spec import GameSpec

OBSERVATIONS = ("auto", "always", "never")
"""When a replay holds what seats saw: "auto" where the game does not play again exactly."""

SEATS = ("all", "people")
"""Whose observations those are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingOptions:
    """Of every match that is recorded with it."""

    observations: str = "auto"  # one of OBSERVATIONS
    seats: str = "all"  # one of SEATS; people: of a seat from the tick on at which a person sits there
    patient: bool = False  # True: the match waits for a slow disk; False: observations are left out

    def __post_init__(self) -> None:
        if self.observations not in OBSERVATIONS:
            raise ValueError(f"expected observations among {', '.join(OBSERVATIONS)}, got: {self.observations!r}")
        if self.seats not in SEATS:
            raise ValueError(f"expected seats among {', '.join(SEATS)}, got: {self.seats!r}")

    def observes(self, spec: GameSpec) -> bool:
        """Whether observations of that game are written down."""
        return self.observations == "always" or (self.observations == "auto" and not spec.exact)


IMPATIENT = RecordingOptions()
"""For matches that people play: nobody waits for a disk."""

PATIENT = RecordingOptions(patient=True)
"""For matches that nobody watches: they lose nothing."""
