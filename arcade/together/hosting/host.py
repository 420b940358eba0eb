"""HostSession: the machine that offers a match, seals its inputs and compares what the others compute."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from agents.seats.controller import AgentID, Controller, ControllerError
from agents.wire.messages import ProtocolError
from arcade.language import _
from arcade.together import messages
from arcade.together.hosting.absence import Absences
from arcade.together.hosting.admission import Admission
from arcade.together.hosting.agreement import Agreement
from arcade.together.hosting.chat import Chat
from arcade.together.hosting.claims import Claims
from arcade.together.hosting.guests import Guest, Guests
from arcade.together.hosting.late_seats import LateSeats
from arcade.together.hosting.message_limits import MessageLimits
from arcade.together.hosting.names import told_apart
from arcade.together.hosting.reasons import reason_text
from arcade.together.hosting.sealing import Sealing
from arcade.together.hosting.takeover import Takeover
from arcade.together.hosting.truth import Truth
from arcade.together.hosting.views import HostViews
from arcade.together.input_log import foretold
from arcade.together.local_play import LocalPlay
from arcade.together.messages import FROM_PEER, FROM_PEER_BY_VIEWS, MAX_PEER_BYTES, Message, Player, decode, printable
from arcade.together.seats import forfeited_seat
from arcade.together.urgent_messages import HostUrgentMessages
from arcade.together.ways.codes import SessionCode
from arcade.together.ways.connector import Connector
from arcade.together.ways.links import Heard, HostLink

PING_EVERY = 0.2

Say = Callable[[str], None]


class HostSession:
    """Runs a match with its guests; `update` is called in a loop until `is_over`.

    `digests` is the host's probe.  Guests take the seats that the host does not `reserve` for its own players; once it
    has called `ready` and all seats are taken, the match begins.
    """

    def __init__(
        self, link: HostLink, play: LocalPlay, digests: list[int], *,
        secret: bytes, name: str = "", say: Say = lambda text: None, clock: Callable[[], float] = time.monotonic,
        connector: Connector | None = None, number: int = 0, era: int = 0, instance: bytes = b"",
    ) -> None:  # fmt: skip
        """`connector`: to another machine, should that become the host; `number` of this one, `era` of the match."""
        self.link, self.play, self.terms, self.spec = link, play, play.terms, play.spec
        self.connector, self.number, self.era, self.digests = connector, number, era, digests
        self.instance = instance or secrets.token_bytes(16)
        self.guests = Guests(number)
        self.takeover: Takeover | None = None
        self.code: SessionCode | None = None  # by which others join on this network, once it is known
        self.moved_to: int | None = None  # the number of the machine that has become the host meanwhile
        self.name, self._say = name, say
        self.lineup: dict[str, Player] = {}
        self.end: messages.End | None = None
        self.begun = self.is_ready = False
        play.send, play.on_failed = self.own_input, self.own_failed
        self.agreement, self.chat = Agreement(self), Chat(self, clock)
        self.absences, self.late_seats = Absences(self), LateSeats(self)
        self.truth, self.claims = Truth(self), Claims(self, digests, clock)
        self.views, self._sealing = HostViews(self, clock), Sealing(self)
        self.urgent = HostUrgentMessages(None if self.views.is_on else link.datagrams, self.guests, clock)
        self._limits, self.admission = MessageLimits(), Admission(self, secret, clock)
        self.secret, self.clock = secret, clock
        self._ping_at = 0.0
        self._handlers: dict[type[Message], Callable[[Guest, Any], None]] = {
            messages.Choose: self.claims.on_choose, messages.Claim: self.claims.on_claim,
            messages.Ready: self._on_ready, messages.Input: self._on_input,
            messages.Want: self._on_want, messages.Digests: self.truth.on_digests,
            messages.Diverged: self.truth.on_diverged,
            messages.Phrase: self.chat.on_phrase, messages.Ping: self._on_ping, messages.Pong: self._on_pong,
            messages.Leave: self.absences.left, messages.Result: self.agreement.on_result,
            messages.Ticks: self._on_ticks, messages.Moved: self._on_moved,
        }  # fmt: skip
        self._hears = FROM_PEER_BY_VIEWS if self.views.is_on else FROM_PEER

    @property
    def free(self) -> list[str]:
        """The seats without a player."""
        return [str(agent) for agent in self.spec.agents if str(agent) not in self.lineup]

    def reserve(self, players: Mapping[AgentID, Player]) -> None:
        """Keep these seats, and no others, for the host's own players; a seat that a guest has stays with the guest."""
        kept = {word: player for word, player in self.lineup.items() if player.peer != self.number}
        own = {str(agent): player for agent, player in players.items()}
        self.lineup = told_apart(own, self.number, kept.values()) | kept
        self.tell_lobby()

    def ready(self, own: Mapping[AgentID, Controller]) -> None:
        """Begin as soon as all seats are taken; `own` are the controllers of the seats that are reserved."""
        self.play.seat(own)
        self.is_ready = True
        self.tell_lobby()

    @property
    def names(self) -> dict[str, str]:
        """The names of the machines, by number."""
        guests = {str(guest.number): guest.title for guest in self.guests}
        return {str(self.number): self.name or _("the host"), **guests}

    @property
    def key(self) -> bytes:
        """The public key of this machine."""
        return self.link.address.key

    @property
    def places(self) -> dict[str, messages.Place]:
        """Where those machines are reached that can become the host, by number."""
        if self.views.is_on:
            return {}  # only this machine has what the match needs
        return {str(guest.number): guest.place for guest in self.guests if guest.place is not None}

    @property
    def waiting(self) -> list[int]:
        """The numbers of the machines that are ready."""
        return [*([self.number] if self.is_ready else []), *(guest.number for guest in self.guests if guest.is_ready)]

    @property
    def round_trip(self) -> float:
        """Seconds to the slowest guest and back."""
        return self.guests.slowest

    @property
    def verdict(self) -> tuple[bool | None, str]:
        """Whether all machines have the same result, None where there is none to compare, and why they do not."""
        why_not = self.agreement.why_not
        return (None if self.play.result is None or not self.play.result.ticks else not why_not), why_not

    @property
    def differences(self) -> list[dict[str, Any]]:
        """The ticks that differed between the machines."""
        return [asdict(one) for one in self.truth.differences]

    @property
    def is_over(self) -> bool:
        """Whether the match is over, and all that are there have said what came of it."""
        return self.play.result is not None and self.agreement.is_settled(self.clock())

    def update(self, timeout: float = 0.0) -> None:
        """Hear what has arrived, waiting at most `timeout` for it, and do what is due."""
        self._limits.begin()
        for heard in self.link.hear(timeout):
            sender = self.guests.of(heard.sender)
            if self._limits.reads(sender):
                self._take(heard, sender)
        for guest, message in self.urgent.hear():
            self._take_urgent(guest, message)
        now = self.clock()
        if self.takeover is not None:
            self.takeover.update(now)
        self._answer_wants()
        if self.begun:
            self.late_seats.update()
            self._advance(now)
        else:
            self._begin_if_ready()
        if now >= self._ping_at:
            self._ping_at = now + PING_EVERY
            self.play.adapt(self.guests.slowest)
            for guest in self.guests:
                self.send(guest, self._ping(guest, now))
        self.absences.update(now)

    def due_in(self, now: float) -> float:
        """Seconds for which `update` has nothing to do without a message."""
        match = self.play.match
        return 0.05 if match is None or match.over else min(max(0.0, match.due_in(now)), 0.05)

    def leave(self) -> None:
        """End the match for all; the host's own seats forfeit."""
        why = reason_text("left", self.names[str(self.number)], self.terms.grace)
        if self.begun and self.play.result is None:
            loser = forfeited_seat(self.lineup, self.number)
            if not loser and any(guest.seats for guest in self.guests) and not self.views.is_on:
                self._send_all(messages.Leave())  # they play on by themselves
                self.play.stop()
                return
            self.end_match("forfeit" if loser else "quit", loser, why, cause="left", machine=self.number)
            self._advance(self.clock())
        elif not self.begun:
            self._send_all(messages.Refused(code="over", text=why))

    def end_match(
        self, ended: str, loser: str, why: str, *, cause: str = "", machine: int = 0, seat: str = "", detail: str = ""
    ) -> None:  # fmt: skip
        """End after the inputs that are sealed now, at every machine; see `messages.End`."""
        if self.end is None and self.begun:
            why, detail = printable(why)[: messages.MAX_TEXT], printable(detail)[: messages.MAX_TEXT]
            self.end = messages.End(len(self.play.log), ended, loser, why, cause, machine, seat, detail)
            self._send_all(self.end)
            if self.play.match is not None:
                self.play.match.end_at(self.end)

    def close(self) -> None:
        """Free the sockets; the play stays."""
        self.link.close()
        if self.takeover is not None:
            self.takeover.search.close()
        if self.connector is not None:
            self.connector.close()

    def say(self, text: str, /) -> None:
        """Report what happens, whatever other machines have put into the text."""
        self._say(printable(text))

    def send(self, guest: Guest, message: Message) -> None:
        self.link.send(guest.sender, message)

    def _send_all(self, message: Message) -> None:
        for guest in self.guests:
            self.send(guest, message)

    def tell(self, message: Message, text: str) -> None:
        """Send to all guests, and report it here where there is a text."""
        self._send_all(message)
        if text:
            self.say(text)

    def tell_lobby(self) -> None:
        """Tell all guests who has which seat."""
        self._send_all(messages.Lobby(
            lineup=self.lineup, chosen=self.guests.chosen(self.free), names=self.names, ready=self.waiting,
            places=self.places, relay=self.connector.relay_text if self.connector is not None else "",
        ))  # fmt: skip

    # Play

    def own_input(self, message: Message) -> None:
        """Take an input of the host's own seats."""
        assert isinstance(message, messages.Input)
        self._add_inputs(message, None)
        self.urgent.own_input(self.play)

    def own_failed(self, agent: AgentID, error: ControllerError) -> None:
        """End the match: the controller of one of the host's seats cannot play on."""
        self._end_here("seat", ended="forfeit", seat=str(agent), detail=error.cause or str(error))

    def _end_here(self, cause: str, *, ended: str, seat: str = "", detail: str) -> None:
        """End the match for a reason of this machine, one of REASONS."""
        why = reason_text(cause, self.names[str(self.number)], spec=self.spec, seat=seat, detail=detail)
        self.end_match(ended, seat, why, cause=cause, machine=self.number, seat=seat, detail=detail)

    def _advance(self, now: float) -> None:
        before = len(self.play.log)
        self.play.advance(now)
        self._sealing.seal()
        if len(self.play.log) > before:
            self.play.advance(now)
            self._send_ticks(before)
        match = self.play.match
        if match is not None and match.error is not None and self.end is None:
            self._end_here("game", ended="failed", detail=str(match.error))
        self.truth.update(now)
        if self.play.result is not None:
            self.agreement.update(now)

    def _send_ticks(self, first: int) -> None:
        if self.views.is_on:
            return
        message = self.play.log.message(first)
        for guest in self.guests:
            if guest.is_live:
                self.send(guest, message)
        self.urgent.ticks(self.play)

    def _add_inputs(self, message: messages.Input, guest: Guest | None) -> None:
        """Raises ValueError for inputs that are none of the game or of these seats."""
        checked = self.play.learn(message, of=self.play.own if guest is None else guest.seats)
        told = foretold(checked, since=0 if guest is None else guest.foretold)
        if told is None or self.spec.turn_based or self.views.is_on:
            return
        if guest is not None:
            guest.foretold = max(checked) + 1
        for other in self.guests:
            if other is not guest and other.is_live:
                self.send(other, told)

    def _ping(self, guest: Guest, now: float) -> messages.Ping:
        """A ping, with what the guest needs to send again what was lost."""
        if self.end is not None:
            self.send(guest, self.end)
        return messages.Ping(
            sent=now, at=self.play.present, slowest=self.guests.slowest, sealed=len(self.play.log),
            next=self.next_of(guest), compared=len(guest.comparison.values),
        )  # fmt: skip

    def next_of(self, guest: Guest) -> int:
        """The first tick without an input of a guest."""
        tick = max(len(self.play.log), guest.first)
        while guest.seats and any(agent in self.play.pending.at(tick) for agent in guest.seats):
            tick += 1
        return tick

    # Messages

    def _take(self, heard: Heard, guest: Guest | None) -> None:
        now = self.clock()
        try:
            message = decode(heard.frame, self._hears if guest is not None else (messages.Hello,), most=MAX_PEER_BYTES)
            if not self._limits.answers(guest, message, now):
                return
            if isinstance(message, messages.Hello):
                self.admission.on_hello(heard, message)
            elif guest is not None:
                if guest.heard(now):
                    self.tell(messages.Back(peer=guest.number), _("{machine} is back").format(machine=guest.title))
                self._handlers[type(message)](guest, message)
        except ProtocolError as error:
            if error.code == "version":
                self.link.send(heard.sender, messages.Refused(code="version", text=error.text))
        except ValueError as error:
            if guest is not None:
                self.refuse(guest.sender, "input", str(error))
                self.absences.gone(guest, "spoilt", detail=str(error))

    def _take_urgent(self, guest: Guest, message: messages.Input) -> None:
        """Take inputs that come by messages, too; those are checked."""
        if self.begun and self.terms.rate:
            with suppress(ValueError):
                self.urgent.foretell(self.play.learn(message, of=guest.seats), guest)

    def refuse(self, sender: bytes, code: str, text: str) -> None:
        """Tell a machine that it cannot take part, and why."""
        self.link.send(sender, messages.Refused(code=code, text=text[: messages.MAX_TEXT]))

    def _on_ready(self, guest: Guest, message: messages.Ready) -> None:
        if guest.is_seated and not guest.is_ready:
            guest.is_ready = True
            self.tell_lobby()

    def _begin_if_ready(self) -> None:
        if self.free or not self.is_ready or not all(guest.is_ready for guest in self.guests if guest.seats):
            return
        self.begun = True
        self.guests.measure_anew()
        for guest in self.guests:
            if guest.is_seated:
                self.send(guest, messages.Begin(lineup=self.lineup, peer=guest.number))
        self.say(_("the match begins"))
        self.play.begin(self.lineup)

    def _on_input(self, guest: Guest, message: messages.Input) -> None:
        if self.begun:
            self._add_inputs(message, guest)

    def _on_want(self, guest: Guest, message: messages.Want) -> None:
        guest.wanted = message.tick

    def _answer_wants(self) -> None:
        """Send what guests asked for last, once for all that they have asked since the last update."""
        for guest in self.guests:
            first = guest.wanted
            if self.views.is_on:
                if self.begun and first is not None and self.views.answer(guest, first):
                    self.late_seats.send(guest)
                    guest.wanted = None
                continue
            guest.wanted = None
            if self.begun and first is not None and first <= len(self.play.log):
                self.late_seats.send(guest)
                ticks = self.play.log.message(first)
                guest.is_live = first + len(ticks.inputs) == len(self.play.log)
                self.send(guest, ticks)

    def say_phrase(self, number: int) -> None:
        """Say one of PHRASES to all."""
        self.chat.say(number)

    def _on_ping(self, guest: Guest, message: messages.Ping) -> None:
        self.send(guest, messages.Pong(sent=message.sent))
        guest.at = message.at
        now = guest.pinged_at = self.clock()
        if guest.seats and now - guest.paced_at >= PING_EVERY / 2:
            guest.paced_at = now
            self.play.keep_pace(message.at + guest.round_trip / 2 * self.terms.rate)

    def _on_pong(self, guest: Guest, message: messages.Pong) -> None:
        guest.measured(self.clock() - message.sent)

    def _on_ticks(self, guest: Guest, message: messages.Ticks) -> None:
        if self.takeover is not None:
            self.takeover.on_ticks(guest, message)

    def _on_moved(self, guest: Guest, message: messages.Moved) -> None:
        """Another machine has become the host; it is followed where all others have left, and it is no guest itself."""
        is_free = self.begun and self.guests.are_left_to(guest, self.clock())
        if guest.number == message.host and guest.place is not None and is_free:
            self.moved_to = guest.number
