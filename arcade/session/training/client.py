"""TrainerClient: requests to one trainer, their answers, events, and watched games.  Only `ask_trainer` waits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.errors import UserError
from agents.wire.control import ControlClient, ControlError, EventSubscriber
from agents.wire.messages import Event, ProtocolError
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
from arcade.language import N_, _
from arcade.session.training.curves import Curves
from arcade.session.training.errors import reason_text
from arcade.session.training.runs import reached_from

MOST_TICKS = 36_000
"""Ticks of one episode at most: ten minutes at sixty ticks a second; the rest of a longer one is not shown."""

MOST_EPISODE_BYTES = 64 * 2**20
"""Bytes of the moves of one episode at most."""

REFUSED = {
    "pause": N_("The training cannot pause now: {reason}"),
    "resume": N_("The training cannot continue now: {reason}"),
    "freeze": N_("No new version can be saved now: {reason}"),
    "stop": N_("The training cannot stop now: {reason}"),
    "matchmaking": N_("The training cannot take these opponents: {reason}"),
}
REFUSED_ANY = N_("The training refused a request: {reason}")
"""By request; a reason that is not understood is in the trainer's own words."""

Moves = Mapping[str, Any]
"""Agent id as text → its action as numbers."""


@dataclass(slots=True)
class SpectatedEpisode:
    """One training game from its first tick on."""

    number: int
    seed: int
    lineup: dict[str, str]  # agent → label of its player
    ticks: list[Moves] = field(default_factory=list)
    whole: bool = False  # no more ticks follow
    size: int = 0  # bytes, about

    def add(self, ticks: list[dict[str, Any]], *, at: int | None, over: bool) -> None:
        """Add a piece that begins `at` a tick; a gap ends the episode."""
        if at is not None and at != len(self.ticks):
            self.whole = True
            return
        self.ticks += ticks
        self.size += sum(getattr(action, "nbytes", 64) for tick in ticks for action in tick.values())
        is_full = len(self.ticks) >= MOST_TICKS or self.size > MOST_EPISODE_BYTES
        self.whole = self.whole or over or is_full
        del self.ticks[MOST_TICKS:]


class EpisodeBuffer:
    """The episode on the screen and the newest one since; those between are skipped, as trainers play much faster."""

    def __init__(self) -> None:
        self.shown: SpectatedEpisode | None = None
        self.coming: SpectatedEpisode | None = None

    def take(self, piece: WatchPiece) -> None:
        """Add a piece to its episode; pieces of an episode whose beginning was missed are dropped."""
        if piece.first:
            self.coming = SpectatedEpisode(piece.episode, piece.seed, piece.lineup)
        for episode in (self.coming, self.shown):
            if episode is not None and episode.number == piece.episode and not episode.whole:
                episode.add(piece.ticks, at=piece.at, over=piece.over)
                return

    def show_next(self) -> SpectatedEpisode | None:
        """Show the newest episode; None where none began since."""
        self.shown, self.coming = self.coming, None
        return self.shown


ASK_EVERY = 1.0
"""Seconds from an answer to the next request for the status, which shows that the trainer lives."""

ASK_AGAIN = 4.0
"""Seconds after which an unanswered request is repeated."""

PATIENCE = 6.0
"""Seconds without any answer after which a trainer counts as silent."""

RENEW_WATCH = 2.0
"""Seconds between two requests to keep streaming a game; without them the trainer stops after ten."""

AGAINST = "against"
"""Curves of the win rates against members of the pool are called ``against/NAME``."""

_STATUS_FIELDS = frozenset(("run", "game", "step", "iteration"))
"""Fields of the status in other events."""

_MAX_PENDING = 64
"""Requests that wait for an answer, and news that wait for the owner; the oldest are dropped."""


@dataclass
class Pools:
    """The opponent pools as last published."""

    of: dict[str, tuple[PoolMember, ...]] = field(default_factory=dict)  # policy → members
    version: int = 0  # rises with every change


