"""Matches on the local network: `Announcement` announces one, `Nearby` lists those of others (DNS-SD, RFC 6763).

All machines on the network get the code with it, and may join; `arcade.together` encrypts what is sent then.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zeroconf import ServiceBrowser, ServiceInfo, ServiceListener, Zeroconf

from agents.closing import Closing
from agents.errors import UserError
from arcade.together.messages import printable
from arcade.together.ways.codes import SessionCode, parse_code

SERVICE = "_pz-arcade._tcp.local."
LONGEST = 60
"""Characters of a name: of a label in DNS."""

MOST = 32
"""Matches that are listed; more are ignored."""


@dataclass(frozen=True)
class NearbyMatch:
    """A match on the network, in the words of its host."""

    code: str
    game: str  # id of the catalogue
    host: str  # name of the player
    has_begun: bool = False


class Announcement(Closing):
    """Announces a match until it is closed.  Any thread may call it.  Raises OSError where there is no network."""

    def __init__(self, code: SessionCode, game: str, host: str) -> None:
        self._code = code
        self._properties = {"code": code.text, "game": game, "host": printable(host)[:LONGEST]}
        self._zeroconf = Zeroconf()
        self._closing = threading.Lock()
        try:
            self._zeroconf.register_service(service := self._service())
        except BaseException:
            self._zeroconf.close()
            raise
        self._server = service.server

    def begin(self) -> None:
        """The match has begun: who joins now watches, or takes the seat of an AI."""
        with self._closing:
            if not self._zeroconf.done:
                self._properties["begun"] = "yes"
                self._zeroconf.update_service(self._service(self._server))

    def _service(self, server: str | None = None) -> ServiceInfo:
        code = self._code
        return ServiceInfo(
            SERVICE, f"{code.secret.hex()}-{code.key.hex()[:8]}.{SERVICE}", port=code.port, server=server,
            properties=self._properties,
            addresses=[socket.inet_aton(code.host)] if _is_ipv4(code.host) else None,
        )  # fmt: skip

    def close(self) -> None:
        with self._closing:
            self._zeroconf.unregister_all_services()
            self._zeroconf.close()


class Nearby(ServiceListener, Closing):
    """Follows the matches that are announced; raises OSError without a network.  Any thread may read `found`."""

    def __init__(self) -> None:
        self._found: dict[str, NearbyMatch] = {}
        self._lock = threading.Lock()
        self._zeroconf = Zeroconf()
        self._browser = ServiceBrowser(self._zeroconf, SERVICE, listener=self)

    @property
    def found(self) -> list[NearbyMatch]:
        """The matches, by host."""
        with self._lock:
            return sorted(self._found.values(), key=lambda one: (one.host, one.game, one.code))

    def close(self) -> None:
        self._browser.cancel()
        self._zeroconf.close()

    def add_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        info = zc.get_service_info(type_, name)
        match = read_announcement(info.properties) if info is not None else None
        with self._lock:
            self._found.pop(name, None)
            if match is None:
                return
            secret = parse_code(match.code).secret
            for other, one in tuple(self._found.items()):
                if parse_code(one.code).secret == secret:  # of a host that was lost, and could not take it back
                    del self._found[other]
            if len(self._found) < MOST:
                self._found[name] = match

    update_service = add_service

    def remove_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        with self._lock:
            self._found.pop(name, None)


def read_announcement(properties: Mapping[bytes, Any]) -> NearbyMatch | None:
    """The match of an announcement; None for what is none.

    >>> read_announcement({b"code": b"nonsense"})
    """
    game, host = (
        printable((properties.get(name) or b"").decode("utf-8", "replace"))[:LONGEST] for name in (b"game", b"host")
    )
    code = (properties.get(b"code") or b"").decode("ascii", "replace")
    try:
        parse_code(code)
    except UserError:
        return None
    if not game or "://" in code:
        return None
    return NearbyMatch(code, game, host, has_begun=bool(properties.get(b"begun")))


def _is_ipv4(host: str) -> bool:
    try:
        socket.inet_aton(host)
    except OSError:
        return False
    return True
