"""GuestSession: a machine that joins a host's match."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agents.seats.controller import AgentID, ControllerError
from agents.wire.messages import ProtocolError
from arcade.language import _
from arcade.match.play.result import versions
from arcade.together import messages
from arcade.together.host_checks import HostChecks, no_inputs
from arcade.together.hosting.guests import ABSENT_AFTER
from arcade.together.hosting.host import HostSession
from arcade.together.hosting.reasons import part_text, reason_text
from arcade.together.hosting.takeover import MOST_LACKING
from arcade.together.joining import Joining, no_host, refused
from arcade.together.local_play import LocalPlay
from arcade.together.messages import FROM_HOST, MAX_HOST_BYTES, Message, Player, decode, printable
from arcade.together.offer import Offer
from arcade.together.others import Others
from arcade.together.phrases import phrase_text
from arcade.together.report import Report
from arcade.together.seats import forfeited_seat
from arcade.together.succession import LOST_AFTER, Succession
from arcade.together.terms import SessionError, Terms, other_versions
from arcade.together.urgent_messages import GuestUrgentMessages
from arcade.together.views.guest_views import GuestViews
from arcade.together.ways.connector import Connector
from arcade.together.ways.host_search import HELLO_EVERY
from arcade.together.ways.links import HostLink, PeerLink

JOIN_PATIENCE = 30.0
"""Seconds without an answer after which joining fails."""

MAX_BACKLOG = 4 * messages.MAX_TICKS
"""Sealed ticks that a machine holds before it has played them."""

PING_EVERY = 0.2

Say = Callable[[str], None]


class GuestSession:
    """Joins and plays a match; `update` is called in a loop until `is_over`.  Raises SessionError.

    Once the host has answered there is an `offer`.  The owner of the session then makes the game and the players, and
    calls `join`.
    """

    def __init__(
        self, link: PeerLink, *, secret: bytes = b"", name: str = "",
        say: Say = lambda text: None, clock: Callable[[], float] = time.monotonic,
        connector: Connector | None = None, standby: HostLink | None = None, instance: bytes = b"",
    ) -> None:  # fmt: skip
        """`connector`: to the other machines; `standby`: where they reach this one, should it become the host."""
        self.link, self.name, self._say = link, name, say
        self.connector, self.standby, self.secret, self.clock = connector, standby, secret, clock
        self.instance = instance or secrets.token_bytes(16)
        self.succession = Succession(connector, self.hello) if connector is not None else None
        self.number = self.host_number = self.era = 0
        self.end: messages.End | None = None
        self.heard_at = clock()  # the host
        self.offer: Offer | None = None
        self.play: LocalPlay | None = None
        self.begun = self._wants_more = False  # sealed ticks, once most of those here are played
        self.report = Report(lambda message: self.link.send(message))
        self.round_trip = self._ping_at = 0.0  # seconds to the host and back; when the next ping is due
        self.differences: list[dict[str, Any]] = []  # ticks that differed from the host's, and what
        self.lineup: Mapping[str, Player] = {}
        self.joining = Joining(lambda message: self.link.send(message), self.hello, self.heard_at)
        self.chosen: Mapping[str, Player] = {}  # seats that machines have chosen, but not claimed yet
        self.urgent = GuestUrgentMessages(lambda: self.link.datagrams)
        self.views = GuestViews(lambda message: self.link.send(message), lambda: self.play)
        self.is_host_absent = self._has_left = self._was_host = False
        self._checks = HostChecks(clock)
        self.others = Others(self.say, self._checks.lets_speak, connector)
        self._handlers: dict[type[Message], Callable[[Any], None]] = {
            messages.Welcome: self._on_welcome, messages.Refused: self._on_refused, messages.Lobby: self._on_lobby,
            messages.Begin: self._on_begin, messages.Handover: self._on_handover,
            messages.Foretold: self._on_foretold, messages.Ticks: self._on_ticks, messages.Differs: self._on_differs,
            messages.Phrase: self.others.on_phrase, messages.Ping: self._on_ping, messages.Pong: self._on_pong,
            messages.Absent: self.others.on_absent, messages.Back: self.others.on_back,
            messages.End: self._on_end, messages.Want: self._on_want, messages.Leave: self._on_leave,
            messages.Agreed: self.report.on_agreed,
            messages.View: self.views.on_view, messages.Reveal: self.views.on_reveal,
        }  # fmt: skip

    @property
    def names(self) -> Mapping[str, str]:
        """The names of the machines, by number."""
        return self.others.names

    @property
    def waiting(self) -> Sequence[int]:
        """The numbers of the machines that are ready."""
        return self.others.waiting

    @property
    def places(self) -> Mapping[int, messages.Place]:
        """Where those machines are reached that can become the host."""
        return self.others.places

    @property
    def verdict(self) -> tuple[bool | None, str]:
        """Whether all machines have the same result, None where the host did not say, and why they do not."""
        if not self._has_left and self._checks.is_forfeit_of_ours(self.play, self.end):
            return False, _("the host ended it as a forfeit of this machine, which did not leave")
        if self.play is not None and self.play.doubt:
            return False, self.play.doubt
        return self.report.verdict(self.names)

    def say(self, text: str, /) -> None:
        """Report what happens, whatever other machines have put into the text."""
        self._say(printable(text))

    @property
    def is_over(self) -> bool:
        """Whether the match is over and the host has said what was agreed on, or is gone."""
        if self.play is None or self.play.result is None or self.report.over_at is None:
            return False
        now = self.clock()
        gone = self.is_host_absent or now - self.heard_at > 2 * ABSENT_AFTER
        return gone or self._has_left or self.report.is_answered(now)

    def update(self, timeout: float = 0.0) -> None:
        """Hear what has arrived, waiting at most `timeout` for it, and do what is due."""
        for frame in self.link.hear(timeout):
            self._take(frame)
        for message in self.urgent.hear():
            if isinstance(message, messages.Ticks):
                self._on_ticks(message, urgent=True)
            else:
                self._on_foretold(message)
        now = self.clock()
        if now - self.heard_at >= HELLO_EVERY or self.offer is None:
            self._greet(now)
        if now >= self._ping_at and self.offer is not None:
            self._ping_at = now + PING_EVERY
            ping = messages.Ping(sent=now, at=self.play.present if self.play is not None else 0)
            self.link.send(ping)
            self.urgent.ping(ping)
        if self.play is not None and not self.begun:
            self.joining.claim(now)
        if self.begun:
            self._advance(now)

    def due_in(self, now: float) -> float:
        """Seconds for which `update` has nothing to do without a message."""
        match = self.play.match if self.play is not None else None
        return 0.05 if match is None or match.over else min(max(0.0, match.due_in(now)), 0.05)

    def leave(self, cause: str = "", *, seat: str = "", detail: str = "") -> None:
        """Tell the host, with one of FROM_GUEST where the player did not choose to; this machine's seats forfeit."""
        self.link.send(messages.Leave(cause=cause, seat=seat, detail=detail[: messages.MAX_TEXT]))
        play = self.play
        if play is not None and play.match is not None and not play.match.over:
            self._has_left, self.report.over_at = True, self.clock()
            loser = forfeited_seat(self.lineup, self.number)
            why = reason_text(cause, self.others.name_of(self.number), spec=play.spec, seat=seat, detail=detail)
            play.end_here(loser, why)

    def close(self) -> None:
        """Free the sockets; the play stays."""
        self.link.close()
        for one in (self.standby, self.connector, self.succession.search if self.succession is not None else None):
            if one is not None:
                one.close()

    def join(self, play: LocalPlay, players: Mapping[AgentID, Player], digests: list[int]) -> None:
        """Claim the seats of `players`, none to watch; `play` has their controllers, `digests` is its probe."""
        self.play = play
        self.joining.seat(players, digests)
        play.send, play.on_failed = self.own_input, self.own_failed
        self.heard_at = self.clock()

    def resume(self, host: HostSession, host_number: int) -> None:
        """Resume a match that this machine has hosted until now, with the host of that number."""
        play = self.play = host.play
        self._was_host = True
        self.joining.seat({}, host.digests)
        self.begun, self.offer = True, Offer(play.terms, (), begun=True)
        self.number, self.host_number, self.others.own = host.number, host_number, host.number
        self.era, self.lineup, self.end, self.others.names = host.era, host.lineup, host.end, host.names
        self.others.places = {int(number): place for number, place in host.places.items()}
        play.send, play.on_failed = self.own_input, self.own_failed
        self.heard_at = self.clock() - HELLO_EVERY

    def hello(self) -> messages.Hello:
        """What this machine says to those who may be the host."""
        is_in = self.begun and self.play is not None
        return messages.Hello(
            secret=self.secret, instance=self.instance, name=self.name, versions=dict(versions()),
            port=self.standby.port if self.standby is not None else 0, number=self.number if is_in else -1,
            sealed=len(self.play.log) if self.play is not None else 0,
        )  # fmt: skip

    def own_input(self, message: Message) -> None:
        """Send an input of this machine's seats."""
        self.link.send(message)
        if self.play is not None:
            self.urgent.own_input(self.play)

    def own_failed(self, agent: AgentID, error: ControllerError) -> None:
        """Leave: a controller of this machine cannot play on."""
        self.leave("seat", seat=str(agent), detail=error.cause or str(error))

    def _greet(self, now: float) -> None:
        if self.play is None and now - self.joining.since > JOIN_PATIENCE:
            raise no_host(self.link.endpoint, self.link.refusal)
        self.joining.greet(now)

    def _advance(self, now: float) -> None:
        play = self.play
        assert play is not None
        assert play.match is not None
        was_over = play.match.over
        play.advance(now)
        if self._wants_more and self._backlog < MAX_BACKLOG // 2:
            self._wants_more = False
            self.link.send(messages.Want(tick=len(play.log)))
        over = play.result is not None
        if (digests := play.book.due(now, at_once=over)) is not None:
            self.link.send(digests)
        if play.match.error is not None and not was_over:
            self.link.send(messages.Leave(cause="game", detail=str(play.match.error)[: messages.MAX_TEXT]))
            self._has_left = True
        if over:
            self.report.update(play, now, sends=not self._has_left)
        self.views.update(now)

    @property
    def looks_for_host(self) -> bool:
        """Whether another host is to be found where this one is lost."""
        return self.begun and self.play is not None and self.play.result is None and not self._has_left

    @property
    def _backlog(self) -> int:
        """Sealed ticks that are still to be played."""
        assert self.play is not None
        return len(self.play.log) - max(0, self.play.match.index if self.play.match is not None else 0)

    # Messages

    def _take(self, frame: bytes) -> None:
        try:
            message = decode(frame, FROM_HOST, most=MAX_HOST_BYTES)
        except ProtocolError as error:
            words = _("expected a host of this session protocol, got: {error}")
            raise SessionError(words.format(error=error.text)) from error
        self.take(message)

    def take(self, message: Message) -> None:
        """Take a message of the host."""
        self.heard_at = self.clock()
        if self.is_host_absent:
            self.is_host_absent = False
            self.say(_("the host is back"))
        if self.play is None or type(message) in self.play.hears:
            self._handlers[type(message)](message)

    def _on_welcome(self, message: messages.Welcome) -> None:
        if message.channel:
            self.link.open_datagrams(message.channel, message.channel_key)
        if self.play is not None:  # greeted again: what was on its way may be lost
            if self.begun:
                if message.kept >= 0 and (message.era != self.era or self._was_host):
                    self._checks.check_kept(message.kept, len(self.play.log))
                    self.play.keep(message.kept)
                self.host_number, self.era, self._was_host = message.host, message.era, False
                self.play.inputs.continue_from(message.next)
                self.link.send(messages.Want(tick=len(self.play.log)))
            return
        if self.offer is None and (others := other_versions(message.versions, "at the host")):
            self.say(_("other versions here: {versions}").format(versions=others))
        mode = self._checks.check_welcome(message)
        self.number, self.host_number, self.era = message.peer, message.host, message.era
        terms = Terms(
            match=message.match, game=message.game, kwargs=message.kwargs, seed=message.seed, rate=message.rate,
            max_ticks=message.max_ticks, grace=message.grace, mode=mode, commitment=message.commitment,
        )  # fmt: skip
        self.offer = Offer(terms, message.free, message.begun, message.takeable)

    def _on_refused(self, message: messages.Refused) -> None:
        if self.play is None or self.play.result is None:
            raise refused(message, self.play.spec if self.play is not None else None, self.lineup)

    def _on_lobby(self, message: messages.Lobby) -> None:
        self.others.on_lobby(message)
        if not self.begun:
            self.lineup, self.chosen = message.lineup, message.chosen

    def _on_begin(self, message: messages.Begin) -> None:
        if self.begun or self.play is None:
            return
        words = {str(agent) for agent in self.play.spec.agents}
        if set(message.lineup) != words:
            raise SessionError(_("expected players in all seats of the game, got others from the host"))
        if self.offer is not None and not self.offer.begun:
            self._checks.check_begin(self.play, message.next)
        self.begun, self.lineup = True, message.lineup
        self.number = self.others.own = message.peer if message.peer >= 0 else self.number
        own = self.play.own
        if any(message.lineup[str(agent)].peer != self.number for agent in own):
            self.play.wait_for_seats(own)
        self.play.inputs.resume(message.next)
        self.play.begin(message.lineup)
        self.say(_("the match begins"))
        self.link.send(messages.Want(tick=0))

    def _on_handover(self, message: messages.Handover) -> None:
        """Another player decides a seat from a tick on: one of this machine, where it has asked for that."""
        play = self.play
        if play is None or not self.begun or message in play.handovers or message.seat not in self.lineup:
            return
        self._checks.check_handover(play, message, self.number)
        self.lineup = {**self.lineup, message.seat: message.player}
        play.hand_over(message)
        self.say(play.handover_text(message))

    def _on_ticks(self, message: messages.Ticks, *, urgent: bool = False) -> None:
        if self.play is None or not self.begun:
            return
        before = len(self.play.log)
        if message.first > before or self._backlog > MAX_BACKLOG:  # some are missing, or too many to be held
            self._wants_more = self._wants_more or not urgent
            return
        try:
            self.play.take_ticks(message)
        except ValueError as error:
            raise no_inputs(error) from error
        self._checks.check_inputs(self.play, before)
        self._wants_more = self._wants_more or (len(message.inputs) > 1 and not urgent)  # a part of what was asked for

    def _on_foretold(self, message: messages.Foretold) -> None:
        play = self.play
        if play is not None and self.begun:
            try:
                play.learn(message, of=play.of_others)
            except ValueError as error:
                raise no_inputs(error) from error

    def _on_differs(self, message: messages.Differs) -> None:
        play = self.play
        if play is None or message.run != play.book.run or not self.begun:
            return
        self._checks.check_difference()
        what = play.book.what_differs(message)
        self.differences.append({"tick": message.tick, "machine": "here", "what": what})
        words = _("tick {tick} differs from the host's: {what}; the match is played anew up to now")
        self.say(words.format(tick=message.tick, what=part_text(what, play.spec)))
        self.link.send(messages.Diverged(tick=message.tick, what=what[: messages.MAX_TEXT]))
        play.play_anew()
        self.report.withdraw()
        if self.end is not None:
            play.end_at(self.end)

    def say_phrase(self, number: int) -> None:
        """Say one of PHRASES to all."""
        self.link.send(messages.Phrase(number=number))
        if text := phrase_text(self.names.get(str(self.number)) or _("you"), number):
            self.say(text)

    def _on_ping(self, message: messages.Ping) -> None:
        self.link.send(messages.Pong(sent=message.sent))
        play = self.play
        if play is None or not self.begun or self.offer is None:
            return
        play.adapt(message.slowest)
        play.keep_pace(message.at + self.round_trip / 2 * self.offer.terms.rate)
        play.book.send_again(message.compared)
        if play.match is not None and play.match.is_waiting:  # for what may be lost
            play.inputs.send_again(message.next)
            self._wants_more = self._wants_more or len(play.log) < message.sealed

    def _on_pong(self, message: messages.Pong) -> None:
        self.round_trip = max(0.0, self.clock() - message.sent)

    def _on_end(self, message: messages.End) -> None:
        spec = self.play.spec if self.play is not None else None
        self.end = message = self.others.explain(message, self.offer.terms.grace if self.offer else 0.0, spec)
        if self.play is not None:
            self.play.end_at(message)

    def _on_want(self, message: messages.Want) -> None:
        """A new host lacks ticks that this machine has."""
        if self.play is not None and self.begun:
            self.link.send(self.play.log.message(message.tick, most=MOST_LACKING))

    def _on_leave(self, message: messages.Leave) -> None:
        """The host has left, and the others play on."""
        if self.begun and self.play is not None and self.play.result is None:
            self.say(reason_text("left", self.others.name_of(self.host_number), 0.0))
            self.heard_at = self.clock() - LOST_AFTER
