"""Options of the window and of one match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from agents.seats.choice import SeatChoice
from arcade.match.recording.format import IMPATIENT, RecordingOptions
from arcade.match.stage.rules import PLAIN, StageRules
from arcade.session.people import Person

if TYPE_CHECKING:  # it takes longer to import than the title may
    from arcade.match.playback.branch import Branch


@dataclass(frozen=True, kw_only=True)
class MatchOptions:
    """The options of one match."""

    seed: int
    speed: float = 1.0  # times the game's own rate
    max_ticks: int | None = None  # None: until the game ends
    record: Path | None = None  # the folder for replays; None: no recording
    recording: RecordingOptions = IMPATIENT
    rules: StageRules = PLAIN
    people: Mapping[SeatChoice, Person] = field(default_factory=dict)  # the player with each device
    branch: Branch | None = None  # the moment of a recording where it begins; None: at a reset


@dataclass(frozen=True, kw_only=True)
class WindowOptions:
    """The options of the window."""

    featured: str = "house/volley"  # the game that the title starts
    seed: int | None = None  # of the first match, counted up from there; None: random
    speed: float = 1.0
    max_ticks: int | None = None
    record: bool = False  # record each match, despite the settings
    rules: StageRules = PLAIN  # of real-time games, until others are chosen
    endpoints: tuple[str, ...] = ("tcp://127.0.0.1:5555",)  # policy servers offered on the seats screen

    def __post_init__(self) -> None:
        if not self.speed > 0:
            raise ValueError(f"expected speed > 0, got: {self.speed}")
        if self.seed is not None and not 0 <= self.seed < 2**32:
            raise ValueError(f"expected 0 <= seed < 2**32, got: {self.seed}")
