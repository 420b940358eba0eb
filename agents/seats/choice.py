"""SeatChoice: the controller of a seat, parsed from a seat word."""

from __future__ import annotations

from dataclasses import dataclass

from agents.errors import UserError
from agents.seats.controller import HUMAN_KINDS

KEYBOARD_HALVES = ("wasd", "arrows", "ijkl")
LEVELS = ("easy", "normal", "hard", "expert")
"""Difficulty levels, the weakest first; see `agents.seats.limits`."""
EVEN = "even"
"""The level with the closest predicted win probability; see `agents.seats.even`."""
SEAT_OPTIONS = ("reaction_ms", "actions_per_second", "noise")
"""Human limits that an AI seat can be given behind its word."""


class SeatError(UserError, ValueError):
    """A seat word that names no controller; the message lists the valid forms."""


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A parsed seat word: the kind of controller and, behind the first colon, which one."""

    kind: str
    argument: str = ""
    options: tuple[tuple[str, str], ...] = ()  # behind a question mark, as in snapshot:latest?reaction_ms=200&noise=0.1

    def __str__(self) -> str:
        word = f"{self.kind}:{self.argument}" if self.argument else self.kind
        return word + ("?" + "&".join(f"{name}={value}" for name, value in self.options) if self.options else "")

    @property
    def is_human(self) -> bool:
        """Whether a person decides."""
        return self.kind in HUMAN_KINDS

    @property
    def is_even(self) -> bool:
        """Whether it is still to be resolved to a concrete opponent."""
        return self.kind == "level" and self.argument == EVEN

    @property
    def limits(self) -> tuple[tuple[str, str], ...]:
        """The options that are human limits."""
        return tuple(option for option in self.options if option[0] in SEAT_OPTIONS)

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """The options that make it another player: those of an engine."""
        return tuple(option for option in self.options if option[0] not in SEAT_OPTIONS)
