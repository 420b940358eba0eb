"""Connector: how this machine reaches others of its match, and they it."""

from __future__ import annotations

from agents.closing import Closing
from agents.wire.addresses import Address
from arcade.together.messages import Place
from arcade.together.ways.codes import SessionCode
from arcade.together.ways.links import HostLink, PeerLink
from arcade.together.ways.tunnel import GuestTunnel


class Connector(Closing):
    """Dials by the network itself, or by a relay, whose tunnel is closed with it."""

    def __init__(self, relay: tuple[str, int] | None, secret: bytes) -> None:
        self._relay, self._secret = relay, secret
        self._out: GuestTunnel | None = None

    @classmethod
    def of(cls, code: SessionCode) -> Connector:
        """For those who join; takes seconds with a relay, and raises SessionError where that does not answer."""
        connector = cls((code.host, code.port) if code.by_relay else None, code.secret)
        connector._prepare()
        return connector

    def _prepare(self) -> None:
        if self._relay is not None and self._out is None:
            self._out = GuestTunnel(self._relay, self._secret)

    def dial(self, place: Place) -> PeerLink:
        """A link to a machine; by a relay to the one that hosts there, which must have that key."""
        self._prepare()
        host, port = (place.host, place.port) if self._out is None else ("127.0.0.1", self._out.port)
        address = Address(f"tcp://{host}:{port}", place.key)
        return PeerLink(str(address), has_datagrams=self._out is None)

    def standby(self) -> HostLink | None:
        """Where others reach this machine, should it become the host.

        None by a relay: where that is lost, each machine would become the host of its own match.
        """
        return HostLink("tcp://0.0.0.0:*") if self._relay is None else None

    def code_at(self, place: Place) -> SessionCode:
        """The code of the machine there as the host."""
        host, port = self._relay if self._relay is not None else (place.host, place.port)
        return SessionCode(host, port, place.key, self._secret, self._relay is not None)

    def close(self) -> None:
        if self._out is not None:
            self._out.close()
