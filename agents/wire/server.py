"""PolicyServer: ZeroMQ socket, clients and their seats; collects simultaneous requests for one inference.

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
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import zmq

from agents.records import RecordWriter
from agents.snapshots.store import SnapshotError, SnapshotStore
from agents.wire import messages
from agents.wire.encoding import WireError
from agents.wire.messages import Act, ActionReply, Hello, Message, ProtocolError, decode, encode
from agents.wire.served_policies import FunctionPolicies, Policies, ServedPolicy, StorePolicies, check_word
from agents.wire.sockets import WireSocket, bind_socket, is_envelope

MAX_SEATS = 65_536  # remembered at once; the one longest unused is forgotten first
MAX_DRAIN = 1024  # messages taken before any is answered
MAX_LISTED = 1000  # snapshots in one list
MAX_DEMO_BYTES = 4 * 2**30  # of one file of demonstrations
_REFRESH_SECONDS = 0.25
_EVENTS, _RCVMORE = int(zmq.EVENTS), int(zmq.RCVMORE)  # as enums they cost more than the call
_POLLIN, _SNDMORE = int(zmq.POLLIN), int(zmq.SNDMORE)


@dataclass(slots=True)
class Counts:
    """What a server has done since it started."""

    answered: int = 0  # acts that got an action
    inferences: int = 0  # times that a policy was asked, for one seat or for many
    superseded: int = 0  # acts left unanswered, since a newer one of the same seat waited too
    malformed: int = 0  # messages dropped for frames that are not of the protocol
    errors: int = 0  # error replies sent
    logged: int = 0  # transitions written


@dataclass(slots=True)
class _Seat:
    hello: Hello
    policy: ServedPolicy
    number: int  # of the seat at this policy

    def follow(self, policies: Policies) -> None:
        """Change to the policy that the seat gets now, with a fresh memory, if it fits."""
        with suppress(ProtocolError):
            newer = policies.find(self.hello)
            if newer is not self.policy:
                self.policy.leave(self.number)
                self.policy, self.number = newer, newer.begin(self.hello.seed)


Sender = tuple[bytes, ...]
"""The frames before a reply: the client's identity, and a REQ client's empty frame."""


class PolicyServer(WireSocket):
    """Serves a store's snapshots, or the policies that `policies` finds.

    ``with PolicyServer(store, endpoint="tcp://127.0.0.1:*") as server: server.run()`` serves until `stop`, which any
    thread may call; `serve_once` runs the loop once.  Transitions that clients log are written to the folder
    `demonstrations`.
    """

    _LINGER_MS = 200

    def __init__(
        self,
        policies: Policies | SnapshotStore,
        *,
        endpoint: str = "tcp://127.0.0.1:5555",
        demonstrations: Path | None = None,
    ) -> None:
        super().__init__(*bind_socket(zmq.ROUTER, endpoint))
        self._store = policies if isinstance(policies, SnapshotStore) else None
        self.policies = StorePolicies(policies) if isinstance(policies, SnapshotStore) else policies
        self.counts = Counts()
        self._demonstrations = Demonstrations(demonstrations) if demonstrations is not None else None
        self._seats: dict[tuple[bytes, int], _Seat] = {}
        self._stop = threading.Event()
        self._refresh_at = time.monotonic() + _REFRESH_SECONDS
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
        if self._demonstrations is not None:
            self._demonstrations.close()

    def serve_once(self, *, timeout: float = 0.0) -> int:
        """Wait at most `timeout` for a message, then answer all that have arrived; returns their number."""
        received = self._drain(timeout)
        acts: dict[tuple[bytes, int], tuple[Sender, int, Act]] = {}
        for sender, payload in received:
            self._handle(sender, payload, acts)
        self._answer(acts)
        if time.monotonic() >= self._refresh_at:
            self._refresh()
        return len(received)

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
                return found
            identity = socket.recv()

    def _handle(self, sender: Sender, payload: bytes, acts: dict[tuple[bytes, int], tuple[Sender, int, Act]]) -> None:
        """Reply to a message; an act is put into `acts`, to be answered together with others."""
        if not is_envelope(sender):
            self.counts.malformed += 1
            return
        id = 0
        try:
            id, message = decode(payload)
            if type(message) is Act:
                key = (sender[0], message.seat)
                self.counts.superseded += key in acts
                acts[key] = (sender, id, message)
            elif reply := self._reply(sender[0], message):
                self._send(sender, id, reply)
        except ProtocolError as error:
            self._refuse(sender, id or error.id, error)
        except Exception as error:  # noqa: BLE001  # a full disk: one client gets an error
            self._refuse(sender, id, ProtocolError("failed", f"{type(error).__name__}: {error}"))

    def _reply(self, client: bytes, message: Message) -> Message | None:
        match message:
            case Hello():
                return self._on_hello(client, message)
            case messages.Bye(seat=seat):
                self._forget((client, seat))
                return None
            case messages.Log():
                return self._on_log(client, message)
            case messages.ListSnapshots(game=game):
                cards = self._need_store().list(game or None)
                return messages.Snapshots(cards=[card.model_dump_json() for card in cards[-MAX_LISTED:]])
            case messages.GetSnapshot():
                return self._on_get(message)
        code = "refused" if isinstance(message, messages.Control) else "unknown_kind"
        raise ProtocolError(code, f"expected a request to a policy server, got: {message.KIND!r}")

    def _on_hello(self, client: bytes, hello: Hello) -> Message:
        policy = self.policies.find(hello)
        key = (client, hello.seat)
        self._forget(key)
        if len(self._seats) >= MAX_SEATS:
            self._forget(next(iter(self._seats)))
        self._seats[key] = _Seat(hello, policy, policy.begin(hello.seed))
        return messages.Welcome(seat=hello.seat, policy=policy.label[:200], server="policy server")

    def _forget(self, key: tuple[bytes, int]) -> None:
        seat = self._seats.pop(key, None)
        if seat is not None:
            seat.policy.leave(seat.number)

    def _on_log(self, client: bytes, log: messages.Log) -> Message:
        seat = self._seats.get((client, log.seat))
        if seat is None:
            raise ProtocolError("unknown_seat", f"expected a hello for seat {log.seat} first, got none")
        if self._demonstrations is None:
            raise ProtocolError("refused", "expected a server that writes demonstrations, got one that does not")
        self._demonstrations.write(seat.hello, log)
        self.counts.logged += len(log.transitions)
        return messages.Logged(count=len(log.transitions))

    def _need_store(self) -> SnapshotStore:
        if self._store is None:
            raise ProtocolError("refused", "expected a server with a snapshot store, got one without")
        return self._store

    def _on_get(self, message: messages.GetSnapshot) -> Message:
        check_word(message.name)
        try:
            snapshot = self._need_store().get(message.name, game=message.game or None)
        except SnapshotError as error:
            raise ProtocolError("no_policy", str(error)) from error
        return messages.SnapshotReply(card=snapshot.card.model_dump_json(), onnx=snapshot.onnx)

    def _answer(self, acts: Mapping[tuple[bytes, int], tuple[Sender, int, Act]]) -> None:
        groups: dict[ServedPolicy, list[tuple[Sender, int, Act, int]]] = {}
        for key, (sender, id, act) in acts.items():
            seat = self._seats.get(key)
            if seat is None:
                text = f"expected a hello for seat {key[1]} first, got none"
                self._refuse(sender, id, ProtocolError("unknown_seat", text))
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
        self._send(sender, id, messages.Error(code=error.code, text=error.text[:4000]))

    def _send(self, sender: Sender, id: int, message: Message) -> None:
        """Never blocks: a ROUTER drops messages that its client cannot take."""
        try:
            frame = encode(message, id=id)
        except ProtocolError as error:
            self._refuse(sender, id, ProtocolError("failed", error.text))
            return
        for part in sender:
            self._socket.send(part, _SNDMORE)
        self._socket.send(frame)

    def _refresh(self) -> None:
        self._refresh_at = time.monotonic() + _REFRESH_SECONDS
        try:
            if self.policies.refresh():
                for seat in self._seats.values():
                    seat.follow(self.policies)
        except OSError:  # the store's folder is gone: the policies in memory play on
            self.counts.errors += 1


class Demonstrations:
    """A file of records in `folder`, created with the first transitions."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer: RecordWriter | None = None

    def write(self, hello: Hello, log: messages.Log) -> None:
        """Append the transitions that the seat of `hello` logged; raises ProtocolError where that fails."""
        rows = [transition.model_dump() for transition in log.transitions]
        record = {"game": hello.game, "agent": hello.agent, "source": log.source, "transitions": rows}
        try:
            if self._writer is None:
                self._writer = RecordWriter(self._folder / f"{datetime.now(UTC):%Y%m%dT%H%M%S.%f}.demo")
            if self._writer.bytes > MAX_DEMO_BYTES:
                raise WireError(f"more than {MAX_DEMO_BYTES} bytes")
            self._writer.append(record | {"time": time.time()})
        except (WireError, OSError) as error:
            text = f"expected to write the transitions to {self._folder}, got: {error}"
            raise ProtocolError("refused", text) from error

    def close(self) -> None:
        """Wait until all is on disk."""
        if self._writer is not None:
            self._writer.close()


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
