"""Who becomes the next host of a match, and what it may change: hostile guests, hosts that come back, odd places."""

from __future__ import annotations

import threading
import time

import pytest

from agents.policies.random import RandomController
from arcade.games import find_game
from arcade.match.stage.local import LocalStage
from arcade.together import messages
from arcade.together.guest import GuestSession
from arcade.together.host_checks import HostChecks
from arcade.together.hosting.host import HostSession
from arcade.together.messages import Place, Player
from arcade.together.preparing import as_players, make_players, prepare
from arcade.together.roles import next_role
from arcade.together.running import RunOptions, join_match
from arcade.together.terms import SessionError
from arcade.together.ways.codes import parse_code
from arcade.together.ways.connector import Connector
from tests.support.odd_machines import GAME, OddGuest, OddHost
from tests.support.online import DEADLINE

LINEUP = {"left_0": Player("host", "random"), "right_0": Player("guest", "random", peer=1)}
OTHERS = {"left_0": Player("liar", "random", peer=2), "right_0": Player("guest", "random", peer=1)}


class Joined:
    """A guest in the right seat, in this process; `turn` lets it hear and play once, in whichever role it has."""

    def __init__(self, code):
        known, self.said = parse_code(code), []
        connector = Connector.of(known)
        link = connector.dial(known.place)
        self.session = guest = GuestSession(
            link, secret=known.secret, say=self.said.append, connector=connector, standby=connector.own
        )
        self.until(lambda: guest.offer is not None)
        stage = LocalStage(find_game(GAME).for_matches())
        prepared = prepare(stage, guest.offer.terms, rolls_back=False, record=None)
        own = make_players(stage, guest.offer.terms, {"right_0": "random"}, lambda agent, choice: RandomController())
        self.play = prepared.play
        self.play.seat(own)
        guest.join(self.play, as_players(own), prepared.digests)

    def turn(self):
        self.session.update(0.01)
        self.session = next_role(self.session)

    def until(self, is_so):
        end = time.monotonic() + DEADLINE
        while not is_so():
            assert time.monotonic() < end, self.said
            self.turn()

    def close(self):
        self.session.close()
        if hasattr(self, "play"):
            self.play.close()


@pytest.fixture
def joined():
    made = []

    def join(code):
        made.append(Joined(code))
        return made[-1]

    yield join
    for one in made:
        one.close()


WELCOME = {
    "peer": 1, "match": "m", "game": GAME, "seed": 7, "kwargs": {"team_size": 1}, "rate": 600.0, "free": ["right_0"],
}  # fmt: skip


def begins(*more, lineup=LINEUP):
    return {messages.Claim: lambda claim: [messages.Begin(lineup=lineup), *more]}


def lost(*more, lineup=LINEUP, **terms):
    """A host that begins the match, sends `more`, and is silent from then on, but for what others have it answer."""
    greeted = []

    def welcome(message):
        greeted.append(message)
        return [messages.Welcome(**{**WELCOME, **terms})] if len(greeted) == 1 else []

    return {messages.Hello: welcome, **begins(*more, lineup=lineup)}


def place_of(host):
    return Place("127.0.0.1", host.link.port, host.link.address.key)


def seals(ticks):
    """Seals what the guest sends for its seat, as it was sent, and a zero for the other, up to so many ticks."""
    sealed = [0]

    def answer(message):
        found = []
        for offset, action in enumerate(message.seats["right_0"]):
            if message.tick + offset == sealed[0] < ticks:
                found.append(messages.Ticks(first=sealed[0], inputs=[[0, 0, 1, action]]))
                sealed[0] += 1
        return found

    return {messages.Input: answer}


def join(host):
    return join_match(host.code, ["right_0=random"], RunOptions(ladder=False, record=False, rolls_back=False))


def test_a_host_that_plays_a_guests_seat_ahead_of_it_is_left():
    ahead = messages.Ticks(first=0, inputs=[[0, 0, 1, 3]] * 300)
    with OddHost(answers=begins(ahead), rate=60.0) as host, pytest.raises(SessionError, match="never sent"):
        join(host)


@pytest.mark.parametrize("kept", [0, 100])
def test_a_next_host_with_an_invented_history_is_left(kept):
    """It says that most of what was sealed does not count, to play it to its own liking."""
    with OddHost(host=2, era=1, kept=kept, rate=600.0) as following:
        lobby = messages.Lobby(places={"2": place_of(following)}, names={"2": "Eve"})
        host = OddHost(answers={**lost(lobby), **seals(400)})
        with host, pytest.raises(SessionError, match="what was sealed"):
            join(host)


def test_many_next_hosts_forget_no_more_than_one():
    checks = HostChecks(clock=lambda: 0.0)
    for _ in range(2):
        checks.check_kept(900, 1000)
    with pytest.raises(SessionError, match="what was sealed"):
        checks.check_kept(900, 1000)


