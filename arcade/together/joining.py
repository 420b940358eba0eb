"""Joining: what a machine says to a host until it is in: hellos, and the claim of its seats."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping

from agents.seats.controller import AgentID
from arcade.games.spec import GameSpec
from arcade.language import N_, _
from arcade.together.messages import Choose, Claim, Hello, Message, Player, Ready, Refused, printable
from arcade.together.terms import SessionError
from arcade.together.ways.host_search import HELLO_EVERY

CLAIM_EVERY = 1.0

REFUSALS = {
    "full": N_("the match is full"),
    "secret": N_("this code does not lead into the match; ask the host for its present code"),
    "version": N_("the host has another version of the arcade; install the same one on both machines"),
    "differs": N_("the game comes to another result on this machine than at the host; install the same version of the "
                  "arcade on both, or let another machine be the host"),
    "taken": N_("others have these seats; choose free ones, or the same players as before to come back"),
}  # fmt: skip
"""Why a host sends a machine away, by the code of its answer; its own words for others are in its language."""


class Joining:
    """Of one guest; its host may answer any of it late, or never."""

    def __init__(self, send: Callable[[Message], None], hello: Callable[[], Hello], since: float) -> None:
        self._send, self._hello, self.since = send, hello, since
        self.probe: list[int] = []  # digests of the first ticks
        self._players: dict[str, Player] = {}
        self._hello_at = self._claim_at = 0.0

    def choose(self, players: Mapping[AgentID, Player]) -> None:
        """Tell the host what is going to be claimed."""
        self._send(Choose(seats={str(agent): player for agent, player in players.items()}))

    def seat(self, players: Mapping[AgentID, Player], probe: list[int]) -> None:
        """Set what is claimed from now on."""
        self._players, self.probe = {str(agent): player for agent, player in players.items()}, probe

    def greet(self, now: float) -> None:
        """Say hello, once a second."""
        if now - self._hello_at >= HELLO_EVERY:
            self._hello_at = now
            self._send(self._hello())

    def claim(self, now: float) -> None:
        """Claim the seats, once a second."""
        if now >= self._claim_at:
            self._claim_at = now + CLAIM_EVERY
            self._send(Claim(seats=self._players, probe=self.probe))
            self._send(Ready())


def no_host(address: str, reason: str) -> SessionError:
    """For a machine that was not answered; `reason`: what the network says about it, "" for nothing."""
    words = _("no host answers at {address}: the match may be over, or its port is closed to this machine")
    return SessionError(words.format(address=address) + (f" ({reason})" if reason else ""))


def refused(message: Refused, spec: GameSpec | None, taken: Container[str]) -> SessionError:
    """For a machine that the host sent away; `spec`: None before it was made, `taken`: the seats with a player."""
    free = [spec.seat_title(agent) for agent in spec.agents if str(agent) not in taken] if spec is not None else []
    if message.code == "taken" and free:
        return SessionError(_("others have these seats; free seats: {seats}").format(seats=", ".join(free)))
    if message.code in REFUSALS:
        return SessionError(_(REFUSALS[message.code]))
    text = printable(message.text)
    return SessionError(text if message.code == "over" else _("the host refused: {reason}").format(reason=text))