class TrainerClient:
    """Open until `close`; called once a frame::

    client.update(now)
    client.answers       # whether the trainer answered recently
    client.status, client.curves, client.pools, client.episodes
    client.request("pause")

    Without `control` it only listens to `events`; without `events` the trainer reports their endpoint.  Malformed
    events and answers are dropped and counted in `refused`.
    """

    def __init__(
        self, control: str = "", events: str = "", *, curves: Curves | None = None, pools: Pools | None = None
    ) -> None:
        """Raises UserError for a malformed `control` address."""
        self.control = control
        self.status = TrainerStatus()
        self.curves, self.pools = curves or Curves(), pools or Pools()
        self.episodes = EpisodeBuffer()
        self.win_rate: float | None = None  # against the pool, 0 … 1
        self.frozen: list[SnapshotFrozen] = []  # until the owner empties it
        self.notices: list[str] = []  # for people, until the owner empties it
        self.refused = 0
        self.watching = False
        self._requests = ControlClient(control) if control else None
        self._subscription: EventSubscriber | None = None
        self._events = ""
        self._pending: dict[int, str] = {}  # request id → name
        self._since: float | None = None  # time of the first request
        self.answered_at: float | None = None  # time of the last answer
        self._ask_at = self._renew_at = 0.0
        self._now = 0.0
        self._listen(events)

    @property
    def answers(self) -> bool:
        """Whether it answered recently."""
        return self.answered_at is not None and self._now - self.answered_at <= PATIENCE

    @property
    def refusal(self) -> str:
        """Why the trainer refuses this client, and how to mend it; "" where it does not."""
        sockets = (self._requests, self._subscription)
        return next((socket.refusal for socket in sockets if socket is not None and socket.refusal), "")

    @property
    def silent_seconds(self) -> float:
        """Seconds since the last answer, or since the first request."""
        last = self.answered_at if self.answered_at is not None else self._since
        return self._now - last if last is not None else 0.0

    def update(self, now: float) -> None:
        """Handle new answers and events, and send the requests that are due."""
        self._now = now
        if self._requests is not None:
            self._exchange(self._requests, now)
        for message in self._subscription.poll() if self._subscription is not None else ():
            try:
                self._handle(message)
            except Exception:  # noqa: BLE001  # a stranger's event must not end the window
                self.refused += 1
        del self.frozen[:-_MAX_PENDING], self.notices[:-_MAX_PENDING]

    def request(self, name: str, params: Mapping[str, Any] | None = None) -> None:
        """Request ``pause``, ``resume``, ``freeze``, ``stop`` or ``matchmaking``; a refusal becomes a notice."""
        if self._requests is None:
            return
        try:
            self._pending[self._requests.request(name, params)] = name
        except UserError as error:
            self.notices.append(str(error))
        while len(self._pending) > _MAX_PENDING:
            del self._pending[next(iter(self._pending))]

    def watch(self, on: bool) -> None:
        """Start or stop the stream of a game's moves."""
        if self.watching and not on and self.answers:
            self.request("watch", {"on": False})
        self.watching, self._renew_at = on, 0.0

    def close(self) -> None:
        """Close the sockets; can be called twice."""
        self.watch(False)
        for socket in (self._requests, self._subscription):
            if socket is not None:
                socket.close()

    def _exchange(self, control: ControlClient, now: float) -> None:
        for reply in control.poll():
            self._handle_reply(self._pending.pop(reply.id, ""), reply.result, reply.error)
        if now >= self._ask_at and not control.refusal:
            self._since = self._since if self._since is not None else now
            self._ask_at = now + ASK_AGAIN
            self.request("status")
        if self.watching and self.answers and now >= self._renew_at:
            self._renew_at = now + RENEW_WATCH
            self.request("watch", {"on": True})

    def _handle_reply(self, name: str, result: Mapping[str, Any], error: str) -> None:
        self.answered_at, self._ask_at = self._now, min(self._ask_at, self._now + ASK_EVERY)
        if error:
            if name != "status":
                self.notices.append(_(REFUSED.get(name, REFUSED_ANY)).format(reason=reason_text(error) or line(error)))
            return
        try:
            self.status = self.status.merged(read_status(result))
        except ProtocolError:
            self.refused += 1
        self._listen(reached_from(self.control, self.status.events))

    def _listen(self, events: str) -> None:
        """Subscribe to an endpoint instead of the last; "" changes nothing."""
        if events and events != self._events:
            if self._subscription is not None:
                self._subscription.close()
            self._events, self._subscription = events, EventSubscriber(events)

    def _handle(self, message: Event) -> None:
        try:
            event = read_event(message.name, message.data)
        except ProtocolError:
            self.refused += 1
            return
        match event:
            case TrainerStatus():
                self.status = self.status.merged(event)
            case Metrics():
                self._update_status(event)
                self.curves.add(event.model_dump())
            case WinRates():
                self._update_status(event)
            case PoolTable() if event.policies:
                self._update_pools(event)
            case SnapshotFrozen():
                self._update_status(event)
                self.frozen.append(event)
                self.notices.append(_("A new version is saved"))
            case WatchPiece() if self.watching:
                self.episodes.take(event)

    def _update_status(self, event: TrainerEvent) -> None:
        """Copy the status fields of an event; a trainer that publishes it no longer starts."""
        facts = {name: getattr(event, name) for name in _STATUS_FIELDS & event.model_fields_set}
        state = self.status.state
        facts["state"] = "running" if state in ("", "starting") else state
        self.status = self.status.model_copy(update=facts)
        if isinstance(event, Metrics | WinRates) and event.win_rate is not None:
            self.win_rate = event.win_rate

    def _update_pools(self, table: PoolTable) -> None:
        self.pools.of, self.pools.version = table.policies, self.pools.version + 1
        for member in (member for members in table.policies.values() for member in members):
            if member.win_rate is not None and member.games:
                self.curves.put(f"{AGAINST}/{member.name}", table.step, member.win_rate)


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
