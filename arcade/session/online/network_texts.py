"""The machines of a session by name, and the state of the network in words, for the foot of an online match."""

from __future__ import annotations

from collections.abc import Iterator

from arcade.language import _
from arcade.together.hosting.host import HostSession
from arcade.together.local_play import LocalPlay
from arcade.together.online_match import OnlineMatch
from arcade.together.roles import Session
from arcade.together.rollback_match import RollbackMatch

PATIENCE = 0.5
"""Seconds of waiting after which it is told."""


def machine_names(session: Session) -> list[tuple[str, bool]]:
    """The names of all machines, and whether they are ready."""
    own = str(session.number)
    return [
        (_("{name} (you)").format(name=name) if number == own else name, int(number) in session.waiting)
        for number, name in session.names.items()
    ]


def late_names(session: Session) -> list[str]:
    """The names of the other machines that are not ready."""
    left_out = (session.number, *session.waiting)
    return [name for number, name in session.names.items() if int(number) not in left_out]


class NetworkLine:
    """The state of the network in a line; asked for each frame of one match."""

    def __init__(self) -> None:
        self._waits: tuple[int, float] | None = None  # at which tick, and since when

    def text(self, session: Session, play: LocalPlay, match: OnlineMatch, *, hosts: bool) -> str:
        """The absent machines, else the round trip; then the delay of own actions, corrections and late actions."""
        turns, parts = play.spec.turn_based, list(_absences(session, play))
        if not parts:
            parts.append(_("{ms} ms").format(ms=round(1000 * session.round_trip)))
        if not turns:
            parts.append(_("delay {count}").format(count=play.inputs.delay))
        if isinstance(match, RollbackMatch):
            parts.append(_("corrected {count}").format(count=match.rollback.count))
        late = sum(match.late[agent] for agent in play.own) if not turns else 0
        if late:
            parts.append(_("late {count}").format(count=late))
        has_views = play.terms.mode.has_views
        if has_views:
            parts.append(_("runs here") if hosts else _("runs at the host"))
        counts_down = has_views and not hosts and match.index < 1  # at the host, which shows nothing new meanwhile
        if self._has_waited(match, session.clock()) and not turns and not counts_down:
            parts.append(_("waiting for the others"))
        return "  ·  ".join(parts)

    def _has_waited(self, match: OnlineMatch, now: float) -> bool:
        """Whether the match has waited longer than for what is always a little late, such as a view of the host."""
        if not match.is_waiting:
            self._waits = None
        elif self._waits is None or self._waits[0] != match.index:
            self._waits = match.index, now
        return self._waits is not None and now - self._waits[1] > PATIENCE


def _absences(session: Session, play: LocalPlay) -> Iterator[str]:
    """The machines that the match waits for, and how much longer where that is known here."""
    if isinstance(session, HostSession):
        gone = [(guest.title, guest.heard_at) for guest in session.guests if guest.is_absent and guest.seats]
    else:
        host = session.others.name_of(session.host_number)
        gone = [(host, session.heard_at)] if session.is_host_absent else []
        for name in session.others.absent:
            yield _("{machine} is absent").format(machine=name)
    for name, heard_at in gone:
        left = max(0.0, play.terms.grace - (session.clock() - heard_at))
        yield _("{machine} is absent: {seconds:.0f} s left").format(machine=name, seconds=left)
