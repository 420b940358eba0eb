"""Codes, messages and inputs of a session."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from gymnasium import spaces
from hypothesis import given
from hypothesis import strategies as st

from agents.wire.addresses import AddressError
from agents.wire.encoding import pack
from agents.wire.messages import ProtocolError
from arcade.games import find_game
from arcade.together import messages
from arcade.together.digest_book import Comparison
from arcade.together.input_log import MAX_DELAY, InputLog, OwnInputs
from arcade.together.messages import FROM_HOST, FROM_PEER, MAX_PEER_BYTES, Player, decode, encode
from arcade.together.preparing import offered_game
from arcade.together.terms import Terms, shared_kwargs
from arcade.together.ways.codes import SessionCode, parse_code

hosts = st.text("abcdefgh.-0123456789", min_size=1, max_size=60)


@given(hosts, st.integers(1, 2**16 - 1), st.binary(min_size=32, max_size=32), st.binary(min_size=10, max_size=10))
def test_a_code_brings_address_key_and_secret(host, port, key, secret):
    code = SessionCode(host, port, key, secret)
    assert parse_code(code.text) == parse_code(f"  {code.text.upper()}\n") == code


@given(st.integers(0, 90), st.sampled_from("abcdefghijklmnopqrstuvwxyz234567"))
def test_a_code_with_a_wrong_letter_is_refused(place, letter):
    text = SessionCode("192.168.1.5", 5777, bytes(range(32)), bytes(10)).text
    wrong = text[:place] + letter + text[place + 1 :]
    if wrong != text and place < len(text) - 1:  # the last letter has bits without a meaning
        with pytest.raises(AddressError):
            parse_code(wrong)


def test_an_address_stands_for_a_code_without_a_secret():
    code = parse_code(f"tcp://{'ab' * 32}@example.org:5777")
    assert (code.host, code.port, code.key, code.secret) == ("example.org", 5777, b"\xab" * 32, b"")
    for wrong in ("tcp://insecure@example.org:5777", "tcp://example.org", "tcp://example.org:0"):
        with pytest.raises(AddressError):
            parse_code(wrong)


def test_messages_arrive_as_they_were_sent():
    sent = messages.Input(tick=3, seats={"left_0": [1, 2], "right_0": [np.array([0.5, 1.0], np.float32)]})
    got = decode(encode(sent), FROM_PEER, most=MAX_PEER_BYTES)
    assert isinstance(got, messages.Input)
    assert got.tick == 3
    assert got.seats["left_0"] == [1, 2]
    assert got.seats["right_0"][0].tolist() == [0.5, 1.0]
    claim = messages.Claim(seats={"left_0": Player("Ada", "keyboard")}, probe=[1, 2])
    assert decode(encode(claim), FROM_PEER, most=MAX_PEER_BYTES) == claim


single = st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(max_size=9) | st.binary(max_size=9)


@given(st.recursive(
    single | st.floats(),
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(st.text(max_size=8), parts, max_size=4), max_leaves=12,
), st.sampled_from([one.KIND for one in (*FROM_PEER, *FROM_HOST)]) | st.text(max_size=5))  # fmt: skip
def test_no_body_does_more_than_raise_a_protocol_error(body, kind):
    for frame in (pack([1, kind, body]), pack(body)):
        for kinds in (FROM_PEER, FROM_HOST):
            with suppress(ProtocolError):
                decode(frame, kinds, most=MAX_PEER_BYTES)


@given(st.binary(max_size=200))
def test_no_bytes_do_more_than_raise_a_protocol_error(frame):
    with pytest.raises(ProtocolError):
        decode(frame, FROM_PEER, most=MAX_PEER_BYTES)


def test_other_versions_and_large_messages_are_named():
    with pytest.raises(ProtocolError, match="expected version 1 of the session protocol, got: 2"):
        decode(pack([2, "hello", {}]), FROM_PEER, most=MAX_PEER_BYTES)
    with pytest.raises(ProtocolError, match="at most 10 bytes"):
        decode(bytes(11), FROM_PEER, most=10)
    with pytest.raises(ProtocolError, match="expected one of"):
        decode(encode(messages.Agreed(ok=True)), FROM_PEER, most=MAX_PEER_BYTES)


AGENTS = ("a", "b")
SPACES = {agent: (None, spaces.Discrete(4)) for agent in AGENTS}


def test_a_log_travels_in_parts_and_counts_each_tick_once():
    log, other = InputLog(AGENTS), InputLog(AGENTS)
    for tick in range(3000):
        log.append({"a": tick % 4, "b": 1} if tick % 2 else {"b": 2})
    while len(other) < len(log):
        part = log.message(max(0, len(other) - 5))  # some come again
        other.take(part, SPACES)
    assert [other[tick] for tick in range(3000)] == [log[tick] for tick in range(3000)]


@pytest.mark.parametrize("packed", [[0], [0, 9], [7, 1], [-1, 1], ["a", 1], [0, "x"], [0, None]])
def test_inputs_that_are_none_of_the_game_are_refused(packed):
    with pytest.raises(ValueError, match=r"."):
        InputLog(AGENTS).take(messages.Ticks(first=0, inputs=[packed]), SPACES)


@given(st.lists(st.floats(0, 24), min_size=1, max_size=60))
def test_each_tick_has_one_input_whatever_the_delay_does(delays):
    sent = []
    inputs = OwnInputs(("a",), sent.append)
    for tick, wanted in enumerate(delays):
        inputs.adapt(wanted)
        assert 0 <= inputs.delay <= MAX_DELAY
        if inputs.needs(tick):
            inputs.fill(tick, {"a": tick % 4})
        assert inputs.next > tick
    ticks = [tick for one in sent for tick in range(one.tick, one.tick + len(one.seats["a"]))]
    assert ticks == list(range(inputs.next))


def test_inputs_are_sent_again_until_they_are_sealed():
    sent = []
    inputs = OwnInputs(("a",), sent.append)
    for tick in range(5):
        inputs.fill(tick, {"a": tick % 4})
    inputs.sealed(3)
    del sent[:]
    inputs.send_again(1)
    assert [(one.tick, one.seats) for one in sent] == [(3, {"a": [3]}), (4, {"a": [0]})]


def test_the_first_tick_that_differs_is_found_once_in_each_run():
    comparison = Comparison()
    comparison.add(messages.Digests(first=0, values=[1, 2, 3]), most=9)
    assert comparison.find([1, 2]) is None
    assert comparison.find([1, 2, 4, 5]) == 2
    assert comparison.find([1, 2, 4, 5]) is None
    comparison.add(messages.Digests(first=0, values=[1, 2, 4], run=1), most=9)
    comparison.add(messages.Digests(first=3, values=[9], run=0), most=9)  # of the run before
    assert comparison.find([1, 2, 4, 5]) is None


def test_digests_of_ticks_that_cannot_have_been_played_are_dropped():
    comparison = Comparison()
    comparison.add(messages.Digests(first=0, values=[1, 2, 3]), most=2)
    assert comparison.values == []


def test_a_game_is_the_same_though_its_files_are_elsewhere_at_the_host():
    here = find_game("atari/pong").for_matches()
    there = replace(here, kwargs={**here.kwargs, "auto_rom_install_path": "/of/another/machine"})
    terms = Terms(match="m", game=here.id, kwargs=shared_kwargs(there), seed=1, rate=60.0)
    assert offered_game(terms).kwargs == here.kwargs
