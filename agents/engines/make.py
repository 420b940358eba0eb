"""Makes the controller of an engine's seat."""

from __future__ import annotations

from agents.engines.engine import EngineController
from agents.engines.settings import EngineSettings, find_command, label_of
from agents.seats.choice import SeatChoice
from agents.seats.controller import SeatSpec


def make_engine(choice: SeatChoice, seat: SeatSpec) -> EngineController:
    """The controller of a ``uci:`` or ``gtp:`` seat.

    Raises SeatError for settings that are none, ControllerError where there is no such program, or it does not play the
    seat's game.
    """
    settings, command = EngineSettings.of(choice), find_command(choice.argument)
    if choice.kind == "uci":
        from agents.engines.uci import UciEngine, check_seat  # python-chess takes long to import

        check_seat(seat)
        return EngineController(lambda: UciEngine(command, settings), label=label_of(choice))
    from agents.engines.gtp import GtpEngine, board_size

    size = board_size(seat)
    return EngineController(lambda: GtpEngine(command, settings, size=size), label=label_of(choice))
