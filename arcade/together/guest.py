"""GuestSession: a machine that joins a host's match."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.seats.controller import AgentID, ControllerError
from agents.wire.messages import ProtocolError
from arcade.language import _
from arcade.match.play.result import versions
from arcade.together import messages
from arcade.together.doubts import Doubts
from arcade.together.hurry import GuestHurry
from arcade.together.local_play import LocalPlay, as_result
from arcade.together.messages import FROM_HOST, MAX_HOST_BYTES, Message, Player, decode, printable
from arcade.together.phrases import phrase_text
from arcade.together.terms import SessionError, Terms, other_versions
from arcade.together.ways.links import PeerLink

HELLO_EVERY = 1.0
"""Seconds between two hellos; a host that is silent so long is greeted again."""

JOIN_PATIENCE = 30.0
"""Seconds without an answer after which joining fails."""

MAX_BACKLOG = 4 * messages.MAX_TICKS
"""Sealed ticks that a machine holds before it has played them."""

ABSENT_AFTER = 2.0
PING_EVERY = 0.2
CLAIM_EVERY = 1.0

AGREE_PATIENCE = 30.0
"""Seconds after the end within which the host must say what was agreed on; a host that is silent has gone."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class Offer:
    """A match as its host offers it to this machine."""

    terms: Terms
    free: Sequence[str]  # the seats that this machine may take
    begun: bool = False  # the match is under way: `free` are this machine's own seats, which it had left


