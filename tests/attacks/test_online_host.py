"""A hostile guest, and strangers, against the host of a match: they harm the seats that they have, and no others."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from arcade.games import find_game
from arcade.match.stage.local import LocalStage
from arcade.together import messages
from arcade.together.hosting import absence, guests
from arcade.together.hosting.admission import Admission
from arcade.together.hosting.host import HostSession
from arcade.together.hosting.message_limits import MAX_STRANGERS
from arcade.together.hosting.truth import MOST_ANEW
from arcade.together.local_play import as_result
from arcade.together.messages import Player
from arcade.together.preparing import prepare
from arcade.together.running import code_of
from arcade.together.signatures import is_valid, sign
from arcade.together.terms import Terms
from arcade.together.ways.codes import SECRET_BYTES
from arcade.together.ways.links import HostLink
from tests.support.odd_machines import GAME, OddGuest, first_digests, raw
from tests.support.online import DEADLINE

SECRET = bytes(range(SECRET_BYTES))


class Hosted:
    """A match whose host has no seat; `turn` lets it hear and play once."""

    def __init__(self, grace=60.0):
        self.spec = find_game(GAME).for_matches()
        self.said, self.turns = [], 0
        terms = Terms(
            match="m", game=self.spec.id, kwargs=self.spec.kwargs, seed=7, rate=self.spec.fps, max_ticks=0, grace=grace
        )
        prepared = prepare(LocalStage(self.spec), terms, rolls_back=False, record=None)
        self.link = HostLink("tcp://127.0.0.1:*")
        self.code = code_of(self.link, SECRET, "127.0.0.1").text
        self.session = HostSession(self.link, prepared.play, prepared.digests, secret=SECRET, say=self.said.append)
        self.session.reserve({})
        self.session.ready({})
        self.guests = []

    def turn(self):
        self.turns += 1
        self.session.update(0.01)

    def until(self, is_so):
        end = time.monotonic() + DEADLINE
        while not is_so():
            assert time.monotonic() < end
            self.turn()

    def guest(self, **options):
        self.guests.append(OddGuest(self.code, **options))
        return self.guests[-1]

    def begin(self):
        """A match between two guests: the first, at the left, has the lower number."""
        for seat in ("left_0", "right_0"):
            guest = self.guest()
            guest.wait_for(messages.Welcome, self.turn)
            guest.sit(seat)
        one, other = self.guests[-2:]
        for guest in (one, other):
            guest.wait_for(messages.Begin, self.turn)
            guest.send(messages.Want(tick=0))
        return one, other

    def close(self):
        for guest in self.guests:
            guest.link.close()
        self.link.close()
        self.session.play.close()


@pytest.fixture
def hosted():
    made = Hosted()
    yield made
    made.close()


@pytest.fixture
def stranger_keys(monkeypatch):
    """All keys are those of strangers, as they are for another machine."""
    monkeypatch.setattr(Admission, "_is_invited", lambda admission, key, secret: secret == SECRET)


@pytest.mark.usefixtures("stranger_keys")
def test_a_flood_of_strangers_is_read_a_little_at_a_time_and_guests_are_answered(hosted):
    one, _ = hosted.begin()
    stranger = hosted.guest(secret=b"wrong")
    stranger.wait_for(messages.Refused, hosted.turn)
    for _ in range(150):
        stranger.send(stranger.hello)
    hosted.turns = 0
    one.send(messages.Ping(sent=1.0))
    one.wait_for(messages.Pong, hosted.turn)
    assert stranger.count(messages.Refused) <= MAX_STRANGERS * hosted.turns
    assert len(hosted.session.guests) == 2


def test_a_flood_of_hellos_is_answered_a_few_times(hosted):
    one, _ = hosted.begin()
    welcomes = one.count(messages.Welcome)
    for _ in range(150):
        one.send(one.hello)
    began = time.monotonic()
    one.send(messages.Ping(sent=1.0))
    one.wait_for(messages.Pong, hosted.turn)
    allowed = guests.REQUESTS_AT_ONCE + guests.REQUESTS_A_SECOND * (time.monotonic() - began) + 1
    assert one.count(messages.Welcome) - welcomes <= allowed


def test_all_that_a_guest_wants_at_once_is_sent_once(hosted):
    one, other = hosted.begin()
    for guest, seat in ((one, "left_0"), (other, "right_0")):
        guest.send(messages.Input(tick=0, seats={seat: [1] * 200}))
    hosted.until(lambda: len(hosted.session.play.log) >= 100)
    before, hosted.turns = one.count(messages.Ticks), 0
    for _ in range(150):
        one.send(messages.Want(tick=0))
    one.send(messages.Ping(sent=1.0))
    one.wait_for(messages.Pong, hosted.turn)
    assert one.count(messages.Ticks) - before <= 2 * hosted.turns  # and what is newly sealed


def test_inputs_that_were_not_checked_reach_no_other_guest(hosted):
    one, other = hosted.begin()
    for guest, seat in ((one, "left_0"), (other, "right_0")):
        guest.send(messages.Input(tick=0, seats={seat: [1] * 20}))
    hosted.until(lambda: len(hosted.session.play.log) >= 10)
    one.send(messages.Input(tick=0, seats={"left_0": ["nonsense"] * 5}))  # sealed already: nobody looks at them
    one.send(messages.Input(tick=10**9, seats={"left_0": ["nonsense"]}))  # too far ahead
    one.send(messages.Input(tick=0, seats={"left_0": [1] * 20}))  # known
    one.send(messages.Input(tick=20, seats={"left_0": [2]}))
    other.listen()
    hosted.until(lambda: any(isinstance(m, messages.Foretold) and m.tick == 20 for m in other.listen()))
    foretold = [m for m in other.heard if isinstance(m, messages.Foretold)]
    ticks = [tick for m in foretold for tick in range(m.tick, m.tick + len(m.seats["left_0"]))]
    assert len(ticks) == len(set(ticks))
    assert set(ticks) <= {*range(21)}
    assert {action for m in foretold for actions in m.seats.values() for action in actions} <= {1, 2}


def test_who_only_watches_does_not_hold_up_the_beginning(hosted):
    watcher = hosted.guest()
    watcher.wait_for(messages.Welcome, hosted.turn)
    watcher.send(messages.Claim(seats={}, probe=first_digests(7)))  # and never ready
    hosted.until(lambda: any(guest.is_seated for guest in hosted.session.guests))
    hosted.begin()
    watcher.wait_for(messages.Begin, hosted.turn)


def test_a_guest_that_answers_and_sends_no_inputs_forfeits(hosted, monkeypatch):
    one, other = hosted.begin()
    other.send(messages.Input(tick=0, seats={"right_0": [1] * 200}))
    monkeypatch.setattr(absence, "INPUT_PATIENCE", 1.0 - hosted.session.terms.grace)

    def turn_with_sign_of_life():
        for guest in (one, other):
            guest.send(messages.Ping(sent=1.0))
            guest.listen()
        hosted.turn()
        return hosted.session.play.result is not None

    hosted.until(turn_with_sign_of_life)
    assert str(hosted.session.play.result.loser) == "left_0"
    assert hosted.session.play.result.ended == "forfeit"


def test_a_guest_that_claims_to_differ_has_the_match_played_anew_a_few_times(hosted, monkeypatch):
    one, other = hosted.begin()
    anew = []
    play_anew = hosted.session.play.play_anew
    monkeypatch.setattr(hosted.session.play, "play_anew", lambda: (anew.append(1), play_anew()))
    for guest, seat in ((one, "left_0"), (other, "right_0")):
        guest.send(messages.Input(tick=0, seats={seat: [1] * 200}))
    hosted.until(lambda: len(hosted.session.play.book.values) >= 60)
    runs = iter(range(10**6))

    def lie():
        one.send(messages.Digests(first=0, values=[0] * 20, run=next(runs)))
        one.send(messages.Diverged(tick=0, what="\x1b[31mall"))
        one.listen()
        hosted.turn()
        return hosted.session.end is not None

    hosted.until(lie)
    assert len(anew) <= MOST_ANEW
    assert hosted.session.end.ended == "failed"
    assert len(hosted.session.truth.differences) <= 8
    assert all(text.isprintable() for text in hosted.said)


def test_what_guests_call_themselves_and_say_cannot_write_to_the_terminal(hosted):
    guest = hosted.guest()
    guest.hello.name = "\x1b]0;owned\x07Eve\n\u202e"
    guest.hello.versions = {"numpy": "\x1b[2J"}
    guest.hello.instance = b"another instance"
    guest.wait_for(messages.Welcome, hosted.turn)
    guest.send(guest.hello)
    guest.wait_for(messages.Welcome, hosted.turn)
    guest.send(messages.Leave(cause="game", detail="\x1b[2Jbye\r\n"))
    hosted.until(lambda: any("bye" in text for text in hosted.said))
    assert all(text.isprintable() for text in hosted.said)
    assert all(name.isprintable() for name in hosted.session.names.values())


def test_a_guest_that_plays_along_does_not_become_the_host_by_saying_so(hosted):
    """Not even where it has all seats, so that nobody else is there to ask."""
    only = hosted.guest()
    only.wait_for(messages.Welcome, hosted.turn)
    only.hello.port = 9
    only.send(only.hello)
    only.sit("left_0", "right_0")
    only.wait_for(messages.Begin, hosted.turn)
    assert hosted.session.guests.at(1).place is not None
    for _ in range(5):
        only.send(messages.Ping(sent=1.0))
        only.send(messages.Moved(host=1))
    only.wait_for(messages.Pong, hosted.turn)
    for _ in range(5):
        hosted.turn()
    assert hosted.session.moved_to is None


WRONG = {"ticks": 3, "actions": "0" * 16, "placements": {"left_0": 1, "right_0": 2}}


@pytest.mark.parametrize("last", ["true", "false"])
def test_of_a_result_that_is_signed_twice_with_different_scores_the_last_counts(hosted, last):
    """It may have played anew.  What it signed of another result stands on no row."""
    one, _ = hosted.begin()
    one.send(messages.Input(tick=0, seats={"left_0": [1] * 30}))
    hosted.guests[1].send(messages.Input(tick=0, seats={"right_0": [1] * 30}))
    hosted.until(lambda: len(hosted.session.play.log) >= 30)
    hosted.session.end_match("quit", "", "enough")
    hosted.until(lambda: hosted.session.play.result is not None)
    result = hosted.session.play.result
    true = messages.Result(**as_result(result), signature=sign(result, "m"))
    false = messages.Result(**WRONG, signature=sign(replace(result, ticks=3, actions="0" * 16), "m"))
    both = (false, true) if last == "true" else (true, false)
    for message in both:
        one.send(message)
    hosted.until(lambda: hosted.session.guests.at(1).result == both[1])
    hosted.guests[1].send(messages.Result(**as_result(result)))
    agreed = one.wait_for(messages.Agreed, hosted.turn)
    assert agreed.ok is (last == "true")
    assert all(is_valid(signature, result.as_json(), "m") for signature in agreed.signatures.values())
    assert set(agreed.signatures) == ({"0", "1"} if agreed.ok else set())


@pytest.fixture
def home_of(monkeypatch, tmp_path):
    """Switches to the keys of another machine."""
    return lambda name: monkeypatch.setenv("ARCADE_HOME", str(tmp_path / name))


def test_a_hello_that_another_machine_repeats_moves_nobody(hosted, home_of):
    one, other = hosted.begin()
    guest, sender = hosted.session.guests.at(1), hosted.session.guests.at(1).sender
    home_of("mallory")
    stranger = hosted.guest()
    stranger.wait_for(messages.Welcome, hosted.turn)
    one.hello.number, one.hello.sealed = 1, 10**9
    stranger.send(one.hello)
    assert stranger.wait_for(messages.Refused, hosted.turn).code == "secret"
    for message in (messages.Ready(), messages.Leave(cause="game", detail="bye")):  # for itself alone
        stranger.send(message)
    other.send(messages.Ping(sent=1.0))
    other.wait_for(messages.Pong, hosted.turn)
    assert (guest.sender, len(guest.seats), hosted.session.end) == (sender, 1, None)


@pytest.mark.usefixtures("stranger_keys")
def test_the_code_of_an_old_match_leads_into_no_other_one(hosted, home_of):
    home_of("mallory")
    stranger = hosted.guest(secret=bytes(SECRET_BYTES))
    stranger.hello.number = 1  # as it had in the old one
    stranger.send(stranger.hello)
    assert stranger.wait_for(messages.Refused, hosted.turn).code == "secret"
    assert not len(hosted.session.guests)


@pytest.mark.parametrize("sent", [float("nan"), float("inf"), -1e300])
def test_odd_times_slow_nobody_down(hosted, sent):
    one, other = hosted.begin()
    one.link._socket.send(raw("pong", sent=sent))
    one.link._socket.send(raw("ping", sent=sent))
    for _ in range(20):
        one.send(messages.Pong(sent=-1e9))
    other.send(messages.Ping(sent=1.0))
    other.wait_for(messages.Pong, hosted.turn)
    hosted.until(lambda: other.count(messages.Ping) > 2)
    slowest = [message.slowest for message in other.heard if isinstance(message, messages.Ping)]
    assert max(slowest) <= guests.LONGEST_TRIP


def test_a_name_of_another_is_told_apart(hosted):
    one, other = hosted.guest(), hosted.guest()
    for guest, seat in ((one, "left_0"), (other, "right_0")):
        guest.wait_for(messages.Welcome, hosted.turn)
        guest.send(messages.Claim(seats={seat: Player("Ann", "keyboard")}, probe=first_digests(7)))
        hosted.until(lambda seat=seat: seat in hosted.session.lineup)
    labels = [player.label for player in hosted.session.lineup.values()]
    assert len(set(labels)) == 2
