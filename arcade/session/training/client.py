"""TrainerClient: requests to one trainer, its answers and its events.  Nothing in it waits but `ask_trainer`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from agents.errors import UserError
from agents.wire.control import ControlClient, ControlError
from agents.wire.events import EventSubscriber
from agents.wire.messages import ProtocolError
from agents.wire.trainer_events import (
    Metrics,
    PoolMember,
    PoolTable,
    SnapshotFrozen,
    TrainerEvent,
    TrainerStatus,
    WatchPiece,
    WinRates,
    line,
    read_event,
    read_status,
)
from arcade.session.training.addresses import reached_from
from arcade.session.training.curves import Curves
from arcade.session.training.episodes import EpisodeBuffer

ASK_EVERY = 1.0
"""Seconds from an answer to the next question for the status: how one knows that it lives."""

ASK_AGAIN = 4.0
"""Seconds after which an unanswered question is asked again."""

PATIENCE = 6.0
"""Seconds without any answer after which a trainer counts as silent."""

RENEW_WATCH = 2.0
"""Seconds between two requests to keep streaming a game; the trainer stops by itself after ten."""

AGAINST = "against"
"""Curves of the win rates against members of the pool are called ``against/NAME``."""

_FOLLOWED = frozenset(("run", "game", "step", "iteration"))
"""Fields of the status that other events have too."""

_MOST_ASKED = 64
"""Requests that wait for an answer; the oldest are given up."""


class Message(Protocol):
    """One event off the wire; agents.wire.messages.Event is one."""

    @property
    def name(self) -> str: ...

    @property
    def data(self) -> Mapping[str, Any]: ...


class Subscription(Protocol):
    """Events of one PUB socket; `poll` never waits.  agents.wire.events.EventSubscriber is one."""

    def poll(self) -> Sequence[Message]: ...

    def close(self) -> None: ...


Subscribe = Callable[[str], Subscription]


class Pools:
    """Policy → the members of its pool, as published last.  `version` goes up with every change."""

    def __init__(self) -> None:
        self.of: dict[str, tuple[PoolMember, ...]] = {}
        self.version = 0

    def take(self, pools: dict[str, tuple[PoolMember, ...]]) -> None:
        self.of, self.version = pools, self.version + 1


class TrainerClient:
    """Open from its making to `close`; called once a frame::

    client.update(now)
    client.answers       # whether the trainer answered lately
    client.status, client.curves, client.pools, client.episodes
    client.order("pause")

    Without `control` it only listens to `events`; without `events` it learns where they are from the trainer.  Events
    and answers that are malformed are dropped and counted in `refused`.
    """

    def __init__(
        self, control: str = "", events: str = "", *, curves: Curves | None = None, pools: Pools | None = None,
        subscribe: Subscribe | None = None,
    ) -> None:  # fmt: skip
        """Raises UserError where `control` is nothing to connect to."""
        self.control = control
        self.status = TrainerStatus()
        self.curves, self.pools = curves or Curves(), pools or Pools()
        self.episodes = EpisodeBuffer()
        self.win_rate: float | None = None  # against the pool, 0 … 1
        self.frozen: list[SnapshotFrozen] = []  # since the owner emptied it
        self.notices: list[str] = []  # for people, since the owner emptied it
        self.refused = 0
        self.watching = False
        self._subscribe: Subscribe = subscribe or EventSubscriber
        self._line = ControlClient(control) if control else None
        self._subscription: Subscription | None = None
        self._events = ""
        self._asked: dict[int, str] = {}  # request → its name
        self._since: float | None = None  # when it was first asked
        self._heard: float | None = None  # when it last answered
        self._ask_at = self._renew_at = 0.0
        self._now = 0.0
        self._listen(events)

    @property
    def heard(self) -> bool:
        """Whether it ever answered."""
        return self._heard is not None

    @property
    def answers(self) -> bool:
        """Whether it answered lately."""
        return self._heard is not None and self._now - self._heard <= PATIENCE

    @property
    def silent_seconds(self) -> float:
        """How long it has not answered."""
        last = self._heard if self._heard is not None else self._since
        return self._now - last if last is not None else 0.0

    def update(self, now: float) -> None:
        """Take what has come, and ask what is due."""
        self._now = now
        if self._line is not None:
            self._converse(self._line, now)
        for message in self._subscription.poll() if self._subscription is not None else ():
            self._take_message(message)

    def order(self, name: str, params: Mapping[str, Any] | None = None) -> None:
        """Ask for ``pause``, ``resume``, ``freeze``, ``stop`` or ``matchmaking``; a refusal becomes a notice."""
        if self._line is None:
            return
        try:
            self._asked[self._line.request(name, params)] = name
        except UserError as error:
            self.notices.append(str(error))
        while len(self._asked) > _MOST_ASKED:
            del self._asked[next(iter(self._asked))]

    def watch(self, on: bool) -> None:
        """Begin or end the stream of a training game's moves."""
        if self.watching and not on and self.answers:
            self.order("watch", {"on": False})
        self.watching, self._renew_at = on, 0.0

    def close(self) -> None:
        """Close the sockets; twice does no harm."""
        self.watch(False)
        for socket in (self._line, self._subscription):
            if socket is not None:
                socket.close()

    def _converse(self, control: ControlClient, now: float) -> None:
        for reply in control.poll():
            self._take_reply(self._asked.pop(reply.id, ""), reply.result, reply.error)
        if now >= self._ask_at:
            self._since = self._since if self._since is not None else now
            self._ask_at = now + ASK_AGAIN
            self.order("status")
        if self.watching and self.answers and now >= self._renew_at:
            self._renew_at = now + RENEW_WATCH
            self.order("watch", {"on": True})

    def _take_reply(self, name: str, result: Mapping[str, Any], error: str) -> None:
        self._heard, self._ask_at = self._now, min(self._ask_at, self._now + ASK_EVERY)
        if error:
            if name != "status":
                self.notices.append(f"The trainer refused {name or 'a request'}: {line(error)}")
            return
        try:
            self.status = self.status.merged(read_status(result))
        except ProtocolError:
            self.refused += 1
        self._listen(reached_from(self.control, self.status.events))

    def _listen(self, events: str) -> None:
        """Subscribe to another endpoint; "" leaves all as it is."""
        if events and events != self._events:
            if self._subscription is not None:
                self._subscription.close()
            self._events, self._subscription = events, self._subscribe(events)

    def _take_message(self, message: Message) -> None:
        try:
            event = read_event(message.name, message.data)
        except ProtocolError:
            self.refused += 1
            return
        if event is not None:
            self._take_event(event)

    def _take_event(self, event: TrainerEvent) -> None:
        match event:
            case TrainerStatus():
                self.status = self.status.merged(event)
            case Metrics():
                self._follow(event)
                self.curves.add(event.model_dump())
            case WinRates():
                self._follow(event)
            case PoolTable():
                self._take_pool(event)
            case SnapshotFrozen():
                self._follow(event)
                self.frozen.append(event)
                self.notices.append(f"Frozen: {event.name}")
            case WatchPiece() if self.watching:
                self.episodes.take(event)

    def _follow(self, event: TrainerEvent) -> None:
        """Take what any event of a training in progress says of it."""
        told = {name: getattr(event, name) for name in _FOLLOWED & event.model_fields_set}
        self.status = self.status.updated(state=_later(self.status.state), **told)
        if isinstance(event, Metrics | WinRates) and event.win_rate is not None:
            self.win_rate = event.win_rate

    def _take_pool(self, table: PoolTable) -> None:
        if not table.policies:
            return
        self.pools.take(table.policies)
        for member in (member for members in table.policies.values() for member in members):
            if member.win_rate is not None and member.games:
                self.curves.put(f"{AGAINST}/{member.name}", table.step, member.win_rate)


def _later(state: str) -> str:
    return "running" if state in ("", "starting") else state


def ask_trainer(
    control: str, name: str, params: Mapping[str, Any] | None = None, *, timeout: float = 10.0
) -> TrainerStatus:
    """Send one request and wait at most `timeout` seconds for the trainer's status.

    Raises ControlError where it does not answer, refuses, or is no trainer.
    """
    with ControlClient(control) as client:
        answer = client.call(name, params, timeout=timeout)
    try:
        return read_status(answer)
    except ProtocolError as error:
        raise ControlError(f"expected a trainer at {control}, got an answer that is no status: {error}") from error
