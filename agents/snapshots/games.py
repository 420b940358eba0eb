"""The catalogue as `agents.freeze` needs it: a package with games names its module here."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.snapshots.snapshot import Snapshot

_modules: list[str] = []


@dataclass(frozen=True, slots=True)
class SeatSample:
    """What a policy of a seat is given, and real examples of it."""

    game: str  # catalogue id
    agents: tuple[str, ...]  # that it can play; () for all
    observation_space: Any  # without the mask
    action_space: Any
    observations: NDArray[Any]  # (B, *shape)
    masks: NDArray[Any] | None  # int8 (B, n), None in a game without masks


class Games(Protocol):
    """The module of a catalogue."""

    def sample_seat(self, game: object, seat: str | int) -> SeatSample:
        """Observations of a seat, "any" for all seats that see and do alike; raises UserError."""

    def place_snapshot(self, snapshot: Snapshot, *, games: int) -> int:
        """Play matches for the ladder, and return how many were played."""


def register(module: str) -> None:
    """Name the module of a catalogue; the newest one is asked."""
    _modules.append(module)


def known_games() -> Games:
    """The catalogue; raises LookupError where none is imported."""
    if not _modules:
        raise LookupError("expected a catalogue of games, got none; import arcade before agents.freeze")
    return cast(Games, import_module(_modules[-1]))
