"""RemoteController: client of a policy server, a seat played by another process; the match never waits for it."""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import zmq

from agents.plain_text import line
from agents.seats.controller import Action, Controller, ControllerError, SeatSpec, Turn
from agents.spaces import action_signature, conform, observation_signature
from agents.wire import messages
from agents.wire.addresses import Address, AddressError, parse_address
from agents.wire.handshakes import CUT, Handshakes, connect
from agents.wire.limits import (
    MAX_ERROR_TEXT,
    MAX_NAME,
    MAX_REPLIES,
    MAX_REPLIES_READ,
    MAX_REPLY_BYTES,
    RETRY_SECONDS,
    SILENCE,
)
from agents.wire.messages import Act, ActionReply, Hello, Message, ProtocolError, decode, encode
from agents.wire.patience import Patience
from agents.wire.server_watch import ServerWatch
from agents.wire.sockets import connecting_socket, send_frame

_EVENTS, _POLLIN, _NOBLOCK = int(zmq.EVENTS), int(zmq.POLLIN), int(zmq.NOBLOCK)  # as enums they cost more than the call
_REPLIES = (ActionReply, messages.Welcome, messages.Error)
_PASSING = ("busy", "unknown_seat")  # codes of errors after which the seat asks again

_seat_numbers = itertools.count(1)


@dataclass(slots=True)
class RemoteCounts:
    """Counts of a seat's turns by their outcome."""

    sent: int = 0
    answered: int = 0  # replies with an action, late ones included
    dropped: int = 0  # turns that could not be sent: no connection, a full queue, or a silent server
    errors: int = 0  # error replies, and replies that could not be read or are no legal action
    hellos: int = 0


def parse_remote(argument: str) -> tuple[str, str]:
    """``ADDRESS[/POLICY]`` as (address, policy); an ipc path keeps its slashes and names no policy."""
    scheme, mark, rest = argument.partition("://")
    if not mark or not rest:
        raise ControllerError(f"expected an address like tcp://127.0.0.1:5555/POLICY, got: {argument!r}")
    if scheme != "tcp":
        return argument, ""
    place, _, policy = rest.partition("/")
    return f"{scheme}://{place}", policy


