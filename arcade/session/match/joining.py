"""Joining: people join, leave, take over or give back seats by a press during a match; corrections."""

from __future__ import annotations

from collections.abc import Callable

from agents.seats.controller import AgentID
from agents.seats.kinds import parse_seat
from arcade.language import _
from arcade.match.play.match import Match
from arcade.session.match.seat_changes import Audience, SeatChanges
from arcade.session.people import PlayerDevices
from arcade.session.seating import KEYBOARD

HOLD = 0.3
"""Seconds after which a held press takes the seat only until it is released."""


class Joining:
    """Handles presses by the word of their device.  While the button is held, the player corrects the policy."""

    def __init__(
        self, seats: SeatChanges, match: Match, devices: PlayerDevices, audience: Audience, clock: Callable[[], float]
    ) -> None:
        self._seats, self._match, self._devices = seats, match, devices
        self._audience, self._clock = audience, clock
        self._newest = str(KEYBOARD)  # the keyboard, or half of one, that was pressed last
        self._holding: dict[str, tuple[AgentID, float]] = {}  # device word → the seat taken, and when

    def pressed(self, word: str) -> None:
        """Remember the keyboard, or half of one, that was used last."""
        self._newest = word

    def join(self, word: str) -> None:
        """Give a device without a seat the seat of a policy."""
        if not self.held_by(word):
            self._seats.sit(parse_seat(word), "join")

    def may_join(self, word: str) -> bool:
        """Whether a device has no seat, and one is free."""
        return not self.held_by(word) and bool(self._seats.free("join"))

    def toggle(self, word: str) -> None:
        """Give the seat of the device to a policy, or take one over if it has none."""
        held, device = self._at_the_keyboard() if word.startswith("keyboard") else (self.held_by(word), word)
        if held:
            self._seats.hand_over(held[0])
            return
        choice = parse_seat(device)
        agent = self._seats.sit(choice, "takeover")
        if agent is None:
            self._audience.say(_("People hold all seats"))
        elif self._seats.lineup[agent] == choice:
            self._holding[word] = agent, self._clock()

    def release(self, word: str) -> None:
        """Handle the release of the button: a seat taken by holding it goes back."""
        agent, since = self._holding.pop(word, (None, 0.0))
        if agent is not None and self._clock() - since > HOLD and self._seats.lineup[agent].is_human:
            self._seats.hand_over(agent)

    def release_all(self) -> None:
        """Give back all seats that are held by a button."""
        for agent, _since in self._holding.values():
            if self._seats.lineup[agent].is_human:
                self._seats.hand_over(agent)
        self._holding.clear()

    @property
    def correcting(self) -> dict[AgentID, str]:
        """The seats held by a button, with the label of the policy that is corrected."""
        waiting, now = self._match.reserves, self._clock()
        seats = [agent for agent, since in self._holding.values() if now - since > HOLD and agent in waiting]
        return {agent: waiting[agent].label for agent in seats}

    def held_by(self, word: str) -> list[AgentID]:
        """Return the seats of a device, the one with the turn first."""
        held = [agent for agent, one in self._match.mapping.items() if self._devices.plays(word, one)]
        return sorted(held, key=lambda agent: agent not in self._match.waiting_for)

    def _at_the_keyboard(self) -> tuple[list[AgentID], str]:
        """Return the seats of the keyboard, the newest press first, and the word that takes one without any."""
        held = [agent for agent, choice in self._seats.lineup.items() if choice.kind == "keyboard"]
        newest = self.held_by(self._newest)
        left = [word for word in reversed(self._seats.left) if parse_seat(word).kind == "keyboard"]
        return sorted(held, key=lambda agent: agent not in newest), [*left, str(KEYBOARD)][0]


class MissingPads:
    """Disconnected gamepads that have a seat; each is asked about once until it is connected again."""

    def __init__(self, devices: PlayerDevices, match: Match) -> None:
        self._devices, self._match = devices, match
        self._asked: set[str] = set()

    def seats_of(self, word: str) -> list[AgentID]:
        """Return the seats of the gamepad with this word."""
        return [agent for agent, controller in self._match.mapping.items() if _word(controller) == word]

    def is_settled(self, word: str) -> bool:
        """Whether it is back, or has no seat any more."""
        return not self.seats_of(word) or not self._devices.is_gone(word)

    def came_back(self, word: str) -> None:
        """Note that the gamepad is connected again."""
        self._asked.discard(word)

    def next(self) -> str:
        """Return the word of a missing gamepad that was not asked about yet, or ""; it then counts as asked."""
        words = dict.fromkeys(map(_word, self._match.mapping.values()))
        gone = [word for word in words if self._devices.is_gone(word)]
        self._asked &= set(gone)
        unasked = [word for word in gone if word not in self._asked]
        self._asked.update(unasked[:1])
        return unasked[0] if unasked else ""


def _word(controller: object) -> str:
    return getattr(controller, "word", "")
