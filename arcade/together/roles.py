"""Roles: a machine becomes the host of its match, or a guest of another one."""

from __future__ import annotations

from collections.abc import Mapping

from arcade.language import _
from arcade.together.guest import GuestSession
from arcade.together.hosting.guests import ABSENT_AFTER
from arcade.together.hosting.host import HostSession
from arcade.together.hosting.reasons import reason_text
from arcade.together.hosting.takeover import Takeover
from arcade.together.messages import Player, Signature, Welcome
from arcade.together.seats import forfeited_seat
from arcade.together.signatures import sign
from arcade.together.succession import LOST_AFTER, Succession, order_of
from arcade.together.ways.links import own_address

Session = HostSession | GuestSession


def next_role(session: Session) -> Session:
    """The session that continues the match: the same one, or its successor, which has all its sockets."""
    if isinstance(session, GuestSession):
        return _followed(session)
    earlier = session.takeover.earlier if session.takeover is not None else None
    if earlier is None and session.moved_to is None:
        return session
    return as_guest(session)


def chosen_of(session: Session) -> Mapping[str, Player]:
    """The seats that machines have chosen, but not claimed yet."""
    return session.guests.chosen(session.free) if isinstance(session, HostSession) else session.chosen


def signatures_of(session: Session) -> Mapping[str, Signature]:
    """Of the machines that agree on the result, by number."""
    if isinstance(session, HostSession):
        return session.agreement.signatures
    agreed, play = session.report.agreed, session.play
    if agreed is None or play is None or play.result is None:
        return {}
    own = sign(play.result, play.terms.match)  # not what the host says of it
    return {**agreed.signatures, str(session.number): own}


def _followed(guest: GuestSession) -> Session:
    """Find the next host where this one is lost, or become it."""
    succession, offer = guest.succession, guest.offer
    if guest.standby is not None:
        guest.standby.hear(0.0)  # hellos are said again once this is the host; what strangers send is not kept
    if offer is None and succession is not None and (found := succession.heard(guest.clock())) is not None:
        _move(guest, *found)
        return guest
    if offer is None or not guest.looks_for_host:
        return guest
    now = guest.clock()
    silence = now - guest.heard_at
    _wait(guest, silence, offer.terms.grace)
    if succession is None or offer.terms.mode.has_views:  # only the host can continue it
        return guest
    if silence < LOST_AFTER:
        succession.stop()
        return guest
    if succession.search is None:
        places = {**guest.places, guest.host_number: guest.link.place}
        others = {number: place for number, place in places.items() if number != guest.number}
        succession.look_for(others, offer.terms.match)
    found = succession.heard(now)
    if found is not None:
        _move(guest, *found)
    elif guest.standby is not None:
        order = order_of(guest.places, guest.lineup, host=guest.host_number)
        if guest.connector is not None:
            silence = guest.connector.reachable_for(silence)
        if Succession.is_due(silence, order, guest.number):
            return as_host(guest)
    return guest


def _move(guest: GuestSession, number: int, welcome: Welcome) -> None:
    """Follow another host."""
    assert guest.succession is not None
    assert guest.succession.search is not None
    before, guest.link = guest.link, guest.succession.search.take(number)
    guest.succession.search = None
    before.close()
    guest.take(welcome)


def _wait(guest: GuestSession, silence: float, grace: float) -> None:
    """Tell that the host is silent, and end the match where no host is found within the grace period."""
    play = guest.play
    if silence <= ABSENT_AFTER or play is None or play.match is None:
        return
    if not guest.is_host_absent:
        guest.is_host_absent = True
        guest.say(_("the host is absent; the match waits for {seconds:.0f} s").format(seconds=grace - silence))
    if silence > grace:
        loser = forfeited_seat(guest.lineup, guest.host_number)
        name = guest.others.name_of(guest.host_number)
        why = reason_text("away", name, grace)
        if play.terms.mode.has_views:
            loser = ""
            words = _("{machine} alone had the game, and did not come back within {seconds:g} s; "
                      "the match does not count, and {machine} has the recording up to there")  # fmt: skip
            why = words.format(machine=name, seconds=grace)
        guest.say(why)
        play.end_here(loser, why)


def as_host(guest: GuestSession) -> HostSession:
    """Continue as the host with what this machine has; the others, and the host that is lost, may come over."""
    play, standby, connector, succession = guest.play, guest.standby, guest.connector, guest.succession
    assert play is not None
    assert standby is not None
    assert connector is not None
    assert succession is not None
    assert succession.search is not None
    places = {**guest.places, guest.host_number: guest.link.place}
    host = HostSession(
        standby, play, guest.joining.probe, secret=guest.secret, say=guest.say, clock=guest.clock,
        name=guest.names.get(str(guest.number), guest.name),  # by which the others know it
        connector=connector, number=guest.number, era=guest.era + 1, instance=guest.instance,
    )  # fmt: skip
    host.begun = host.is_ready = True
    host.lineup, host.end = dict(guest.lineup), guest.end
    for number, name in guest.names.items():
        place = places.get(int(number))
        if int(number) != guest.number and place is not None:
            key = "" if place.key == host.key else place.key.hex()
            seats = tuple(agent for agent in play.spec.agents if host.lineup[str(agent)].peer == int(number))
            heard_at = guest.heard_at if int(number) == guest.host_number else guest.clock()
            host.guests.expect(int(number), key, name, seats, heard_at)
    host.takeover = Takeover(host, succession.search, guest.host_number, guest.clock)
    guest.link.close()
    play.inputs.send_again(0)
    host.code = connector.code_at(standby.place(own_address()))
    host.say(_("the host is lost; this machine is the host now"))
    return host


def as_guest(host: HostSession) -> GuestSession:
    """Continue as a guest of the machine that is the host meanwhile."""
    connector, takeover = host.connector, host.takeover
    assert connector is not None
    welcome = None
    if takeover is not None and takeover.earlier is not None:
        number, welcome = takeover.earlier
        link = takeover.search.take(number)
    else:
        assert host.moved_to is not None
        guest = host.guests.at(host.moved_to)
        assert guest is not None
        assert guest.place is not None
        number, link = guest.number, connector.dial(guest.place)
        if takeover is not None:
            takeover.search.close()
    session = GuestSession(
        link, secret=host.secret, name=host.name, say=host.say, clock=host.clock, connector=connector,
        standby=host.link, instance=host.instance,
    )  # fmt: skip
    session.resume(host, number)
    host.say(_("{machine} is the host now").format(machine=host.names.get(str(number), "")))
    if welcome is not None:
        session.take(welcome)
    return session
