"""A hostile host of a match that it alone runs: views and pictures that are none end the guest's part, in words."""

from __future__ import annotations

import json

import msgspec
import numpy as np
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from agents.wire.encoding import pack
from arcade.games import find_game
from arcade.match.stage.local import LocalStage
from arcade.together import messages
from arcade.together.messages import Picture, Player
from arcade.together.running import RunOptions, join_match
from arcade.together.terms import SessionError
from arcade.together.views.pictures import PictureReader, PictureWriter, unzipped
from arcade.together.views.shapes import checked_table
from tests.support.odd_machines import OddHost, raw

LINEUP = {"player_0": Player("host", "random"), "player_1": Player("guest", "random", peer=1)}
BOMB = zstandard.ZstdCompressor().compress(bytes(2**26))
RPS = find_game("rps")


def seat(**fields):
    return {"player_1": fields}


@pytest.mark.parametrize(
    "body",
    [
        {"acting": ["nosuch"]}, {"returns": {"nosuch": 1.0}}, {"returns": {"player_0": float("nan")}},
        {"ends": {"player_0": "never"}}, {"seats": {"player_0": {"seen": b""}}}, {"seats": seat(seen=b"no zstd")},
        {"seats": seat(seen=BOMB)}, {"acting": ["player_1"], "seats": seat(seen=zstandard.compress(pack(np.zeros(3))))},
        {"acting": ["player_1"], "seats": seat(seen=zstandard.compress(pack({"a": "b"})))},
        {"table": {"moves": []}}, {"seats": seat(table=[1])}, {"picture": {"rows": 2}},
        {"picture": {"rows": 4096, "columns": 4096, "number": 1, "whole": True, "data": BOMB}},
        {"picture": {"rows": 2, "columns": 2, "number": 1, "whole": True, "data": zstandard.compress(bytes(11))}},
    ],
)  # fmt: skip
def test_odd_views_end_the_guests_part_in_words(body):
    view = raw("view", **{"tick": 0, "acting": [], **body})
    answers = {messages.Claim: lambda claim: [messages.Begin(lineup=LINEUP), view]}
    terms = {"mode": "secrets", "commitment": bytes(32), "kwargs": {}, "free": ["player_1"]}
    with (
        OddHost("classic/rps_v2", answers, **terms) as odd,
        pytest.raises(SessionError, match=r"from the host|of this"),
    ):
        join_match(odd.code, ["player_1=random"], RunOptions(ladder=False, record=False))


def test_no_picture_is_larger_than_it_says():
    with pytest.raises(ValueError, match="at most 12 bytes"):
        PictureReader().read(Picture(rows=2, columns=2, number=1, whole=True, data=BOMB))
    unsized = zstandard.ZstdCompressor(write_content_size=False).compress(bytes(12))
    with pytest.raises(ValueError, match="at most"):
        unzipped(unsized, most=12)


def test_pictures_arrive_as_they_were_drawn_within_a_byte_rate():
    rng, reader, writer = np.random.default_rng(1), PictureReader(), PictureWriter(0.0)
    sent = 0
    for tick in range(120):
        frame = rng.integers(0, 255, (200, 300, 3), np.uint8) if tick % 2 else np.full((200, 300, 3), tick, np.uint8)
        picture = writer.write(frame, tick / 60)
        if picture is not None:
            sent += len(picture.data)
            assert np.array_equal(reader.read(picture), frame)
    assert 0 < sent < 2**20 + 2 * 2**19


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(st.text(max_size=9), parts, max_size=4),
))  # fmt: skip
def test_no_value_but_a_table_is_taken_for_one(value):
    with pytest.raises(ValueError, match="expected a table"):
        checked_table(value, RPS)


def check_arrives(view, spec):
    """All of the table is drawn at another machine as here."""
    sent, got = msgspec.to_builtins(view), checked_table(msgspec.to_builtins(view), spec)
    assert json.loads(json.dumps(got)) == json.loads(json.dumps(sent)), "but for tuples, which are lists here"


@pytest.mark.parametrize("game", ["rps", "hanabi", "texas_holdem", "texas_holdem_no_limit", "leduc_holdem"])
def test_the_tables_of_our_games_are_taken_as_they_are(game):
    spec, rng = find_game(game).for_matches(), np.random.default_rng(2)
    with LocalStage(spec, render=True) as stage:
        stage.reset(2)
        tick = stage.wait()
        while not tick.over:
            for view in tick.views.values():
                check_arrives(view, spec)
            masks = {agent: tick.action_masks.get(agent) for agent in tick.acting}
            stage.step({
                agent: int(rng.choice(np.flatnonzero(mask))) if mask is not None else 0 for agent, mask in masks.items()
            })  # fmt: skip
            tick = stage.wait()
        for view in tick.views.values():
            check_arrives(view, spec)
