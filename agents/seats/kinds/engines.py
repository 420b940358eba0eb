"""``uci:PROGRAM`` and ``gtp:PROGRAM``: chess and go engines."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence

from agents.engines.engine import EngineController, EngineProcess
from agents.engines.settings import EngineSettings, find_command, label_of
from agents.seats.choice import SeatChoice
from agents.seats.controller import Controller, SeatSpec
from agents.seats.kinds.kind import NamedSeatKind, SeatContext


class EngineKind(NamedSeatKind):
    """An engine in its own process."""

    takes_limits = True

    def describe(self, choice: SeatChoice) -> str:
        return label_of(choice)

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        """Raises SeatError for wrong settings, ControllerError for a missing program or a seat of another game."""
        settings, command = EngineSettings.of(choice), find_command(choice.argument)
        return EngineController(self._starter(seat, command, settings), label=label_of(choice))

    @abstractmethod
    def _starter(
        self, seat: SeatSpec, command: Sequence[str], settings: EngineSettings
    ) -> Callable[[], EngineProcess]: ...


class Uci(EngineKind):
    """Chess."""

    name, form = "uci", "uci:PROGRAM"
    settings = ("skill", "elo", "movetime_ms", "nodes", "depth")

    def _starter(self, seat: SeatSpec, command: Sequence[str], settings: EngineSettings) -> Callable[[], EngineProcess]:
        from agents.engines.uci import UciEngine, check_seat  # python-chess takes long to import

        check_seat(seat)
        return lambda: UciEngine(command, settings)


class Gtp(EngineKind):
    """Go."""

    name, form = "gtp", "gtp:PROGRAM"
    settings = ("level", "komi")

    def _starter(self, seat: SeatSpec, command: Sequence[str], settings: EngineSettings) -> Callable[[], EngineProcess]:
        from agents.engines.gtp import GtpEngine, board_size  # numpy

        size = board_size(seat)
        return lambda: GtpEngine(command, settings, size=size)