class RemoteController(Controller):
    """Asks the server at `address` for `policy` ("" is the server's own choice).

    No call blocks: a turn that cannot be sent is dropped, `act` takes the answers that have arrived, and a server that
    is stopped, killed or replaced is greeted again as soon as it answers.  `clock` gives monotonic seconds.  A server
    that refuses the seat, is not there, stays silent or answers wrongly is given up, see Patience: then `act` raises
    ControllerError, until the next episode.
    `label` is the requested policy until the server names the one that plays, and then that of the newest answer; the
    seat is unrated until then.
    """

    kind = "remote"

    def __init__(self, address: str, policy: str = "", *, clock: Callable[[], float] = time.monotonic) -> None:
        self._address, self._socket, self._watch = _connect(address)
        self._handshakes: Handshakes | None = None  # watched once the server is silent
        self.endpoint, self.policy = self._address.endpoint, policy
        self.label = line(policy, most=MAX_NAME) or self.endpoint
        self.rated = False
        self.counts = RemoteCounts()
        self.rtt_ms: float | None = None  # of the newest answer
        self._rtts: deque[float] = deque(maxlen=1024)  # ms, of the newest answers in this episode
        self.last_error = ""  # the newest error, for people
        self._clock = clock
        self._number = next(_seat_numbers)
        self._seat: SeatSpec | None = None
        self._obs_type = ""  # of the observations that the server wants
        self._hello: Hello | None = None
        self._greeted = False  # a hello is on its way or was welcomed, and no error has undone it
        self._welcomed = False  # the newest hello was
        self._hello_at = -np.inf
        self._retry_at: float | None = None
        self._unanswered_since: float | None = None
        self._ids = itertools.count(1)
        self._hello_id = self._turn_id = self._stale_id = 0
        self._turn: Turn | None = None
        self._sent = False  # the newest turn is on its way
        self._action: Action | None = None
        self._stale: Action | None = None
        self._pending: dict[int, tuple[float, Turn]] = {}  # by id: when a turn was sent, and the turn
        self._patience = Patience(self.endpoint, clock)

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        """Raises ControllerError for a seat whose observations or actions cannot travel."""
        try:
            observation, action = observation_signature(seat.observation_space), action_signature(seat.action_space)
            others = {name: observation_signature(space) for name, space in seat.other_spaces.items() if name}
        except TypeError as error:
            raise ControllerError(f"no remote can play {seat.game}: {error}") from error
        self._seat = seat
        if self._socket.closed:  # the last episode gave its server up
            self._address, self._socket, self._watch = _connect(str(self._address))
        self._hello = Hello(
            seat=self._number,
            game=seat.game,
            agent=seat.agent if isinstance(seat.agent, str) else int(seat.agent),
            policy=self.policy,
            observation=observation,
            action=action,
            seed=seed % 2**63,
            sticks=seat.sticks,
            others={name: one for name, one in others.items() if one != observation},
        )
        self.other_types, self._obs_type = frozenset(self._hello.others), ""
        self._turn, self._action, self._stale, self._sent = None, None, None, False
        self._pending.clear()
        self._greeted, self._hello_at = False, -np.inf
        self._unanswered_since = None
        self._rtts.clear()
        self._patience.begin()
        self._greet()

    @property
    def silent(self) -> bool:
        """Whether a message, sent or not, has had no answer for SILENCE."""
        if not self._is_overdue:
            return False
        self._listen()  # a seat that left the game, or is paused, takes no answers
        return self._is_overdue

    @property
    def _is_overdue(self) -> bool:
        since = self._unanswered_since
        return since is not None and self._clock() - since > SILENCE

    def why_absent(self) -> str:
        self._listen()  # a seat that left the game takes no answers
        return self._patience.absence(is_connected=self._watch.is_connected)

    def observe(self, turn: Turn) -> None:
        if self._turn is not None and self._action is None and not self._sent:
            self.counts.dropped += 1
        self._turn, self._action, self._sent, self._retry_at = turn, None, False, None
        self._send_turn()

    def act(self) -> Action | None:
        if self._action is None:
            self._listen()
            if self._action is None and self._turn is not None:
                self._wait()
            if reason := self._patience.reason:
                self.last_error = reason
                self._hang_up()  # frees what the server still sends
                raise ControllerError(reason, cause=self._patience.cause)
        return self._action

    def _wait(self) -> None:
        """Ask again where that may help."""
        if not self._sent or self.silent:
            self._send_turn()
        if self._watch.take_cut():
            self._patience.end("cut", f"expected actions from {self.endpoint}, but {CUT}")
        self._patience.wait()

    def stale(self) -> Action | None:
        self._listen()
        action, self._stale = self._stale, None
        return action

    def report(self) -> dict[str, Any]:
        """The endpoint, round-trip times, the counts since the controller was made, and the newest error."""
        rtt = {f"rtt_ms_p{p}": round(float(np.percentile(self._rtts, p)), 2) for p in (50, 99) if self._rtts}
        error = {"last_error": self.last_error} if self.last_error else {}
        return {"endpoint": self.endpoint, **rtt, **asdict(self.counts), **error}

    def close(self) -> None:
        if not self._socket.closed:
            self._send(messages.Bye(seat=self._number), 0)
            self._hang_up()

    def _hang_up(self) -> None:
        self._handshakes = None
        self._watch.close()
        self._socket.close(linger=0)

    def _greet(self) -> None:
        now, id = self._clock(), next(self._ids)
        if self._hello is None or now - self._hello_at < SILENCE:
            return
        if self._send(self._hello, id):
            self._greeted, self._welcomed, self._hello_at, self._hello_id = True, False, now, id
            self.counts.hellos += 1
        elif self.silent and not self._socket.closed:
            self._find_refusal()

    def _find_refusal(self) -> None:
        """Ask why no connection is made: the server may want another key."""
        if self._handshakes is None:
            self._handshakes = Handshakes(self._socket, self._address, self._watch)
            self._handshakes.dial()
        if refusal := self._handshakes.check():
            self.last_error = f"no access: {refusal}"
            if not self._patience.is_welcomed:
                self._patience.refuse(self.last_error, "cut" if refusal == CUT else "no access")

    def _send_turn(self) -> None:
        turn, now, silent = self._turn, self._clock(), self.silent
        if silent or not self._greeted:
            self._greet()
        if turn is None or silent or not self._greeted or (self._retry_at is not None and now < self._retry_at):
            return
        if self.other_types and not self._welcomed and now - self._hello_at < SILENCE:
            return  # the server says what it wants to see
        seen = turn.others.get(self._obs_type) if self._obs_type else turn.observation
        if seen is None:
            return  # of a turn from before the seat was taken
        id, observation = next(self._ids), np.asarray(seen)
        if self._send(Act(self._number, turn.tick, observation, turn.action_mask), id):
            self.counts.sent += 1
            self._sent, self._turn_id = True, id
            self._pending[id] = now, turn
            if len(self._pending) > MAX_REPLIES:
                del self._pending[next(iter(self._pending))]

    def _send(self, message: Message, id: int) -> bool:
        try:
            frame = encode(message, id=id)
        except ProtocolError as error:
            self._count_wrong(error.text)
            return False
        if self._unanswered_since is None and type(message) is not messages.Bye:
            self._unanswered_since = self._clock()  # a server that cannot be reached is silent too
        try:
            send_frame(self._socket, frame, _NOBLOCK)
        except zmq.ZMQError:  # no connection, a full queue, or the server was given up
            return False
        self._patience.ask()
        return True

    def _listen(self) -> None:
        bytes_left = MAX_REPLY_BYTES  # a flood takes no more of the match's time
        socket = self._socket
        if socket.closed:
            return
        for _ in range(MAX_REPLIES_READ):
            if not int(socket.getsockopt(_EVENTS)) & _POLLIN:
                return
            frame = socket.recv(_NOBLOCK)
            self._watch.took(len(frame))
            self._unanswered_since = None
            self._patience.hear()
            self._take(frame)
            bytes_left -= len(frame)
            if self._action is not None or bytes_left <= 0:
                return  # nothing newer than the action can have arrived

    def _take(self, frame: bytes) -> None:
        try:
            id, message = decode(frame, _REPLIES)
        except ProtocolError as error:
            self._count_wrong(error.text)
            self._try_again(error.id)
            return
        match message:
            case ActionReply():
                self._on_action(id, message)
            case messages.Welcome():
                self._on_welcome(id, message)
            case messages.Error():
                self._on_error(id, message)

    def _on_action(self, id: int, reply: ActionReply) -> None:
        if id not in self._pending or self._seat is None:
            return  # of an earlier episode
        sent_at, turn = self._pending.pop(id)
        self.rtt_ms = (self._clock() - sent_at) * 1000
        self._rtts.append(self.rtt_ms)
        try:
            if reply.tick != turn.tick:
                raise ValueError(f"expected an action for tick {turn.tick}, got one for {reply.tick}")
            action = conform(reply.action, self._seat.action_space, turn.action_mask)
        except ValueError as error:
            self._count_wrong(str(error))
            self._try_again(id)
            return
        self.counts.answered += 1
        self._patience.answer()
        if reply.policy is not self.label:
            self._name(reply.policy)
        if id == self._turn_id and self._sent:
            self._action = action
        elif id > self._stale_id:
            self._stale, self._stale_id = action, id

    def _on_welcome(self, id: int, welcome: messages.Welcome) -> None:
        self._name(welcome.policy)
        if id == self._hello_id:
            self._patience.welcome()
            self._welcomed = True
            self._obs_type = welcome.obs_type if welcome.obs_type in self.other_types else ""
            self._sent = self._sent and self._turn_id > id  # an earlier turn may be lost: send it again

    def _name(self, policy: str) -> None:
        """Take the name of the policy that plays; a server that sends none leaves the label as it is."""
        self.label = line(policy, most=MAX_NAME) or self.label
        self.rated = self.rated or bool(policy)

    def _on_error(self, id: int, error: messages.Error) -> None:
        if error.code == "unknown_seat" and not self._greeted:
            return  # sent after a hello that was refused: the reason is known already
        if error.code == "superseded":
            return  # the server is slower than the game, and the newest turn still waits for its answer
        self._count_error(f"{error.code}: {error.text}")
        if error.code not in _PASSING and id == self._hello_id:
            self._patience.refuse(self.last_error, "no policy" if error.code == "no_policy" else "refused")
        elif error.code not in _PASSING and id in self._pending:
            self._patience.count_wrong(self.last_error)
        if id == self._hello_id or (error.code == "unknown_seat" and id > self._hello_id):
            if self._welcomed:  # a new server in the old one's place: no need to wait before the next hello
                self._hello_at = -np.inf
            self._greeted = self._sent = self._welcomed = False
        else:
            self._try_again(id)

    def _try_again(self, id: int) -> None:
        """Send the newest turn, which got no action, once more: a turn-based game would wait for ever."""
        if id == self._turn_id:
            self._sent, self._retry_at = False, self._clock() + RETRY_SECONDS

    def _count_wrong(self, text: str) -> None:
        self._count_error(text)
        self._patience.count_wrong(self.last_error)

    def _count_error(self, text: str) -> None:
        self.counts.errors += 1
        self.last_error = line(text, most=MAX_ERROR_TEXT)


def _connect(text: str) -> tuple[Address, zmq.Socket[bytes], ServerWatch]:
    """The address, and a connected socket with its watch; raises ControllerError for a text that is no address."""
    try:
        address = parse_address(text)
        socket = connecting_socket(zmq.DEALER, address)
        socket.setsockopt(zmq.IMMEDIATE, 1)  # without a connection a send fails, rather than queueing old turns
        socket.set_hwm(MAX_REPLIES)
        socket.setsockopt(zmq.RECONNECT_IVL, 50)
        socket.setsockopt(zmq.RECONNECT_IVL_MAX, 1000)
        socket.setsockopt(zmq.HEARTBEAT_IVL, 2_000)
        socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, 10_000)
        watch = ServerWatch(socket)
        try:
            connect(socket, address)
        except AddressError:
            watch.close()
            socket.close()
            raise
    except AddressError as error:
        raise ControllerError(str(error)) from error
    return address, socket, watch
