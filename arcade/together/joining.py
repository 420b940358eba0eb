"""Joining: what a machine says to a host until it is in: hellos, and the claim of its seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agents.seats.controller import AgentID
from arcade.language import _
from arcade.together.messages import Choose, Claim, Hello, Message, Player, Ready, Refused, printable
from arcade.together.terms import SessionError
from arcade.together.ways.host_search import HELLO_EVERY

CLAIM_EVERY = 1.0


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


def refused(message: Refused) -> SessionError:
    """For a machine that the host sent away."""
    if message.code == "full":
        return SessionError(_("the match is full"))
    text = printable(message.text)
    return SessionError(text if message.code == "over" else _("the host refused: {reason}").format(reason=text))
