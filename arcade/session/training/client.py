"""A line to one trainer: orders there, answers and events back.  Nothing in it waits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from agents.errors import UserError
from arcade.session.trainer_link import Subscribe, Subscription
from arcade.session.training.curves import Curves
from arcade.session.training.episodes import EpisodeBuffer
from arcade.session.training.facts import PoolMember, TrainerFacts, number, reached_from, read_pool, words

ASK_EVERY = 1.0
"""Seconds from an answer to the next question for the status: how one knows that it lives."""

ASK_AGAIN = 4.0
"""Seconds after which an unanswered question is asked again."""

PATIENCE = 6.0
"""Seconds without any answer after which a trainer counts as silent."""

RENEW_WATCH = 2.0
"""Seconds between two requests to go on streaming a game; the trainer stops by itself after five."""

AGAINST = "against"
"""Curves of the win rates against members of the pool are called ``against/NAME``."""


class Reply(Protocol):
    """The answer to a request; agents.wire.control.ControlReply is one."""

    @property
    def id(self) -> int: ...

    @property
    def result(self) -> Mapping[str, Any]: ...

    @property
    def error(self) -> str: ...


class TrainerConnection(Protocol):
    """Sends requests and hands over answers; agents.wire.control.ControlClient is one."""

    def request(self, name: str, params: Mapping[str, Any] | None = None) -> int: ...

    def poll(self) -> Sequence[Reply]: ...

    def close(self) -> None: ...


Connect = Callable[[str], TrainerConnection]


class Pools:
    """Policy → the members of its pool, as told last.  `version` goes up with every change."""

    def __init__(self) -> None:
        self.of: dict[str, tuple[PoolMember, ...]] = {}
        self.version = 0

    def take(self, told: dict[str, tuple[PoolMember, ...]]) -> None:
        self.of, self.version = told, self.version + 1


class TrainerSession:
    """Open from its making to `close`; called once a frame::

    session.update(now)
    session.answers       # whether somebody is there
    session.facts, session.curves, session.pools, session.episodes
    session.order("pause")
    """

    def __init__(
        self, control: str, events: str, *, connect: Connect, subscribe: Subscribe, curves: Curves, pools: Pools
    ) -> None:
        """Raises UserError where `control` is nothing to connect to; `events` "" is learnt from the trainer."""
        self.control = control
        self.facts = TrainerFacts()
        self.curves = curves
        self.pools = pools
        self.episodes = EpisodeBuffer()
        self.notices: list[str] = []  # for people; whoever shows them takes them out
        self.watching = False
        self._subscribe = subscribe
        self._line = connect(control)
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
        for reply in self._line.poll():
            self._take_reply(reply)
        if self._subscription is not None:
            for event in self._subscription.poll():
                self._take_event(event.name, event.data)
        if now >= self._ask_at:
            self._since = self._since if self._since is not None else now
            self._ask_at = now + ASK_AGAIN
            self._request("status")
        if self.watching and self.answers and now >= self._renew_at:
            self._renew_at = now + RENEW_WATCH
            self._request("watch", {"on": True})

    def order(self, name: str, params: Mapping[str, Any] | None = None) -> None:
        """Ask for ``pause``, ``resume``, ``freeze``, ``stop`` or ``matchmaking``; what is refused is a notice."""
        self._request(name, params)

    def watch(self, on: bool) -> None:
        """Have a training game streamed, or no longer."""
        if self.watching and not on and self.answers:
            self._request("watch", {"on": False})
        self.watching, self._renew_at = on, 0.0

    def close(self) -> None:
        """End the line; twice does no harm."""
        self.watch(False)
        self._line.close()
        if self._subscription is not None:
            self._subscription.close()

    def _request(self, name: str, params: Mapping[str, Any] | None = None) -> None:
        try:
            self._asked[self._line.request(name, params)] = name
        except UserError as error:
            self.notices.append(str(error))
        while len(self._asked) > 64:  # never answered
            del self._asked[next(iter(self._asked))]

    def _take_reply(self, reply: Reply) -> None:
        name = self._asked.pop(reply.id, "")
        self._heard, self._ask_at = self._now, min(self._ask_at, self._now + ASK_EVERY)
        if reply.error:
            if name != "status":
                self.notices.append(f"The trainer refused {name or 'a request'}: {words(reply.error)}")
            return
        self.facts = self.facts.updated(reply.result)
        self._listen(reply.result.get("events"))

    def _listen(self, events: object) -> None:
        """Hear the events of that endpoint; one that is none leaves all as it is."""
        found = reached_from(self.control, events)
        if found and found != self._events:
            if self._subscription is not None:
                self._subscription.close()
            self._events, self._subscription = found, self._subscribe(found)

    def _take_event(self, name: str, data: Mapping[str, Any]) -> None:
        if name == "status":
            self.facts = self.facts.updated(data)
        elif name == "metrics":
            self.facts = self.facts.updated({key: data[key] for key in ("step", "iteration") if key in data})
            self.curves.add(data)
        elif name == "pool":
            self._take_pool(data)
        elif name == "snapshot_frozen" and words(data.get("name")):
            self.notices.append(f"Frozen: {words(data['name'])}")
        elif name == "watch" and self.watching:
            self.episodes.take(data)

    def _take_pool(self, data: Mapping[str, Any]) -> None:
        pools, step = read_pool(data), number(data.get("step"))
        if not pools:
            return
        self.pools.take(pools)
        for member in (member for members in pools.values() for member in members):
            if step is not None and member.win_rate is not None and member.games:
                self.curves.put(f"{AGAINST}/{member.name}", step, member.win_rate)