class GuestSession:
    """Joins and plays a match; `update` is called in a loop until `is_over`.  Raises SessionError.

    Once the host has answered there is an `offer`.  The owner of the session then makes the game and the players, and
    calls `join`.
    """

    def __init__(
        self, link: PeerLink, *, secret: bytes = b"", name: str = "",
        say: Say = lambda text: None, clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self.link, self.name, self._say = link, name, say
        self.offer: Offer | None = None
        self.play: LocalPlay | None = None
        self.number = 0
        self.begun = False
        self.agreed: messages.Agreed | None = None  # None: the host has not said, or is gone
        self.round_trip = 0.0  # seconds to the host and back
        self.differences: list[tuple[int, str]] = []  # ticks that differed from the host's, and what
        self.names: Mapping[str, str] = {}  # of the machines, by number
        self.lineup: Mapping[str, Player] = {}
        self.waiting: Sequence[int] = ()  # the machines that are ready
        self._players: dict[str, Player] = {}
        self._probe: list[int] = []
        self._secret, self._clock = secret, clock
        self.hurry = GuestHurry(lambda: self.link.datagrams)
        self._instance = secrets.token_bytes(16)
        self._heard_at = self._since = clock()
        self._hello_at = self._ping_at = self._result_at = self._claim_at = 0.0
        self._over_at: float | None = None
        self._is_host_absent = self._has_left = False
        self._wants_more = False  # sealed ticks, once most of those here are played
        self._absent: set[int] = set()  # the other guests that are absent
        self._end: messages.End | None = None
        self._doubts = Doubts(clock)
        self._handlers: dict[type[Message], Callable[[Any], None]] = {
            messages.Welcome: self._on_welcome, messages.Refused: self._on_refused, messages.Lobby: self._on_lobby,
            messages.Begin: self._on_begin, messages.Foretold: self._on_foretold, messages.Ticks: self._on_ticks,
            messages.Differs: self._on_differs, messages.Phrase: self._on_phrase,
            messages.Ping: self._on_ping, messages.Pong: self._on_pong,
            messages.Absent: self._on_absent, messages.Back: self._on_back,
            messages.End: self._on_end, messages.Agreed: self._on_agreed,
        }  # fmt: skip

    @property
    def verdict(self) -> tuple[bool | None, str]:
        """Whether all machines have the same result, None where the host did not say, and why they do not."""
        if not self._has_left and self._doubts.is_forfeit_of_ours(self.play, self._end):
            return False, _("the host ended it as a forfeit of this machine, which did not leave")
        return (self.agreed.ok, printable(self.agreed.why)) if self.agreed is not None else (None, "")

    def say(self, text: str, /) -> None:
        """Report what happens, whatever other machines have put into the text."""
        self._say(printable(text))

    @property
    def is_over(self) -> bool:
        """Whether the match is over and the host has said what was agreed on, or is gone."""
        if self.play is None or self.play.result is None or self._over_at is None:
            return False
        silence, waited = self._clock() - self._heard_at, self._clock() - self._over_at
        gone = self._is_host_absent or silence > 2 * ABSENT_AFTER
        return self.agreed is not None or gone or waited > AGREE_PATIENCE or self._has_left

    def update(self, timeout: float = 0.0) -> None:
        """Hear what has arrived, waiting at most `timeout` for it, and do what is due."""
        for frame in self.link.hear(timeout):
            self._take(frame)
        for message in self.hurry.hear():
            if isinstance(message, messages.Ticks):
                self._on_ticks(message, hurried=True)
            else:
                self._on_foretold(message)
        now = self._clock()
        if now - self._heard_at >= HELLO_EVERY or self.offer is None:
            self._greet(now)
        if now >= self._ping_at and self.offer is not None:
            self._ping_at = now + PING_EVERY
            ping = messages.Ping(sent=now, at=self.play.present if self.play is not None else 0)
            self.link.send(ping)
            self.hurry.here(ping)
        if self.play is not None and not self.begun and now >= self._claim_at:
            self._claim(now)
        if self.begun:
            self._advance(now)

    def due_in(self, now: float) -> float:
        """Seconds for which `update` has nothing to do without a message."""
        match = self.play.match if self.play is not None else None
        return 0.05 if match is None or match.over else min(max(0.0, match.due_in(now)), 0.05)

    def leave(self, why: str = "") -> None:
        """Tell the host; the seats of this machine forfeit."""
        self.link.send(messages.Leave(why=why[: messages.MAX_TEXT]))
        play = self.play
        if play is not None and play.match is not None and not play.match.over:
            self._has_left, self._over_at = True, self._clock()
            loser = next((str(agent) for agent in play.own), "")
            end = messages.End(
                tick=max(0, play.match.index), ended="forfeit" if loser else "quit", loser=loser, why=why
            )
            play.match.end_at(end)
            play.match.end_now()

    def join(self, play: LocalPlay, players: Mapping[AgentID, Player], digests: list[int]) -> None:
        """Claim the seats of `players`, none to watch; `play` has their controllers, `digests` is its probe."""
        self.play, self._probe = play, digests
        self._players = {str(agent): player for agent, player in players.items()}
        play.send, play.on_failed = self.own_input, self.own_failed
        self._heard_at = self._clock()

    def own_input(self, message: Message) -> None:
        """Send an input of this machine's seats."""
        self.link.send(message)
        if self.play is not None:
            self.hurry.own_input(self.play)

    def own_failed(self, agent: AgentID, error: ControllerError) -> None:
        """Leave: a controller of this machine cannot play on."""
        self.leave(f"the controller of {agent} failed: {error}")

    def _greet(self, now: float) -> None:
        if now - self._hello_at < HELLO_EVERY:
            return
        self._hello_at = now
        if self.play is None and now - self._since > JOIN_PATIENCE:
            reason = self.link.refusal or f"no answer within {JOIN_PATIENCE:g} s; is it still open, and is its port?"
            raise SessionError(f"expected a host at {self.link.endpoint}: {reason}")
        hello = messages.Hello(secret=self._secret, instance=self._instance, name=self.name, versions=dict(versions()))
        self.link.send(hello)

    def _advance(self, now: float) -> None:
        play = self.play
        assert play is not None
        assert play.match is not None
        self._look_for_host(now)
        was_over = play.match.over
        play.advance(now)
        if self._wants_more and self._backlog < MAX_BACKLOG // 2:
            self._wants_more = False
            self.link.send(messages.Want(tick=len(play.log)))
        over = play.result is not None
        if (digests := play.book.due(now, at_once=over)) is not None:
            self.link.send(digests)
        if play.match.error is not None and not was_over:
            self.link.send(messages.Leave(why=str(play.match.error)[: messages.MAX_TEXT]))
            self._has_left = True
        if over:
            self._report(now)

    @property
    def _backlog(self) -> int:
        """Sealed ticks that are still to be played."""
        assert self.play is not None
        return len(self.play.log) - max(0, self.play.match.index if self.play.match is not None else 0)

    def _report(self, now: float) -> None:
        """Send the result, each second until the host has answered."""
        assert self.play is not None
        assert self.play.result is not None
        if self._over_at is None:
            self._over_at = now
        if self.agreed is None and now >= self._result_at and not self._has_left:
            self._result_at = now + 1.0
            self.link.send(messages.Result(**as_result(self.play.result)))

    def _look_for_host(self, now: float) -> None:
        """End the match where the host does not come back within the grace period."""
        assert self.play is not None
        assert self.offer is not None
        silence, match = now - self._heard_at, self.play.match
        if silence <= ABSENT_AFTER or match is None or match.over:
            return
        if not self._is_host_absent:
            self._is_host_absent = True
            left = self.offer.terms.grace - silence
            self.say(_("the host is absent; the match waits for {seconds:.0f} s").format(seconds=left))
        if silence > self.offer.terms.grace:
            loser = next((word for word, player in self.lineup.items() if player.peer == 0), "")
            words = _("{machine} did not come back within {seconds:g} s")
            why = words.format(machine=self._name_of(0), seconds=self.offer.terms.grace)
            self.say(why)
            match.end_at(messages.End(tick=match.index, ended="forfeit" if loser else "quit", loser=loser, why=why))
            match.end_now()

    # Messages

    def _take(self, frame: bytes) -> None:
        try:
            message = decode(frame, FROM_HOST, most=MAX_HOST_BYTES)
        except ProtocolError as error:
            raise SessionError(f"expected a host of this session protocol, got: {error.text}") from error
        self._heard_at = self._clock()
        if self._is_host_absent:
            self._is_host_absent = False
            self.say(_("the host is back"))
        self._handlers[type(message)](message)

    def _on_welcome(self, message: messages.Welcome) -> None:
        if self.play is not None:  # greeted again: what was on its way may be lost
            if self.begun:
                self.play.inputs.send_again(message.next)
                self.link.send(messages.Want(tick=len(self.play.log)))
            return
        if self.offer is None and (others := other_versions(message.versions, "at the host")):
            self.say(_("other versions here: {versions}").format(versions=others))
        self._doubts.check_welcome(message)
        self.number = message.peer
        if message.channel:
            self.link.open_datagrams(message.channel, message.channel_key)
        terms = Terms(
            match=message.match, game=message.game, kwargs=message.kwargs, seed=message.seed, rate=message.rate,
            max_ticks=message.max_ticks, grace=message.grace,
        )  # fmt: skip
        self.offer = Offer(terms, message.free, message.begun)

    def _claim(self, now: float) -> None:
        """Claim the seats, each second until the match begins."""
        self._claim_at = now + CLAIM_EVERY
        self.link.send(messages.Claim(seats=self._players, probe=self._probe))
        self.link.send(messages.Ready())

    def _on_refused(self, message: messages.Refused) -> None:
        if self.play is None or self.play.result is None:
            text = printable(message.text)
            raise SessionError(text if message.code == "over" else f"the host refused: {text}")

    def _on_lobby(self, message: messages.Lobby) -> None:
        self.names, self.waiting = message.names, message.ready
        if not self.begun:
            self.lineup = message.lineup

    def _on_begin(self, message: messages.Begin) -> None:
        if self.begun or self.play is None:
            return
        words = {str(agent) for agent in self.play.spec.agents}
        if set(message.lineup) != words:
            raise SessionError(f"expected players in the seats {', '.join(sorted(words))}, got others from the host")
        if message.next and self.offer is not None and not self.offer.begun:
            raise SessionError("expected a match that begins, got inputs of this machine that it never sent")
        self.begun, self.lineup = True, message.lineup
        self.play.inputs.resume(message.next)
        self.play.begin(message.lineup)
        self.say(_("the match begins"))
        self.link.send(messages.Want(tick=0))

    def _on_ticks(self, message: messages.Ticks, *, hurried: bool = False) -> None:
        if self.play is None or not self.begun:
            return
        log, before = self.play.log, len(self.play.log)
        if message.first > before or self._backlog > MAX_BACKLOG:  # some are missing, or too many to be held
            self._wants_more = self._wants_more or not hurried
            return
        try:
            log.take(message, self.play.stage.spaces)
        except ValueError as error:
            raise SessionError(f"expected inputs of the game from the host, got: {error}") from error
        self._doubts.check_inputs(self.play, before)
        self.play.pending.sealed()
        self._wants_more = self._wants_more or (len(message.inputs) > 1 and not hurried)  # a part of what was asked for

    def _on_foretold(self, message: messages.Foretold) -> None:
        play = self.play
        if play is not None and self.begun:
            try:
                play.learn(message, of=[agent for agent in play.spec.agents if agent not in play.own])
            except ValueError as error:
                raise SessionError(f"expected inputs of the game from the host, got: {error}") from error

    def _on_differs(self, message: messages.Differs) -> None:
        play = self.play
        if play is None or message.run != play.book.run or not self.begun:
            return
        self._doubts.check_difference()
        what = play.book.what_differs(message)
        self.differences.append((message.tick, what))
        words = _("tick {tick} differs from the host's: {what}; the match is played anew up to now")
        self.say(words.format(tick=message.tick, what=what))
        self.link.send(messages.Diverged(tick=message.tick, what=what[: messages.MAX_TEXT]))
        play.play_anew()
        self._over_at, self.agreed = None, None
        if self._end is not None and play.match is not None:
            play.match.end_at(self._end)

    def say_phrase(self, number: int) -> None:
        """Say one of PHRASES to all."""
        self.link.send(messages.Phrase(number=number))
        if text := phrase_text(self.name or _("you"), number):
            self.say(text)

    def _on_phrase(self, message: messages.Phrase) -> None:
        text = phrase_text(self._name_of(message.peer), message.number)
        if text and self._doubts.lets_speak(message.peer):
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
        self.round_trip = max(0.0, self._clock() - message.sent)

    def _on_absent(self, message: messages.Absent) -> None:
        if message.peer not in (self.number, *self._absent) and self._doubts.lets_speak(message.peer):
            self._absent.add(message.peer)
            words = _("{machine} is absent; the match waits for {seconds:.0f} s")
            self.say(words.format(machine=self._name_of(message.peer), seconds=message.seconds))

    def _on_back(self, message: messages.Back) -> None:
        if message.peer in self._absent:
            self._absent.discard(message.peer)
            self.say(_("{machine} is back").format(machine=self._name_of(message.peer)))

    def _name_of(self, peer: int) -> str:
        return printable(self.names.get(str(peer), _("machine {number}").format(number=peer)))

    def _on_end(self, message: messages.End) -> None:
        self._end = message
        if self.play is not None and self.play.match is not None:
            self.play.match.end_at(message)

    def _on_agreed(self, message: messages.Agreed) -> None:
        if self.play is not None and self.play.result is not None:
            self.agreed = message
