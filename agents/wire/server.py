"""PolicyServer: ZeroMQ socket, clients and their seats; collects simultaneous requests for one inference.

A Python function becomes a remote agent in five lines::

    import agents

    def play(observation, action_mask):
        return 0

    agents.serve(play, endpoint="tcp://127.0.0.1:5555")
"""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import zmq

from agents.snapshots.store import SnapshotCard, SnapshotError, SnapshotStore
from agents.wire import messages
from agents.wire.limits import (
    COST_OF_GET,
    COST_OF_HELLO,
    COST_OF_LIST,
    COST_OF_MALFORMED,
    MAX_DRAIN,
    MAX_DRAIN_OVER,
    MAX_FRAMES,
    MAX_LISTED,
    MAX_LISTED_BYTES,
    MAX_NAME,
    MAX_SMALL_DRAIN,
    NARROW_AFTER,
    PART_BYTES,
)
from agents.wire.messages import (
    HEAD_BYTES,
    Act,
    ActionReply,
    Hello,
    Message,
    ProtocolError,
    decode,
    encode,
    encode_error,
    id_of,
)
from agents.wire.outbox import Outbox
from agents.wire.peers import Peer, Peers
from agents.wire.public_text import public_text
from agents.wire.served_policies import FunctionPolicies, Policies, ServedPolicy, StorePolicies, check_word
from agents.wire.served_seats import Key, ServedSeats
from agents.wire.sockets import BoundSocket, is_envelope
from agents.wire.throttle import Throttle

_REFRESH_SECONDS = 0.25
_FLUSH_SECONDS = 0.005  # between two attempts to send replies that wait
_EVENTS, _NOBLOCK = int(zmq.EVENTS), int(zmq.NOBLOCK)  # as enums they cost more than the call
_POLLIN = int(zmq.POLLIN)
_REQUESTS = (Act, Hello, messages.Bye, messages.ListSnapshots, messages.GetSnapshot, messages.Control)
_COSTS: dict[type, int] = {
    Hello: COST_OF_HELLO,
    messages.ListSnapshots: COST_OF_LIST,
    messages.GetSnapshot: COST_OF_GET,
}
_REQUESTS_BEYOND = (Act, messages.Bye)  # what is read of a peer beyond its limits
_BUSY = ProtocolError("busy", "expected fewer requests a second, got more; try again later")
_SUPERSEDED = ProtocolError("superseded", "expected one act of a seat at a time, got a newer one")
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Counts:
    """What a server has done since it started."""

    answered: int = 0  # acts that got an action
    inferences: int = 0  # times that a policy was asked, for one seat or for many
    superseded: int = 0  # acts refused, since a newer one of the same seat waited too
    malformed: int = 0  # messages dropped for frames that are not of the protocol
    errors: int = 0  # error replies sent
    busy: int = 0  # of these, requests of peers beyond their limits


Sender = tuple[bytes, ...]
"""The frames before a reply: the client's identity, and a REQ client's empty frame."""


class Received(NamedTuple):
    """One message, and whether its peer is within its limits."""

    sender: Sender
    payload: bytes
    size: int  # bytes
    peer: Peer
    is_within: bool


Waiting = dict[Key, tuple[Sender, int, Act]]
"""The newest act of each seat."""