def test_a_host_that_comes_back_with_an_invented_history_is_left(joined):
    """The guest has become the host meanwhile, alone; the earlier host then wants most ticks to be forgotten."""
    is_back = threading.Event()
    answers = {**begins(), **seals(400)}
    lobby = messages.Lobby(places={"1": Place("127.0.0.1", 9, bytes(32))}, names={"0": "Ada", "1": "Bob"})
    false = messages.Welcome(**WELCOME, host=0, era=0, kept=3)
    true = messages.Welcome(**WELCOME)
    begun = threading.Event()

    def hello(message):
        if is_back.is_set():
            return [false]
        return [] if begun.is_set() else [true]

    def claim(message):
        begun.set()
        return [messages.Begin(lineup=LINEUP), lobby]

    with OddHost(answers={**answers, messages.Hello: hello, messages.Claim: claim}) as host:
        guest = joined(host.code)
        guest.until(lambda: isinstance(guest.session, HostSession))
        assert len(guest.play.log) == 400
        is_back.set()
        with pytest.raises(SessionError, match="what was sealed"):
            guest.until(lambda: len(guest.play.log) < 300)


def test_a_liar_among_the_guests_gives_the_next_host_no_inputs_that_it_never_sent(joined):
    lobby = messages.Lobby(
        places={"1": Place("127.0.0.1", 9, bytes(32)), "2": Place("127.0.0.1", 9, bytes(32))},
        names={"1": "Bob", "2": "Eve"},
    )

    with OddHost(answers=lost(lobby, lineup=OTHERS)) as host:
        guest = joined(host.code)
        standby = guest.session.standby
        guest.until(lambda: isinstance(guest.session, HostSession))
        sent = dict(guest.play.inputs.at(0))
        session = guest.session
        liar = OddGuest(parse_code(host.code).text)
        liar.link.close()
        liar.link = type(liar.link)(str(session.code.address).replace(session.code.host, "127.0.0.1"))
        liar.send = liar.link.send
        assert standby is session.link
        liar.hello.number, liar.hello.sealed = 2, 200
        liar.send(liar.hello)
        liar.wait_for(messages.Want, guest.turn)
        lie = (int(sent["right_0"]) + 1) % 6
        liar.send(messages.Ticks(first=0, inputs=[[0, 0, 1, lie]] * 200))
        guest.until(lambda: session.takeover.is_settled)
        liar.link.close()
    assert [tick for tick in range(len(guest.play.log)) if guest.play.log[tick]["right_0"] == lie] == []
    assert len(guest.play.log) == 0


@pytest.mark.parametrize(
    "name", ["", " ", "*", "a b", "\x00", "$(id)", "[::1", "x" * 400, "127.0.0.1:1,2", "ü.example"]
)
def test_odd_places_of_the_next_host_are_passed_over(name):
    lobby = messages.Lobby(places={"2": Place(name, 9, bytes(range(32)))}, names={"2": "Eve"})
    with OddHost(answers=lost(lobby, grace=5.0)) as host:
        outcome = join(host)
    assert outcome.result.ended == "forfeit"
    assert str(outcome.result.loser) == "left_0"


@pytest.mark.parametrize(
    "lobby",
    [
        messages.Lobby(places={str(number): Place("127.0.0.1", 9, bytes(32)) for number in range(2_000)}),
        messages.Lobby(names={str(number): "x" for number in range(20_000)}),
    ],
)
def test_a_host_that_names_thousands_of_machines_is_left(lobby):
    with OddHost(answers=begins(lobby), rate=60.0) as host, pytest.raises(SessionError, match="protocol"):
        join(host)


def test_machines_without_a_number_do_not_end_the_next_host(joined):
    own = {"1": Place("127.0.0.1", 9, bytes(32)), "٣": Place("127.0.0.1", 9, bytes(32))}
    lobby = messages.Lobby(places={**own, "-": own["1"]}, names={"1": "Bob", "x": "Eve", "99": "Mallory"})
    with OddHost(answers=lost(lobby)) as host:
        guest = joined(host.code)
        guest.until(lambda: isinstance(guest.session, HostSession))
        assert set(guest.session.names) <= {str(number) for number in range(messages.MAX_PEERS + 1)}


def test_a_host_of_another_match_is_not_followed():
    """At the place of a machine there is another match by now, or an old one."""
    with OddHost(match="another", host=2, era=1, kept=0, rate=60.0) as other:
        lobby = messages.Lobby(places={"2": place_of(other)}, names={"2": "Eve"})
        with OddHost(answers=lost(lobby, grace=7.0)) as host:
            outcome = join(host)
    assert outcome.match == "m"
    assert outcome.result.ended == "forfeit"
