"""Checks the Python API's arguments: seats in all their forms, and numbers in their ranges."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from agents.errors import UserError

if TYPE_CHECKING:  # heavy libraries are imported by the function that needs them
    from agents.ladder.ladder import Ladder
    from agents.seats.controller import AgentID, Controller, SeatChoice
    from arcade.games import GameSpec

    Seat = str | SeatChoice | Controller | Callable[..., Any]
    Seats = Mapping[Any, Seat]
    """Agent id to its player; ``"*"`` is for all agents that are not named."""


class ArgumentError(UserError, ValueError):
    """Arguments that contradict each other or are out of range."""


def read_seats(spec: GameSpec, seats: Seats) -> tuple[dict[AgentID, SeatChoice], dict[AgentID, Controller]]:
    """The seats given as text, with AI in all that are not named, and the controllers of the others."""
    from agents.seats.controller import SeatChoice
    from agents.snapshots.store import open_store
    from arcade.match.play.lineup import ai_lineup

    own = {str(agent): seat for agent, seat in seats.items() if not isinstance(seat, (str, SeatChoice))}
    texts = [f"{agent}={'idle' if str(agent) in own else seat}" for agent, seat in seats.items()]
    lineup = ai_lineup(spec, texts, open_store())
    named = {str(agent) for agent in seats}
    keys = {agent: str(agent) if str(agent) in named else "*" for agent in lineup}
    controllers = {agent: as_controller(own[key]) for agent, key in keys.items() if key in own}
    if len({id(controller) for controller in controllers.values()}) < len(controllers):
        raise ArgumentError("expected a Controller for each seat, got one for several; a function can play several")
    return {agent: choice for agent, choice in lineup.items() if agent not in controllers}, controllers


def as_controller(seat: Any) -> Controller:
    """A Controller itself, or the controller of a function; raises ArgumentError for anything else."""
    from agents import Controller, FunctionController

    if isinstance(seat, Controller):
        return seat
    if callable(seat):
        return FunctionController(seat)
    raise ArgumentError(f"expected a seat word, a function or a Controller, got: {seat!r}")


def read_text_seats(spec: GameSpec, seats: Seats) -> dict[AgentID, SeatChoice]:
    """As `read_seats`, for another process; raises ArgumentError for a function or a Controller."""
    lineup, controllers = read_seats(spec, seats)
    if controllers:
        raise ArgumentError("expected seats as text, which other processes can read, such as python:module:function")
    return lineup


def check_numbers(seed: int | None, speed: float | None, max_ticks: int | None, episodes: int) -> None:
    """Raise ArgumentError for a number out of its range; None is always in it."""
    if seed is not None and not 0 <= seed < 2**32:
        raise ArgumentError(f"expected 0 <= seed < 2**32, got: {seed}")
    if speed is not None and not speed > 0:
        raise ArgumentError(f"expected speed > 0, got: {speed}")
    for name, number in (("max_ticks", max_ticks), ("episodes", episodes)):
        if number is not None and number < 1:
            raise ArgumentError(f"expected {name} >= 1, got: {number}")


def seed_or_random(seed: int | None) -> int:
    """The seed, a random one for None."""
    return secrets.randbelow(2**31) if seed is None else seed


def game_on(ladder: Ladder, word: str) -> str:
    """The id of the game that a word means: of the catalogue, or of a result; raises GameError."""
    from arcade.games import GameError, find_game

    try:
        return find_game(word).id
    except GameError:
        if word in ladder.games():
            return word
        raise
