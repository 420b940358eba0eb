"""Joining: people join, leave, take over, correct and give back by a press, while the match goes on."""

from __future__ import annotations

from collections.abc import Callable

from agents.seats.controller import AgentID
from agents.seats.words import parse_seat
from arcade.match.play.match import Match
from arcade.session.match.audience import Audience
from arcade.session.match.devices import PlayerDevices
from arcade.session.match.seat_changes import SeatChanges
from arcade.session.seating import KEYBOARD

HOLD = 0.3
"""Seconds from which on a press of the button that takes a seat lasts until it is released."""


class Joining:
    """Presses, by the word of their device.  While the button is held, the policy of the seat is corrected."""

    def __init__(
        self,
        seats: SeatChanges,
        match: Match,
        devices: PlayerDevices,
        audience: Audience,
        *,
        clock: Callable[[], float],
    ) -> None:
        self._seats, self._match, self._devices = seats, match, devices
        self._audience, self._clock = audience, clock
        self._newest = str(KEYBOARD)  # the keyboard, or half of one, that was pressed last
        self._holding: dict[str, tuple[AgentID, float]] = {}  # device word → the seat that it took, and when

    def pressed(self, word: str) -> None:
        """A keyboard, or half of one, that has a seat was used."""
        self._newest = word

    def join(self, word: str) -> None:
        """Seat a device that has no seat yet in place of a policy."""
        if not self.held_by(word):
            self._seats.sit(parse_seat(word), "join")

    def may_join(self, word: str) -> bool:
        """Whether a device has no seat, and there is one to have."""
        return not self.held_by(word) and bool(self._seats.free("join"))

    def toggle(self, word: str) -> None:
        """Give the seat of the device to a policy, or take one over where it has none."""
        held, who = self._at_the_keyboard() if word.startswith("keyboard") else (self.held_by(word), word)
        if held:
            self._seats.hand_over(held[0])
            return
        choice = parse_seat(who)
        agent = self._seats.sit(choice, "takeover")
        if agent is None:
            self._audience.say("People hold all seats")
        elif self._seats.lineup[agent] == choice:
            self._holding[word] = agent, self._clock()

    def release(self, word: str) -> None:
        """The button of `toggle` is released: after a while the seat that it took goes back."""
        agent, since = self._holding.pop(word, (None, 0.0))
        if agent is not None and self._clock() - since > HOLD and self._seats.lineup[agent].is_human:
            self._seats.hand_over(agent)

    def release_all(self) -> None:
        """Another screen comes, or the match is over."""
        for agent, _ in self._holding.values():
            if self._seats.lineup[agent].is_human:
                self._seats.hand_over(agent)
        self._holding.clear()

    @property
    def correcting(self) -> dict[AgentID, str]:
        """The seats that are held now, with the label of the policy that is corrected."""
        waiting, now = self._match.reserves, self._clock()
        seats = [agent for agent, since in self._holding.values() if now - since > HOLD and agent in waiting]
        return {agent: waiting[agent].label for agent in seats}

    def held_by(self, word: str) -> list[AgentID]:
        """The seats of a device, the one whose turn it is first."""
        held = [agent for agent, one in self._match.mapping.items() if self._devices.plays(word, one)]
        return sorted(held, key=lambda agent: agent not in self._match.waiting_for)

    def _at_the_keyboard(self) -> tuple[list[AgentID], str]:
        """The seats of the keyboard, those of the newest press first, and the word that takes one if there are none."""
        held = [agent for agent, choice in self._seats.lineup.items() if choice.kind == "keyboard"]
        newest = self.held_by(self._newest)
        left = [word for word in reversed(self._seats.left) if parse_seat(word).kind == "keyboard"]
        return sorted(held, key=lambda agent: agent not in newest), [*left, str(KEYBOARD)][0]
