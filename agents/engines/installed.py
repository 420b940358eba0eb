"""The engines that the arcade offers as opponents, where their program is on this machine."""

from __future__ import annotations

from collections.abc import Mapping

from agents.engines.settings import find_program
from agents.seats.choice import SeatChoice
from agents.seats.words import parse_seat

KNOWN_SEATS: Mapping[str, tuple[str, ...]] = {
    "classic/chess_v6": tuple(f"uci:stockfish?skill={skill}" for skill in (0, 3, 6, 10, 20)),
    "classic/go_v5": tuple(f"gtp:gnugo?level={level}" for level in (1, 5, 10)),
}
"""Game to the engine seats that the arcade offers, the weakest first, where their program is present."""


def present_seats(game: str) -> tuple[SeatChoice, ...]:
    """The engine seats to offer for a game: those whose program is on this machine."""
    choices = [parse_seat(word) for word in KNOWN_SEATS.get(game, ())]
    return tuple(choice for choice in choices if find_program(choice.argument) is not None)
