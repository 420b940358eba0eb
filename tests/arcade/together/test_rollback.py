"""Predictions are corrected, whatever the network does."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agents.policies.random import RandomController
from arcade.games import find_game
from arcade.match.play.clock import MatchClock
from arcade.match.stage.local import LocalStage
from arcade.session.online.network_texts import NetworkLine
from arcade.together.guest import GuestSession
from arcade.together.hosting.host import HostSession
from arcade.together.local_play import LocalPlay
from arcade.together.modes import PICTURES
from arcade.together.preparing import as_players
from arcade.together.rollback import Rollback
from arcade.together.terms import Terms, probe
from tests.support.simulated_link import GuestEnd, HostEnd, Network


class Sums:
    """A game whose state is all that was played."""

    def __init__(self):
        self.state = ()

    def step(self, moves, *, shown=False):
        self.state = (*self.state, tuple(sorted(moves.items())))
        return self.state

    def save(self):
        return self.state

    def load(self, state, moves, *, shown=False):
        self.state = state
        return self.step(moves)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4), st.integers(0, 3)), max_size=40))
def test_the_sealed_ticks_are_those_of_straight_play(rounds):
    """Each round seals one tick, plays some ahead, and finds the next inputs."""
    rollback, sealed = Rollback(Sums()), []
    for action, ahead, guess in rounds:
        for _ in range(ahead):
            rollback.foresee({"a": guess})
        before = len(rollback)
        sealed.append(("a", action))
        tick = rollback.confirm({"a": action})
        assert tick == tuple((one,) for one in sealed)
        rollback.replay(lambda newest: {"a": 9})
        assert len(rollback) == max(0, before - 1)  # the present stays
        if rollback.newest is not None:
            assert rollback.newest[: len(sealed)] == tick
            assert len(rollback.newest) == len(sealed) + len(rollback)
    assert rollback.longest <= max((ahead for _, ahead, _ in rounds), default=0) * len(rounds)


@given(st.integers(1, 8), st.integers(0, 7))
def test_what_is_known_before_it_is_sealed_corrects_the_present(ahead, wrong):
    rollback = Rollback(Sums())
    for _ in range(ahead):
        rollback.foresee({"a": 1})
    known = {wrong: 2}
    rollback.revise(lambda newest, moves: {"a": known.get(len(newest or ()), moves["a"])})
    rollback.replay(lambda newest: {"a": 3})
    right = [1] * min(wrong, ahead) + ([2] + [3] * (ahead - wrong - 1) if wrong < ahead else [])
    assert [moves[0][1] for moves in rollback.newest] == right
    assert rollback.count == (wrong < ahead)
    assert [rollback.confirm({"a": one})[-1][0][1] for one in right] == right
    assert rollback.count == (wrong < ahead)  # no more than once


def test_right_predictions_are_not_played_again():
    game = Sums()
    rollback = Rollback(game)
    for _ in range(3):
        rollback.foresee({"a": 1})
    for _ in range(3):
        rollback.confirm({"a": 1})
    assert rollback.count == 0
    assert len(rollback) == 0
    rollback.foresee({"a": 1})
    rollback.foresee({"a": 1})
    assert rollback.confirm({"a": 2})[-1] == (("a", 2),)
    assert (rollback.count, rollback.longest) == (1, 2)


def test_a_clock_that_is_slowed_down_comes_later():
    clock = MatchClock(10.0)
    clock.restart(5.0)
    clock.postpone(0.5)
    assert not clock.is_due(5.5)
    assert clock.is_due(5.7)


SPEC = find_game("volley").for_matches()
SECRET = bytes(range(10))


def make_play(spec, seats, *, rolls_back, ticks, clock):
    """The part of one machine, its random players in `seats`, and its probe."""
    stage, own = LocalStage(spec), {agent: RandomController() for agent in seats}
    for agent, player in own.items():
        player.reset(stage.seat(agent), seed=3)
    digests = probe(stage, 5)
    rate = 0.0 if spec.turn_based else spec.fps
    terms = Terms(match="m", game=spec.id, kwargs=spec.kwargs, seed=5, rate=rate, max_ticks=ticks)
    return LocalPlay(stage, terms, rolls_back=rolls_back, record=None, clock=clock), own, digests


def play_over(network, *, host_rolls, guest_rolls, ticks=100, seconds=60.0, spec=SPEC, watch=lambda host, guest: None):
    """Play a match over the network, with half of the seats at each machine; the two sessions."""
    half = len(spec.agents) // 2
    play, own, digests = make_play(spec, spec.agents[:half], rolls_back=host_rolls, ticks=ticks, clock=network.clock)
    host = HostSession(HostEnd(network), play, digests, secret=SECRET, clock=network.clock)
    host.reserve(as_players(own))
    host.ready(own)
    guest = GuestSession(GuestEnd(network, b"guest"), secret=SECRET, clock=network.clock)
    end = network.now + seconds
    while not (host.is_over and guest.is_over):
        assert network.now < end, "expected the match to end"
        network.now += 1 / 240
        host.update()
        guest.update()
        if guest.offer is not None and guest.play is None:
            play, own, digests = make_play(
                spec, spec.agents[half:], rolls_back=guest_rolls, ticks=ticks, clock=network.clock
            )
            play.seat(own)
            guest.join(play, as_players(own), digests)
        watch(host, guest)
    host.play.close()
    guest.play.close()
    return host, guest


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32), delay=st.floats(0, 0.12), jitter=st.floats(0, 0.05), loss=st.floats(0, 0.2),
    host_rolls=st.booleans(), guest_rolls=st.booleans(),
)  # fmt: skip
@example(seed=1, delay=0.04, jitter=0.01, loss=0.02, host_rolls=True, guest_rolls=True)
def test_whatever_order_delay_and_loss_all_machines_have_equal_digests(
    seed, delay, jitter, loss, host_rolls, guest_rolls
):
    network = Network(seed=seed, delay=delay, jitter=jitter, loss=loss)
    host, guest = play_over(network, host_rolls=host_rolls, guest_rolls=guest_rolls)
    assert host.play.book.values == guest.play.book.values
    assert len(host.play.book.values) == 101
    assert host.play.result.actions == guest.play.result.actions
    assert not host.truth.differences
    assert not guest.differences


@pytest.mark.parametrize("game", ["mpe/simple_tag", "classic/connect_four"])
@pytest.mark.parametrize("rolls", [True, False])
def test_a_game_that_ends_by_itself_ends_everywhere_though_messages_are_lost(game, rolls):
    for seed in range(8):
        network = Network(seed=seed, delay=0.04, jitter=0.02, loss=0.2)
        host, guest = play_over(network, host_rolls=rolls, guest_rolls=rolls, spec=find_game(game).for_matches())
        assert host.play.result.ended == guest.play.result.ended == "finished"
        assert host.play.book.values == guest.play.book.values


def test_with_rollback_an_own_input_counts_within_three_ticks_at_80_ms():
    for rolls, least, most in ((True, 0, 3), (False, 5, 10)):
        network = Network(seed=1, delay=0.04, jitter=0.005, loss=0.0)
        host, guest = play_over(network, host_rolls=rolls, guest_rolls=rolls, ticks=600)
        for session in (host, guest):
            facts = session.play.network_facts()
            assert least <= facts["input_p50_ticks"] <= most, facts
            assert (facts["rollbacks"] > 10) == rolls, facts
            assert facts["input_p99_ticks"] <= most + 0.5, facts


def test_the_machine_that_is_ahead_slows_down():
    """The guest begins half a round trip later, six ticks; then both show the same tick but for one or two."""
    leads = []
    network = Network(seed=1, delay=0.1, jitter=0.0, loss=0.0)
    play_over(
        network, host_rolls=True, guest_rolls=True, ticks=900,
        watch=lambda host, guest: leads.append(host.play.present - guest.play.present) if guest.begun else None,
    )  # fmt: skip
    assert max(leads[:200]) >= 5
    late = leads[len(leads) * 2 // 3 : -100]
    assert sum(late) / len(late) < 2


def test_digests_that_are_lost_are_sent_again():
    network = Network(seed=1, delay=0.02, jitter=0.0, loss=0.3)
    host, _ = play_over(network, host_rolls=True, guest_rolls=False, ticks=400)
    [guest] = host.guests
    assert len(guest.comparison.values) > 200


@pytest.mark.parametrize("game", ["volley", "connect_four"])
def test_a_match_of_people_counts_on_the_ladder(game, monkeypatch):
    monkeypatch.setattr(RandomController, "kind", "keyboard")
    network = Network(seed=1, delay=0.02, jitter=0.0, loss=0.0)
    spec = find_game(game).for_matches()
    spec = replace(spec, kwargs={**spec.kwargs, "max_ticks": 60}) if game == "volley" else spec
    sessions = play_over(network, host_rolls=False, guest_rolls=False, ticks=0, spec=spec)
    for session in sessions:
        assert {seat["kind"] for seat in session.play.result.seats.values()} <= {"keyboard", "remote"}
        assert (session.play.result.rated, session.play.result.unrated) == (True, "")


def test_the_foot_of_the_window_tells_of_waiting_once_it_is_one():
    network, line = Network(seed=1, delay=0.02, jitter=0.02, loss=0.0), NetworkLine()
    before, stalled, after = [], [], []

    def words(guest):
        return line.text(guest, guest.play, guest.play.match, hosts=False)

    def watch(host, guest):
        if not guest.begun or guest.play.match.index < 1 or guest.play.match.over:
            return
        (after if stalled else before).append((guest.play.match.is_waiting, words(guest)))
        if guest.play.match.index >= 60 and not stalled:
            for _ in range(240):  # a second in which the host does nothing
                network.now += 1 / 240
                guest.update()
                stalled.append(words(guest))

    play_over(network, host_rolls=False, guest_rolls=False, ticks=100, watch=watch)
    assert any(waits for waits, _ in before), "inputs are always a little late"
    assert not any("waiting for the others" in text for _, text in before)
    assert "waiting for the others" in stalled[-1]
    assert "waiting for the others" not in after[-1][1]


def test_a_guest_of_a_match_by_pictures_waits_for_nobody_while_the_host_counts_down():
    now, line, told = 0.0, NetworkLine(), []
    play = SimpleNamespace(spec=SPEC, own=(), inputs=SimpleNamespace(delay=1), terms=SimpleNamespace(mode=PICTURES))
    match = SimpleNamespace(is_waiting=True, index=0, late={})
    others = SimpleNamespace(absent=(), name_of=str)
    for match.index in (0, 1):
        for _ in range(4):
            now += 0.4
            session = SimpleNamespace(
                clock=lambda now=now: now,
                round_trip=0.01,
                is_host_absent=False,
                others=others,
                host_number=0,
                heard_at=now,
            )
            told.append("waiting for the others" in line.text(session, play, match, hosts=False))
    assert told == [False] * 4 + [False, False, True, True], "a view that does not come is waited for, the first is not"


def test_the_foot_of_the_window_shows_round_trip_delay_and_corrections():
    seen, line = [], NetworkLine()

    def watch(host, guest):
        if guest.begun and guest.play.match is not None:
            seen.append(line.text(guest, guest.play, guest.play.match, hosts=False))

    network = Network(seed=1, delay=0.04, jitter=0.005, loss=0.0)
    _, guest = play_over(network, host_rolls=True, guest_rolls=True, ticks=300, watch=watch)
    facts = guest.play.network_facts()
    shown = re.fullmatch(r"(\d+) ms  ·  delay (\d)  ·  corrected (\d+)(  ·  late \d+)?", seen[-1])
    assert shown, seen[-1]
    assert 70 <= int(shown[1]) <= 110
    assert int(shown[2]) == facts["delay"]
    assert 10 < int(shown[3]) <= facts["rollbacks"]
