"""Connector: how this machine reaches others of its match, and they it."""

from __future__ import annotations

import time

from agents.closing import Closing
from agents.wire.addresses import Address
from arcade.together.messages import Place
from arcade.together.terms import SessionError
from arcade.together.ways.codes import SessionCode
from arcade.together.ways.links import HostLink, PeerLink
from arcade.together.ways.relay import room_of
from arcade.together.ways.tunnel import GuestTunnel, HostTunnel

Relay = tuple[str, int]
"""Its host and port."""


class Connector(Closing):
    """Dials by the network itself, or by a relay, whose tunnels are closed with it.

    `own` is the socket by which others reach this machine, as the host or should it become that.
    """

    def __init__(self, secret: bytes, own: HostLink | None = None) -> None:
        self._secret, self._own = secret, own
        self.relay: Relay | None = None
        self._out: GuestTunnel | None = None
        self._in: HostTunnel | None = None

    @classmethod
    def of(cls, code: SessionCode) -> Connector:
        """For those who join; takes seconds with a relay, and raises SessionError where that does not answer."""
        connector = cls(code.secret, HostLink("tcp://0.0.0.0:*"))
        if code.by_relay:
            try:
                connector.use((code.host, code.port))
                assert connector._out is not None
                connector._out.wait()  # not for its own room, which may not be free yet where it comes back
            except BaseException:
                connector.close()
                raise
        return connector

    @property
    def relay_text(self) -> str:
        """The relay as HOST:PORT; "" without one."""
        return "{}:{}".format(*self.relay) if self.relay is not None else ""

    @property
    def own(self) -> HostLink:
        """Where others reach this machine."""
        assert self._own is not None
        return self._own

    def use(self, relay: Relay, *, wait: bool = False) -> None:
        """Reach others by a relay from now on, and be reached by it.

        With `wait` until it has answered: takes seconds, and raises SessionError where it does not.
        """
        if self.relay is None:
            own, self._out = self.own, GuestTunnel(relay, self._secret)
            self._in = HostTunnel(relay, room_of(self._secret, own.address.key), own.port)
            self.relay = relay
        if wait:
            self._wait_for_relay()

    def _wait_for_relay(self) -> None:
        assert self._in is not None
        assert self._out is not None
        try:
            self._in.wait()
        except SessionError:
            self._out.close()
            self.relay = self._out = self._in = None
            raise

    def dial(self, place: Place) -> PeerLink:
        """A link to a machine, which must have that key."""
        host, port = (place.host, place.port) if self._out is None else ("127.0.0.1", self._out.port_to(place.key))
        return PeerLink(str(Address(f"tcp://{host}:{port}", place.key)), has_datagrams=self._out is None)

    def reachable_for(self, silence: float) -> float:
        """The seconds of another machine's silence in which it could have been heard.

        Without the relay none can be, so no other host is looked for until the relay has been back for a while.
        """
        return silence if self._in is None else min(silence, self._in.open_for(time.monotonic()))

    def code_at(self, place: Place) -> SessionCode:
        """The code of the machine there as the host."""
        host, port = self.relay or (place.host, place.port)
        return SessionCode(host, port, place.key, self._secret, self.relay is not None)

    def close(self) -> None:
        for one in (self._in, self._out, self._own):
            if one is not None:
                one.close()
