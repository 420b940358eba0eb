"""Admission: who may come in to a host's match, and what they are told first."""

from __future__ import annotations

import hmac
from collections.abc import Callable

from agents.wire.keys import Keys
from arcade.language import _
from arcade.match.play.result import versions
from arcade.together import messages
from arcade.together.hosting.guests import Guest
from arcade.together.hosting.host_view import HostView
from arcade.together.hosting.names import free_name
from arcade.together.messages import Hello, Place, Welcome, printable
from arcade.together.terms import other_versions
from arcade.together.ways.links import Heard

UNINVITED = "expected the code of this match, or a key that the host allows (arcade keys allow), got neither"


class Admission:
    """Of a host.  Those who have the secret of its code, or a key that it allows, are let in."""

    def __init__(self, session: HostView, secret: bytes, clock: Callable[[], float]) -> None:
        self._session, self._secret, self._clock = session, secret, clock

    def on_hello(self, heard: Heard, hello: Hello) -> None:
        session, guest = self._session, self._known(heard, hello)
        if guest is None:
            guest = self._let_in(heard, hello)
            if guest is None:
                return
        elif guest.key != heard.key:
            session.refuse(heard.sender, "secret", "expected the key that this machine had before, got another")
            return
        guest.sender, guest.is_live = heard.sender, False
        guest.place = self._place(heard, hello)
        session.urgent.admit(guest)
        if guest.heard(self._clock()):
            session.tell(messages.Back(peer=guest.number), _("{machine} is back").format(machine=guest.title))
        if session.takeover is not None:
            session.takeover.greeted(guest, hello)
        session.send(guest, self._welcome(guest))
        session.tell_lobby()

    def _known(self, heard: Heard, hello: Hello) -> Guest | None:
        """The machine, where it is here already, or was with the host before this one."""
        guests = self._session.guests
        found = guests.with_instance(hello.instance)
        if found is None and hello.number >= 0:
            before = guests.at(hello.number)
            if before is not None and before.key == heard.key and not before.instance:
                before.instance = hello.instance
                return before
        return found

    def _is_invited(self, key: str, secret: bytes) -> bool:
        """Whether a stranger may become a guest."""
        has_secret = bool(self._secret and hmac.compare_digest(secret, self._secret))
        return has_secret or not key or Keys().admits(bytes.fromhex(key))

    def _let_in(self, heard: Heard, hello: Hello) -> Guest | None:
        """A machine that is new here; None where it was refused."""
        session = self._session
        if not self._is_invited(heard.key, hello.secret):
            session.refuse(heard.sender, "secret", UNINVITED)
            return None
        if session.play.result is not None:
            session.refuse(heard.sender, "over", "the match is over")
            return None
        name = free_name(printable(hello.name), session.names.values()) if hello.name else ""
        guest = session.guests.add(heard.sender, heard.key, hello.instance, name, self._clock())
        if guest is None:
            text = f"expected at most {messages.MAX_PEERS} machines in a match, got one more"
            session.refuse(heard.sender, "full", text)
            return None
        if others := other_versions(hello.versions, f"at {guest.title}"):
            session.say(_("{machine} has other versions: {versions}").format(machine=guest.title, versions=others))
        return guest

    def _place(self, heard: Heard, hello: Hello) -> Place | None:
        """Where the others reach a machine; None where it listens nowhere."""
        if not hello.port or not heard.address:
            return None
        return Place(heard.address, hello.port, bytes.fromhex(heard.key) or self._session.key)

    def _welcome(self, guest: Guest) -> Welcome:
        session = self._session
        terms, chosen = session.terms, session.guests.chosen(session.free)
        free = [word for word in session.free if word not in chosen or chosen[word].peer == guest.number]
        if session.begun and not guest.is_seated:
            silent = session.guests.replaceable(guest.key, self._clock(), but=guest)
            free = [str(agent) for agent in silent[0].seats] if silent else []
        return Welcome(
            peer=guest.number, match=terms.match, game=terms.game, kwargs=dict(terms.kwargs),
            seed=terms.trial_seed, mode=terms.mode.name, commitment=terms.commitment,
            rate=terms.rate, max_ticks=terms.max_ticks, grace=terms.grace, versions=dict(versions()),
            free=free, begun=session.begun, takeable=session.late_seats.takeable,
            next=session.next_of(guest), channel=guest.channel, channel_key=guest.channel_key,
            host=session.number, era=session.era,
            kept=session.takeover.kept if session.takeover is not None else -1,
        )  # fmt: skip
