"""A hostile host against a guest: it can end the match, and neither plays the guest's seats nor has it lose."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from arcade.together import messages
from arcade.together.host_checks import HostChecks
from arcade.together.messages import Player
from arcade.together.running import RunOptions, join_match
from arcade.together.signatures import sign
from arcade.together.terms import SessionError
from tests.support.odd_machines import OddHost, raw

LINEUP = {"left_0": Player("host", "random"), "right_0": Player("guest", "random", peer=1)}


@pytest.fixture
def said():
    return []


def join(host, said, **options):
    return join_match(
        host.code, ["right_0=random"], RunOptions(ladder=False, record=False, rolls_back=False, **options),
        say=said.append,
    )  # fmt: skip


def begins(*more):
    """A host that begins the match at the first claim, and sends `more`."""
    return {messages.Claim: lambda claim: [messages.Begin(lineup=LINEUP), *more]}


def test_a_host_that_changes_what_a_guest_plays_is_left(said):
    def seal(message):
        [[action]] = message.seats.values()
        return [messages.Ticks(first=message.tick, inputs=[[0, 0, 1, (action + 1) % 6]])]

    answers = {**begins(), messages.Input: lambda m: seal(m) if len(m.seats["right_0"]) == 1 else []}
    with OddHost(answers=answers, rate=60.0) as host, pytest.raises(SessionError, match="as it was sent"):
        join(host, said)


def test_a_host_that_has_inputs_before_the_match_began_is_left(said):
    begin = messages.Begin(lineup=LINEUP, next=40)
    answers = {messages.Claim: lambda claim: [begin]}
    with OddHost(answers=answers) as host, pytest.raises(SessionError, match="never sent"):
        join(host, said)


def test_a_forfeit_that_a_host_invents_does_not_count(said):
    end = messages.End(tick=0, ended="forfeit", loser="right_0", why="\x1b[2Jbecause")
    with OddHost(answers={**begins(end), messages.Result: lambda m: [messages.Agreed(ok=True)]}, rate=60.0) as host:
        outcome = join(host, said)
    assert outcome.agreed is False
    assert not outcome.result.rated
    assert "did not leave" in outcome.result.unrated
    assert outcome.why.isprintable()


def test_what_a_host_says_that_a_guest_has_signed_does_not_count(said):
    """It may leave it out, or have signed by a key of its own; the guest keeps what it has signed itself."""
    forged, end = messages.Signature(bytes(32), bytes(64)), messages.End(tick=0, ended="quit")
    for signatures in ({}, {"1": forged}, {str(number): forged for number in range(8)}):
        agreed = messages.Agreed(ok=True, signatures=signatures)
        with OddHost(answers={**begins(end), messages.Result: lambda m, agreed=agreed: [agreed]}, rate=60.0) as host:
            outcome = join(host, said)
        assert [one["key"] for one in outcome.result.settings["signatures"]] == [sign(outcome.result, "m").key.hex()]


@pytest.mark.parametrize(
    "frame",
    [
        raw("ping", sent=float("nan")), raw("ping", sent=0.0, slowest=float("nan")),
        raw("ping", sent=0.0, slowest=float("inf")), raw("absent", peer=2, seconds=float("nan")),
        raw("ticks", first=0, inputs=[[0, "up", 1, 0]]), raw("ticks", first=0, inputs=[[5, 0]]),
        raw("ticks", first=0, inputs=[[0]]), raw("foretold", tick=0, seats={"right_0": [1]}),
        raw("foretold", tick=0, seats={"left_0": [{}]}), raw("begin", lineup={"x": 1}), raw("nosuch"), b"\xc1",
    ],
)  # fmt: skip
def test_odd_messages_end_the_guests_part_in_words(said, frame):
    with OddHost(answers=begins(frame), rate=60.0) as host, pytest.raises(SessionError, match=r"from the host|of this"):
        join(host, said)


@pytest.mark.parametrize("terms", [{"rate": 1e-300}, {"kwargs": {"team_size": 10**9}}])
def test_odd_terms_are_refused(said, terms):
    with OddHost(**terms) as host, pytest.raises(SessionError, match="of the host"):
        join(host, said)


def test_a_host_that_always_differs_is_left(said):
    run = iter(range(10**6))
    lie = lambda *_: [messages.Differs(tick=0, run=next(run))]  # noqa: E731
    answers = {**begins(*lie()), messages.Diverged: lie}
    with OddHost(answers=answers) as host, pytest.raises(SessionError, match="always has another"):
        join(host, said)


def test_a_host_neither_floods_a_guest_with_texts_nor_writes_to_its_terminal(said):
    phrases = [messages.Phrase(number=n % 8, peer=2) for n in range(60)]
    news = [one for _ in range(30) for one in (messages.Absent(peer=3, seconds=1.0), messages.Back(peer=3))]
    lobby = messages.Lobby(names={"2": "\x1b[31mEve\x07", "3": "\r\nroot#"})
    refused = messages.Refused(code="over", text="\x1b[2Jend")
    with OddHost(answers=begins(lobby, *phrases, *news, refused)) as host, pytest.raises(SessionError) as error:
        join(host, said)
    assert str(error.value).isprintable()
    assert all(text.isprintable() for text in said)
    assert len(said) < 10


@pytest.mark.parametrize("invented", [True, False])
def test_a_host_that_moved_before_the_beginning_came_is_believed_its_own_moves_alone(invented):
    host, own = "player_0", "player_1"
    sealed = [{host: 3}, {own if invented else host: 2}]
    spec = SimpleNamespace(turn_based=True)
    play = SimpleNamespace(
        spec=spec, own=(own,), first_own=(own,), log=sealed, inputs=SimpleNamespace(at=lambda tick: {}, next=2)
    )
    checks = HostChecks(clock=lambda: 0.0)
    checks.check_begin(play, 2)
    with pytest.raises(SessionError, match="never sent") if invented else nullcontext():
        checks.check_inputs(play, 0)


def test_a_match_may_have_begun_before_a_machine_that_watches_but_not_before_one_that_plays():
    checks, spec = HostChecks(clock=lambda: 0.0), SimpleNamespace(turn_based=False)
    checks.check_begin(SimpleNamespace(spec=spec, own=()), 40)
    with pytest.raises(SessionError, match="never sent"):
        checks.check_begin(SimpleNamespace(spec=spec, own=("left_0",)), 40)