class PolicyServer(BoundSocket):
    """Serves a store's snapshots, or the policies that `policies` finds.

    ``with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server: server.run()`` serves until `stop`, which any
    thread may call; `serve_once` runs the loop once.  `clock` gives monotonic seconds.
    """

    _LINGER_MS = 200

    def __init__(
        self,
        policies: Policies | SnapshotStore,
        *,
        endpoint: str = "tcp://127.0.0.1:5555",
        insecure: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(zmq.ROUTER, endpoint, insecure=insecure)
        self._socket.setsockopt(zmq.ROUTER_MANDATORY, 1)  # a reply that cannot leave is known
        self.outbox = Outbox(self._socket)
        self._store = policies if isinstance(policies, SnapshotStore) else None
        self.policies = StorePolicies(policies) if isinstance(policies, SnapshotStore) else policies
        self.counts = Counts()
        self.seats = ServedSeats()
        self.peers = Peers()
        self._throttle = Throttle()
        self._clock = clock
        self._stop = threading.Event()
        self._refresh_at = clock() + _REFRESH_SECONDS
        self._timeout = -1.0

    def run(self) -> None:
        """Serve until `stop`."""
        while not self._stop.is_set():
            self.serve_once(timeout=0.1)

    def stop(self) -> None:
        """End `run` within a tenth of a second; safe from any thread and from a signal handler."""
        self._stop.set()

    def close(self) -> None:
        self._stop.set()
        super().close()

    def serve_once(self, *, timeout: float = 0.0) -> int:
        """Wait at most `timeout` for a message, then answer those that have arrived; returns their number."""
        if self.outbox:
            self.outbox.flush()
            timeout = min(timeout, _FLUSH_SECONDS)
        received = self._drain(timeout)
        acts: Waiting = {}
        for one in received:
            self._handle(one, acts)
        self._answer(acts)
        if self._clock() >= self._refresh_at:
            self._refresh()
        return len(received)

    def _drain(self, timeout: float) -> list[Received]:
        """The messages that have arrived; of a peer beyond its limits a few, so that others need not wait."""
        socket = self._socket
        found: list[Received] = []
        if timeout != self._timeout:
            self._timeout = timeout
            socket.setsockopt(zmq.RCVTIMEO, int(timeout * 1000))
        now, over, bytes_over = 0.0, 0, 0
        try:
            identity = socket.recv()  # a blocking receive costs far less than a poll before it
            now = self._clock()
            while True:
                one = self._receive_from(identity, now)
                found.append(one)
                if not one.is_within:
                    over, bytes_over = over + 1, bytes_over + one.size
                if over >= MAX_DRAIN_OVER or bytes_over > MAX_SMALL_DRAIN or len(found) >= MAX_DRAIN:
                    return found
                if len(found) == 1 and not int(socket.getsockopt(_EVENTS)) & _POLLIN:
                    self._connections.emptied()
                    return found  # a seat alone: to ask costs less than the exception below, which many share
                identity = socket.recv(_NOBLOCK)
        except zmq.Again:
            self._connections.emptied()
            return found

    def _receive_from(self, identity: bytes, now: float) -> Received:
        """The rest of a message; frames beyond the limit are dropped."""
        sender: Sender = (identity,)
        size = 0
        while True:
            frame = self._socket.recv(copy=False)  # it knows whether more follow, and a copy may be too large
            size += len(frame)
            if not frame.more:
                break
            if len(sender) < MAX_FRAMES:  # a REQ client's empty frame, or one frame too many
                sender = (*sender, bytes(frame.buffer[:HEAD_BYTES]))
        if self._connections.is_looking:
            self._connections.heard(frame)
        peer = self.peers.get(identity) or self.peers.of(identity, now, key=self._key_of(frame))
        is_within = peer.take(size, now)
        if peer.beyond >= NARROW_AFTER:
            peer.beyond = 0
            self._throttle.narrow(int(frame.get(zmq.SRCFD)), now)
        payload = frame.bytes if size <= peer.largest else bytes(frame.buffer[:HEAD_BYTES])
        return Received(sender, payload, size, peer, is_within)

    def _handle(self, one: Received, acts: Waiting) -> None:
        """Reply to a message; an act is put into `acts`, to be answered together with others."""
        sender, payload, size, peer, is_within = one
        if not is_envelope(sender):
            self.counts.malformed += 1
            return
        id = 0
        try:
            if size > peer.largest:
                raise ProtocolError(
                    "too_large", f"expected at most {peer.largest} bytes, got {size}", id=id_of(payload)
                )
            id, message = decode(payload, _REQUESTS if is_within else _REQUESTS_BEYOND)
            if type(message) is Act:
                key = (sender[0], message.seat)
                if key in acts:
                    self.counts.superseded += 1
                    self._refuse(*acts[key][:2], _SUPERSEDED)
                acts[key] = (sender, id, message)
            elif reply := self._reply(one, message):
                self._send(sender, id, reply)
        except ProtocolError as error:
            peer.pay(COST_OF_MALFORMED, peer.seen)
            self._refuse(sender, id or error.id, error if is_within else _BUSY)
        except Exception as error:  # noqa: BLE001  # a full disk: one client gets an error
            self._refuse(sender, id, ProtocolError("failed", f"{type(error).__name__}: {error}"))

    def _reply(self, one: Received, message: Message) -> Message | None:
        client, peer, now = one.sender[0], one.peer, one.peer.seen
        if type(message) is messages.Bye:
            self.seats.forget((client, message.seat))
            return None
        if not peer.pay(_COSTS.get(type(message), 0), now):
            raise ProtocolError(_BUSY.code, _BUSY.text)
        match message:
            case Hello():
                seat = self.seats.open((client, message.seat), message, self.policies, peer, now)
                return messages.Welcome(
                    seat=message.seat, policy=seat.policy.label[:MAX_NAME], server="policy server",
                    obs_type=seat.policy.obs_type,
                )  # fmt: skip
            case messages.ListSnapshots(game=game):
                return messages.Snapshots(cards=_newest(self._need_store().list(game or None)))
            case messages.GetSnapshot():
                return self._on_get(message)
        raise ProtocolError("refused", f"expected a request to a policy server, got: {message.KIND!r}")

    def _need_store(self) -> SnapshotStore:
        if self._store is None:
            raise ProtocolError("refused", "expected a server with a snapshot store, got one without")
        return self._store

    def _on_get(self, message: messages.GetSnapshot) -> Message:
        check_word(message.name)
        try:
            card, part = self._need_store().read_part(
                message.name, game=message.game or None, start=message.offset, size=PART_BYTES
            )
        except SnapshotError as error:
            raise ProtocolError("no_policy", str(error)) from error
        return messages.SnapshotReply(card=card.model_dump_json(), onnx=part, offset=message.offset)

    def _answer(self, acts: Waiting) -> None:
        groups: dict[ServedPolicy, list[tuple[Sender, int, Act, int]]] = {}
        now = self._clock()
        for key, (sender, id, act) in acts.items():
            seat = self.seats.get(key)
            if seat is None:
                text = f"expected a hello for seat {key[1]} first, got none"
                self._refuse(sender, id, ProtocolError("unknown_seat", text))
                continue
            seat.used = now
            if fault := seat.fault(act):
                self._refuse(sender, id, fault)
                continue
            groups.setdefault(seat.policy, []).append((sender, id, act, seat.number))
        for policy, group in groups.items():
            self.counts.inferences += 1
            answers = policy.answer([number for *_, number in group], [act for _, _, act, _ in group])
            for (sender, id, act, _), answer in zip(group, answers, strict=True):
                if isinstance(answer, ProtocolError):
                    self._refuse(sender, id, answer)
                else:
                    self.counts.answered += 1
                    self._send(sender, id, ActionReply(act.tick, answer, policy.label))

    def _refuse(self, sender: Sender, id: int, error: ProtocolError) -> None:
        self.counts.errors += 1
        self.counts.busy += error.code == "busy"
        self.outbox.send(sender, encode_error(error.code, _public(error.text), id=id))

    def _send(self, sender: Sender, id: int, message: Message) -> None:
        try:
            frame = encode(message, id=id)
        except ProtocolError as error:
            self._refuse(sender, id, ProtocolError("failed", error.text))
            return
        self.outbox.send(sender, frame)

    def _refresh(self) -> None:
        now = self._clock()
        self._refresh_at = now + _REFRESH_SECONDS
        self._throttle.widen(now)
        try:
            if self.policies.refresh():
                for seat in self.seats:
                    seat.follow(self.policies)
        except Exception:  # noqa: BLE001  # the store's folder is gone, or the ladder spoilt: the policies in memory play on
            self.counts.errors += 1
            _log.warning("newer snapshots could not be looked for", exc_info=True)


_public = lru_cache(256)(public_text)


def _newest(cards: Sequence[SnapshotCard]) -> list[str]:
    """The JSON of the newest cards that fit in one reply, oldest first."""
    found: list[str] = []
    left = MAX_LISTED_BYTES
    for card in reversed(cards):
        text = card.model_dump_json()
        left -= len(text.encode())
        if left < 0 or len(found) >= MAX_LISTED:
            break
        found.append(text)
    return found[::-1]


def serve(
    function: Callable[..., Any],
    *,
    endpoint: str = "tcp://127.0.0.1:5555",
    insecure: bool = False,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Play what ``function(observation, action_mask)`` returns for every seat that connects, until interrupted.

    The function may take the observation alone, or the seat's numpy Generator as a third argument.  An exception
    in it is sent to the seat as an error and the server continues.  `ready` is called with the bound endpoint once it
    listens.
    """
    with PolicyServer(FunctionPolicies(function), endpoint=endpoint, insecure=insecure) as server:
        run_until_signalled(server, ready=ready)


def run_until_signalled(server: PolicyServer, *, ready: Callable[[str], None] | None = None) -> None:
    """Serve until SIGTERM, Ctrl-C or `stop`; from the main thread, since signals come there."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: server.stop())
    if ready is not None:
        ready(server.endpoint)
    server.run()
