"""Whatever other clients do in whatever order, a well-behaved client of a policy server is always answered right."""

from __future__ import annotations

import threading
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from agents.seats.controller import Turn
from agents.wire.client import RemoteController
from agents.wire.messages import Act, ActionReply, Bye, Error, ListSnapshots, Message, Welcome, decode
from agents.wire.served_policies import FunctionPolicies
from agents.wire.server import PolicyServer
from tests.support.attacks import LIMIT, SEAT, Peer, frame, greeting, wait_until

CORPUS = [path.read_bytes() for path in sorted((Path(__file__).parents[1] / "corpus" / "wire").iterdir())]
Place = tuple[Peer, int]
"""A client and its number of a seat."""

SEATS = st.integers(0, 3)
ACTIONS = st.integers(0, 4)


def observation_of(action: int) -> Any:
    """An observation for which the policy plays that action."""
    return np.full(4, action / 4, np.float32)


def policy(observation: Any) -> int:
    """The action that is written in the observation."""
    return round(float(np.reshape(observation, -1)[0]) * 4)


class Clients(RuleBasedStateMachine):
    """Strangers that join, act, send rubbish, leave and come back, beside a seat that plays."""

    peers, places = Bundle("peers"), Bundle("places")

    def __init__(self) -> None:
        super().__init__()
        self.server = PolicyServer(FunctionPolicies(policy), endpoint="tcp://127.0.0.1:*", insecure=True)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        self.ids, self.ticks = count(1000), count(1)
        self.joined: set[Place] = set()
        self.open: set[Peer] = set()
        self.join_anew()

    def join_anew(self) -> None:
        self.seat = RemoteController(str(self.server.address))
        self.seat.reset(SEAT, seed=1)

    def ask(self, peer: Peer, message: Message) -> Message:
        """The reply to a message; replies to rubbish that was sent before have other ids."""
        id = next(self.ids)
        peer.send(message, id)
        while True:
            assert peer.socket.poll(LIMIT * 1000), "no answer"
            found, reply = decode(peer.socket.recv_multipart()[-1])  # behind the empty frame that a REQ client sends
            if found == id:
                return reply

    @initialize(target=peers)
    def connect_first(self) -> Peer:
        return self.connect()

    @rule(target=peers)
    def connect(self) -> Peer:
        peer = Peer(self.server.endpoint)
        self.open.add(peer)
        return peer

    @rule(target=places, peer=peers, seat=SEATS)
    def join(self, peer: Peer, seat: int) -> Place:
        assert isinstance(self.ask(peer, greeting(seat)), Welcome)
        self.joined.add((peer, seat))
        return peer, seat

    @rule(place=places, action=ACTIONS)
    def act(self, place: Place, action: int) -> None:
        tick = next(self.ticks)
        if place[0] in self.open:
            reply = self.ask(place[0], Act(place[1], tick, observation_of(action)))
            if place in self.joined:
                assert reply == ActionReply(tick, action, "policy")
            else:
                assert isinstance(reply, Error)
                assert reply.code == "unknown_seat"

    @rule(place=places, size=st.integers(1, 9))
    def act_wrongly(self, place: Place, size: int) -> None:
        if place[0] in self.open:
            reply = self.ask(place[0], Act(place[1], 0, np.zeros((size, 2), np.float32)))
            assert isinstance(reply, Error)
            assert reply.code == ("mismatch" if place in self.joined else "unknown_seat")

    @rule(peer=peers)
    def ask_what_it_does_not_serve(self, peer: Peer) -> None:
        assert isinstance(self.ask(peer, ListSnapshots()), Error)

    @rule(peer=peers, data=st.binary(max_size=60))
    def send_rubbish(self, peer: Peer, data: bytes) -> None:
        peer.send(data)

    @rule(peer=peers, data=st.sampled_from(CORPUS), cut=st.integers(0, 200))
    def send_part_of_a_message(self, peer: Peer, data: bytes, cut: int) -> None:
        peer.send(data[: min(cut, len(data) - 1)])

    @rule(peer=peers, kind=st.sampled_from(["act", "hello", "bye", "dance", ""]), body=st.none() | st.integers())
    def send_a_wrong_body(self, peer: Peer, kind: str, body: Any) -> None:
        peer.send(frame(kind, body if body is None else body % 2**63))

    @rule(peer=peers, frames=st.lists(st.binary(max_size=9), min_size=2, max_size=9))
    def send_many_frames(self, peer: Peer, frames: list[bytes]) -> None:
        peer.socket.send_multipart(frames)

    @rule(peer=peers, size=st.sampled_from([10**5, 10**6, 5 * 2**20]))
    def send_far_too_much(self, peer: Peer, size: int) -> None:
        peer.send(bytes(size))

    @rule(place=places)
    def leave(self, place: Place) -> None:
        peer, seat = place
        if peer in self.open:
            peer.send(Bye(seat=seat))
            self.joined.discard(place)

    @rule(peer=consumes(peers))
    def vanish(self, peer: Peer) -> None:
        peer.socket.close(linger=0)
        self.open.discard(peer)

    @rule()
    def leave_and_come_back(self) -> None:
        self.seat.close()
        self.join_anew()

    @rule()
    def begin_another_episode(self) -> None:
        self.seat.reset(SEAT, seed=2)

    @invariant()
    def the_seat_is_answered_right(self) -> None:
        tick = next(self.ticks)
        self.seat.observe(Turn("one", tick, observation_of(tick % 5)))
        wait_until(lambda: self.seat.act() is not None)
        assert self.seat.act() == tick % 5

    def teardown(self) -> None:
        self.seat.close()
        for peer in self.open:
            peer.socket.close(linger=0)
        self.server.stop()
        self.thread.join(LIMIT)
        self.server.close()


def test_a_well_behaved_client_is_always_answered_right(patient: None) -> None:
    few = settings(max_examples=15, stateful_step_count=30, deadline=None, derandomize=True, database=None)
    run_state_machine_as_test(Clients, settings=few)
