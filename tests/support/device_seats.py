"""Seats of people: controllers on the devices of an engine."""

from __future__ import annotations

from gymnasium.spaces import Discrete

from agents.seats.controller import SeatSpec, Turn
from agents.seats.kinds import parse_seat
from arcade.controls.device_controllers import make_devices
from arcade.games import find_game

VOLLEY = ("nothing", "left", "right", "up", "up left", "up right")


def sit(turns, word: str, *, game: str = "house/volley", agent="left_0", space=None):
    """A controller in a seat, its first turn due."""
    choice = parse_seat(word)
    seat = SeatSpec(game=game, agent=agent, observation_space=None, action_space=space or Discrete(6))
    controller = make_devices(turns.engine.devices)[choice.kind](choice, seat)
    controller.reset(seat, seed=1)
    due(controller, 0, agent=agent)
    return controller


def due(controller, tick: int, *, agent="left_0", mask=None) -> None:
    controller.observe(Turn(agent=agent, tick=tick, observation=None, action_mask=mask))


def plays(controller, tick: int) -> str:
    """The answer in words, and the next turn falls due."""
    words = VOLLEY[controller.act()]
    due(controller, tick)
    return words


class Seat:
    """A seat of volley that is played by hand."""

    def __init__(self, turns, word: str, *, agent: str = "left_0", game: str = "house/volley", space=None) -> None:
        choice = parse_seat(word)
        self.turns, self.agent, self._tick = turns, agent, 0
        self.spec = SeatSpec(game=game, agent=agent, observation_space=None, action_space=space or Discrete(6))
        self.controller = make_devices(turns.engine.devices)[choice.kind](choice, self.spec)
        self.controller.reset(self.spec, seed=1)
        self._due()

    def action(self):
        """What is played by the next tick."""
        self.turns.frame()
        action = self.controller.act()
        self._due()
        return action

    def plays(self) -> str:
        return find_game(self.spec.game).names_of(self.agent)[self.action()]

    def _due(self) -> None:
        self.controller.observe(Turn(agent=self.agent, tick=self._tick, observation=None))
        self._tick += 1
