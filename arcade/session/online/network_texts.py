"""The machines of a session by name, and the state of the network in words, for the foot of an online match."""

from __future__ import annotations

from collections.abc import Iterator

from arcade.language import _
from arcade.together.hosting.host import HostSession
from arcade.together.local_play import LocalPlay
from arcade.together.online_match import OnlineMatch
from arcade.together.roles import Session
from arcade.together.rollback_match import RollbackMatch


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


def network_words(session: Session, play: LocalPlay, match: OnlineMatch, *, hosts: bool) -> str:
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
    if play.terms.mode.has_views:
        parts.append(_("runs here") if hosts else _("runs at the host"))
    if match.is_waiting and not turns:
        parts.append(_("waiting for the others"))
    return "  ·  ".join(parts)


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
