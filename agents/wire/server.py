"""PolicyServer: answers for any number of seats over ZeroMQ, those that ask together in one inference.

A Python function becomes a remote agent in five lines::

    import agents

    def play(observation, action_mask):
        return 0

    agents.serve(play, endpoint="tcp://127.0.0.1:5555")
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import zmq

from agents.snapshots.store import SnapshotError, SnapshotStore
from agents.wire.acts import Act, ActionReply
from agents.wire.demonstrations import DemonstrationError, Demonstrations
from agents.wire.messages import (
    Bye,
    Control,
    Done,
    Error,
    GetSnapshot,
    Hello,
    ListSnapshots,
    Log,
    Logged,
    Message,
    ProtocolError,
    SnapshotReply,
    Snapshots,
    Welcome,
    decode,
    encode,
)
from agents.wire.policies import FunctionPolicies, Policies, ServedPolicy, Slot, StorePolicies
from agents.wire.sockets import bind_socket, is_envelope

MAX_SEATS = 65_536  # remembered at once; the one longest unused is forgotten first
MAX_DRAIN = 1024  # messages taken before any is answered
MAX_LISTED = 1000  # snapshots in one list
_REFRESH_SECONDS = 0.25
_EVENTS, _RCVMORE = int(zmq.EVENTS), int(zmq.RCVMORE)  # as enums they cost more than the call
_POLLIN, _SNDMORE = int(zmq.POLLIN), int(zmq.SNDMORE)

ControlHandler = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
"""(name, params) -> result; raises ProtocolError to refuse, and whatever else it raises goes to the asker as well."""


@dataclass(slots=True)
class Counts:
    """What a server has done since it started."""

    received: int = 0  # messages, good or bad
    answered: int = 0  # acts that got an action
    superseded: int = 0  # acts left unanswered, since a newer one of the same seat waited too
    malformed: int = 0  # messages that could not be read
    errors: int = 0  # error replies sent
    logged: int = 0  # transitions kept


@dataclass(slots=True)
class _Seat:
    hello: Hello
    slot: Slot
    policy: ServedPolicy
    number: int  # of the seat at this policy

    def leave(self) -> None:
        """Free the seat at its policy."""
        self.policy.leave(self.number)

    def follow(self) -> None:
        """Take the newer policy that its slot has now, with a fresh memory, where it fits the seat."""
        newer = self.slot.policy
        try:
            newer.check(self.hello)
        except ProtocolError:
            self.slot = Slot(self.policy)
            return
        self.leave()
        self.policy, self.number = newer, newer.begin(self.hello.seed)


Sender = tuple[bytes, ...]
"""The frames before a reply: the client's identity, and a REQ client's empty frame."""


class PolicyServer:
    """Serves a store's snapshots, or whatever `policies` finds.

    ``with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server: server.run()`` serves until `stop`, which any
    thread may call; `serve_once` takes one turn of the loop.
    """

    def __init__(
        self,
        policies: Policies | SnapshotStore,
        *,
        endpoint: str = "tcp://127.0.0.1:5555",
        name: str = "policy server",
        demos: Path | None = None,
        control: ControlHandler | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = policies if isinstance(policies, SnapshotStore) else None
        self.policies = StorePolicies(policies) if isinstance(policies, SnapshotStore) else policies
        self.counts = Counts()
        self._name, self._control, self._clock = name, control, clock
        self._demos = Demonstrations(demos) if demos is not None else None
        self._seats: dict[tuple[bytes, int], _Seat] = {}
        self._stop = threading.Event()
        self._refresh_at = clock() + _REFRESH_SECONDS
        self._timeout = -1.0
        self._socket, self.endpoint = bind_socket(zmq.ROUTER, endpoint)
        self._socket.setsockopt(zmq.LINGER, 0)

    def __enter__(self) -> PolicyServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def inferences(self) -> int:
        """Forward passes so far (calls, for a function)."""
        return self.policies.inferences

    def run(self) -> None:
        """Serve until `stop`."""
        while not self._stop.is_set():
            self.serve_once(timeout=0.1)

    def stop(self) -> None:
        """End `run` within a tenth of a second; safe from any thread and from a signal handler."""
        self._stop.set()

    def close(self) -> None:
        self._stop.set()
        self._socket.close(linger=200)  # ms: replies on their way may still leave
        if self._demos is not None:
            self._demos.close()

    def serve_once(self, *, timeout: float = 0.0) -> int:
        """Wait at most `timeout` for a message, then take all that are there and answer them; how many they were."""
        frames = self._drain(timeout)
        acts: dict[tuple[bytes, int], tuple[Sender, int, Act]] = {}
        for sender, payload in frames:
            self._take(sender, payload, acts)
        if acts:
            self._answer(acts)
        if self._clock() >= self._refresh_at:
            self._refresh()
        return len(frames)

    def _drain(self, timeout: float) -> list[tuple[Sender, bytes]]:
        socket = self._socket
        found: list[tuple[Sender, bytes]] = []
        if timeout != self._timeout:
            self._timeout = timeout
            socket.setsockopt(zmq.RCVTIMEO, int(timeout * 1000))
        try:
            identity = socket.recv()  # a blocking receive costs far less than a poll before it
        except zmq.Again:
            return found
        while True:
            sender: Sender = (identity,)
            payload = socket.recv()
            while socket.getsockopt(_RCVMORE):  # a REQ client's empty frame, or one frame too many
                payload, sender = socket.recv(), (*sender, payload)
            found.append((sender, payload))
            if len(found) >= MAX_DRAIN or not int(socket.getsockopt(_EVENTS)) & _POLLIN:
                break
            identity = socket.recv()
        self.counts.received += len(found)
        return found

    def _take(self, sender: Sender, payload: bytes, acts: dict[tuple[bytes, int], tuple[Sender, int, Act]]) -> None:
        if not is_envelope(sender):
            self.counts.malformed += 1
            return
        try:
            id, message = decode(payload)
        except ProtocolError as error:
            self.counts.malformed += 1
            self._refuse(sender, error.id, error)
            return
        if type(message) is Act:
            key = (sender[0], message.seat)
            self.counts.superseded += key in acts
            acts[key] = (sender, id, message)
            return
        self._take_rare(sender, id, message)

    def _take_rare(self, sender: Sender, id: int, message: Message) -> None:
        try:
            reply = self._reply(sender, message)
        except ProtocolError as error:
            self._refuse(sender, id, error)
            return
        except Exception as error:  # noqa: BLE001  # a full disk, a failing handler: one client gets an error
            self._refuse(sender, id, ProtocolError("failed", f"{message.KIND}: {type(error).__name__}: {error}"))
            return
        if reply is not None:
            self._send(sender, id, reply)

    def _reply(self, sender: Sender, message: Message) -> Message | None:
        match message:
            case Hello():
                return self._on_hello(sender, message)
            case Bye():
                self._forget((sender[0], message.seat))
                return None
            case Log():
                return self._on_log(sender, message)
            case ListSnapshots():
                cards = self._need_store().list(message.game or None)
                return Snapshots(cards=[card.model_dump_json() for card in cards[-MAX_LISTED:]])
            case GetSnapshot():
                return self._on_get(message)
            case Control():
                return self._on_control(message)
        raise ProtocolError("unknown_kind", f"expected a request, got the reply {message.KIND!r}")

    def _on_hello(self, sender: Sender, hello: Hello) -> Welcome:
        slot = self.policies.find(hello)
        key = (sender[0], hello.seat)
        self._forget(key)
        if len(self._seats) >= MAX_SEATS:
            self._forget(next(iter(self._seats)))
        self._seats[key] = _Seat(hello, slot, slot.policy, slot.policy.begin(hello.seed))
        return Welcome(seat=hello.seat, policy=slot.policy.label[:200], server=self._name)

    def _forget(self, key: tuple[bytes, int]) -> None:
        seat = self._seats.pop(key, None)
        if seat is not None:
            seat.leave()

    def _on_log(self, sender: Sender, log: Log) -> Logged:
        seat = self._seats.get((sender[0], log.seat))
        if seat is None:
            raise ProtocolError("unknown_seat", f"expected a hello for seat {log.seat} first, got none")
        if self._demos is None:
            raise ProtocolError("refused", "expected a server that keeps demonstrations, got one that does not")
        try:
            count = self._demos.keep(seat.hello, log)
        except DemonstrationError as error:
            raise ProtocolError("refused", str(error)) from error
        self.counts.logged += count
        return Logged(count=count)

    def _need_store(self) -> SnapshotStore:
        if self._store is None:
            raise ProtocolError("refused", "expected a server with a snapshot store, got one without")
        return self._store

    def _on_get(self, message: GetSnapshot) -> SnapshotReply:
        if "/" in message.name or "\\" in message.name or message.name.endswith(".onnx"):
            raise ProtocolError("no_policy", f"expected latest, best or a name, got: {message.name[:80]!r}")
        try:
            snapshot = self._need_store().get(message.name, game=message.game or None)
        except SnapshotError as error:
            raise ProtocolError("no_policy", str(error)) from error
        return SnapshotReply(card=snapshot.card.model_dump_json(), onnx=snapshot.onnx)

    def _on_control(self, message: Control) -> Done:
        if self._control is None:
            raise ProtocolError("refused", f"expected no control requests here, got: {message.name!r}")
        return Done(result=dict(self._control(message.name, message.params)))

    def _answer(self, acts: Mapping[tuple[bytes, int], tuple[Sender, int, Act]]) -> None:
        groups: dict[ServedPolicy, list[tuple[Sender, int, Act, int]]] = {}
        for key, (sender, id, act) in acts.items():
            seat = self._seat_of(key, sender, id)
            if seat is not None:
                groups.setdefault(seat.policy, []).append((sender, id, act, seat.number))
        for policy, group in groups.items():
            if len(group) == 1:
                sender, id, act, number = group[0]
                self._send_answer(sender, id, act.tick, policy.answer_one(number, act), policy.label)
                continue
            answers = policy.answer([number for *_, number in group], [act for _, _, act, _ in group])
            for (sender, id, act, _), answer in zip(group, answers, strict=True):
                self._send_answer(sender, id, act.tick, answer, policy.label)

    def _seat_of(self, key: tuple[bytes, int], sender: Sender, id: int) -> _Seat | None:
        """The seat with the newest policy of its slot; for an unknown seat None, and the client gets an error."""
        seat = self._seats.get(key)
        if seat is None:
            text = f"expected a hello for seat {key[1]} first, got none"
            self._refuse(sender, id, ProtocolError("unknown_seat", text))
        elif seat.policy is not seat.slot.policy:
            seat.follow()
        return seat

    def _send_answer(self, sender: Sender, id: int, tick: int, answer: Any, label: str) -> None:
        if isinstance(answer, ProtocolError):
            self._refuse(sender, id, answer)
            return
        self.counts.answered += 1
        self._send(sender, id, ActionReply(tick, answer, label))

    def _refuse(self, sender: Sender, id: int, error: ProtocolError) -> None:
        self.counts.errors += 1
        self._send(sender, id, Error(code=error.code, text=error.text[:4000]))

    def _send(self, sender: Sender, id: int, message: Message) -> None:
        """A ROUTER drops what its client cannot take, so this never blocks."""
        try:
            frame = encode(message, id=id)
        except ProtocolError as error:
            self.counts.errors += 1
            frame = encode(Error(code="failed", text=error.text[:4000]), id=id)
        for part in sender:
            self._socket.send(part, _SNDMORE)
        self._socket.send(frame)

    def _refresh(self) -> None:
        self._refresh_at = self._clock() + _REFRESH_SECONDS
        try:
            self.policies.refresh()
        except OSError:  # a folder that went away: what is there plays on
            self.counts.errors += 1


def serve(
    function: Callable[..., Any],
    *,
    endpoint: str = "tcp://127.0.0.1:5555",
    ready: Callable[[str], None] | None = None,
) -> None:
    """Play what ``function(observation, action_mask)`` returns for every seat that connects, until interrupted.

    The function may take the observation alone, or the seat's numpy Generator as a third argument.  An exception
    in it is sent to the seat as an error and the server continues.  `ready` is called with the bound endpoint once it
    listens.
    """
    with PolicyServer(FunctionPolicies(function), endpoint=endpoint) as server:
        run_until_signalled(server, ready=ready)


def run_until_signalled(server: PolicyServer, *, ready: Callable[[str], None] | None = None) -> None:
    """Serve until SIGTERM, Ctrl-C or `stop`; from the main thread, since signals come there."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: server.stop())
    if ready is not None:
        ready(server.endpoint)
    server.run()
