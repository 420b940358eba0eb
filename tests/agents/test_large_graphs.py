"""A snapshot whose graph takes long: neither observe nor act waits for it, and a match that can wait does."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from agents.policies.adapters import wait_for
from agents.policies.snapshot_controller import SMALL, SnapshotController
from agents.seats.controller import ControllerError, SeatChoice, Turn
from agents.snapshots.onnx_policy import OnnxPolicy


class Gate:
    """Holds inferences back until it is opened."""

    def __init__(self, monkeypatch):
        self.opened, self.begun = threading.Event(), threading.Event()
        decide = OnnxPolicy.decide

        def slowly(policy, *args, **kwargs):
            self.begun.set()
            assert self.opened.wait(60)
            return decide(policy, *args, **kwargs)

        monkeypatch.setattr(OnnxPolicy, "decide", slowly)


def make_large(store):
    policy = OnnxPolicy(store.get("first"))
    policy.seconds = 2 * SMALL
    return SnapshotController(policy)


def turn(tick):
    return Turn("one", tick, np.full(4, tick / 10, np.float32))


@pytest.fixture
def gate(monkeypatch):
    gate = Gate(monkeypatch)
    yield gate
    gate.opened.set()


def test_neither_observe_nor_act_waits_for_a_large_graph(store, seat, gate):
    controller = make_large(store)
    controller.reset(seat, seed=3)
    seen = turn(0)
    controller.observe(seen)
    assert controller.act() is None
    seen.observation[:] = np.nan  # the array belongs to the stage again
    gate.opened.set()
    small = SnapshotController(store.get("first"))
    small.reset(seat, seed=3)
    small.observe(turn(0))
    assert wait_for([controller]) == [small.act()]
    assert controller.insight() == small.insight()


def test_a_late_answer_is_played_when_it_comes_and_turns_that_were_not_begun_are_dropped(store, seat, gate, until):
    controller = make_large(store)
    controller.reset(seat, seed=3)
    controller.observe(turn(0))
    until(gate.begun.is_set, lambda: None)
    for tick in (1, 2):
        controller.observe(turn(tick))
        assert controller.act() is controller.stale() is None
    gate.opened.set()
    wait_for([controller])
    assert isinstance(controller.stale(), int)  # the answer to turn 0, once
    assert controller.stale() is None


def test_an_error_of_the_thread_is_raised_by_act(store, seat, gate):
    controller = make_large(store)
    controller.reset(seat, seed=3)
    gate.opened.set()
    controller.observe(Turn("one", 0, np.zeros(4, np.float32), np.zeros(5, np.int8)))
    with pytest.raises(ControllerError, match="legal"):
        wait_for([controller])


def test_a_new_episode_and_a_new_policy_leave_a_running_inference_alone(store, card, policy, seat, gate, until):
    controller = make_large(store)
    controller.reset(seat, seed=3)
    controller.observe(turn(0))
    until(gate.begun.is_set, lambda: None)
    controller.reset(seat, seed=4)
    assert controller.act() is None
    controller.replace(store.save(card("newer"), policy(3, weight=50)))
    controller.observe(turn(0))
    gate.opened.set()
    assert wait_for([controller]) == [3]
    assert controller.label == "newer"


def test_a_match_that_can_wait_comes_out_the_same_as_with_a_small_graph(monkeypatch):
    from agents.snapshots.store import open_store
    from arcade.games import find_game
    from arcade.match.batch.in_process import Series, play_series

    spec, store = find_game("house/volley"), open_store()
    lineup = dict.fromkeys(spec.agents, SeatChoice("snapshot", "volley-3"))

    def play():
        return play_series(spec, lineup, Series(seed=5, max_ticks=60), store=store).matches[0]

    small = play()
    monkeypatch.setattr(OnnxPolicy, "_measure", lambda policy: 1.0)
    large = play()
    assert (large.returns, large.ticks) == (small.returns, small.ticks)
    assert set(large.late.values()) == {0}
