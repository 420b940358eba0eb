"""WindowOptions, and MatchSetup: seats, rules, length of the series and seed of the next match."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from agents.seats.controller import AgentID, SeatChoice, SeatSpec
from arcade.match.recording.format import RecordingOptions
from arcade.match.stage.rules import PLAIN, StageRules
from arcade.session.settings import Settings

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.games.spec import GameSpec
    from arcade.session.match.series import Series
    from arcade.session.trainer_process import OwnTrainer


@dataclass(frozen=True, kw_only=True)
class WindowOptions:
    """The options of the window, in their ranges; see `arcade.arguments.check_numbers`."""

    featured: str = "house/volley"  # the game that the title starts
    seed: int | None = None  # of the first match, counted up from there; None: random
    speed: float = 1.0
    max_ticks: int | None = None
    record: bool = False  # record each match, despite the settings
    ladder: bool = True  # whether results count on the ladder
    clock: str = ""  # of each side in board games, as in "3+2", until another is chosen; "": none
    rules: StageRules = PLAIN  # of real-time games, until others are chosen
    endpoints: tuple[str, ...] = (
        "tcp://127.0.0.1:5555",
    )  # where policy servers are looked for, to be offered in the seats
    companion: OwnTrainer | None = None  # the trainer beside the window, whose failure is reported


class Playing(Protocol):
    """The match on the screen, a MatchSession."""

    spec: GameSpec
    lineup: dict[AgentID, SeatChoice]
    series: Series

    @property
    def is_begun(self) -> bool: ...

    @property
    def is_recorded(self) -> bool: ...

    @property
    def seat_specs(self) -> tuple[SeatSpec, ...]: ...

    def on_frozen(self, game: str, name: str) -> None: ...


class MatchSetup:
    """Remembers the choices for each game."""

    def __init__(self, opening: WindowOptions, settings: Callable[[], Settings]) -> None:
        self._opening, self._settings = opening, settings
        self.lineups: dict[str, Mapping[AgentID, SeatChoice]] = {}  # game → the newest seats
        self.rules: dict[str, StageRules] = {}  # game → the rules that people chose
        self.clocks: dict[str, str] = {}  # board game → the clock that people chose, as in "3+2"; "": none
        self.chosen: set[str] = set()  # seat words without options that people chose here, so that they may run
        self.limited: set[str] = set()  # snapshots from elsewhere that people play with limits rather than trust
        self.last_game = ""  # the game whose page was opened last
        self.playing: Playing | None = None  # the match on the screen
        self.best_of = 1  # length of the next series; the title resets it
        self._seed = opening.seed if opening.seed is not None else random.randrange(2**31)

    def rules_of(self, spec: GameSpec) -> StageRules:
        """Return the rules of the next match of `spec`."""
        return self.rules.get(spec.id, PLAIN if spec.turn_based else self._opening.rules)

    def clock_of(self, spec: GameSpec) -> str:
        """Return the clock of each side in the next match of `spec`, as in "3+2"; "" for a match without."""
        return self.clocks.get(spec.id, self._opening.clock) if spec.is_board_game else ""

    def next_seed(self) -> int:
        """Return the seed of a match that begins now."""
        seed, self._seed = self._seed, (self._seed + 1) % 2**32
        return seed

    def recording(self, lineup: Mapping[AgentID, SeatChoice]) -> RecordingOptions | None:
        """Return the options for the recording of a match that begins now; None: it is not recorded."""
        settings = self._settings()
        is_new = any(choice.kind != "replay" for choice in lineup.values())
        if not is_new or not (self._opening.record or settings.record_matches):
            return None
        return RecordingOptions(observations=settings.record_observations, seats=settings.record_seats)
