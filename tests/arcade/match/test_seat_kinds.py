"""A new kind of seat is one object, found through the table or an entry point, and plays like any other."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, EntryPoints

import numpy as np
import pytest

from agents.policies.functions import FunctionController
from agents.seats.controller import SeatChoice, SeatError
from agents.seats.kinds import SEAT_KINDS, SeatKind, parse_lineup, parse_seat, register
from agents.snapshots.store import SnapshotStore
from arcade.games import find_game
from arcade.match.batch.in_process import Series, play_series
from arcade.match.play.lineup import make_policy
from arcade.session.seating import describe

FOUR = "classic/connect_four_v3"


class Leftmost(SeatKind):
    """Plays the first legal column, counted from the argument's."""

    name, form = "leftmost", "leftmost[:N]"
    takes_limits = True

    def check(self, argument):
        if argument and not argument.isdecimal():
            raise SeatError(f"expected {self.form} with N = 0, 1, …")

    def describe(self, choice):
        return "leftmost column"

    def make(self, choice, seat, context):
        first = int(choice.argument or 0)
        return FunctionController(lambda seen, mask: first + int(np.argmax(mask[first:])), label="leftmost")


@pytest.fixture
def table():
    before = dict(SEAT_KINDS)
    yield SEAT_KINDS
    SEAT_KINDS.clear()
    SEAT_KINDS.update(before)


def test_a_toy_kind_plays_a_match_by_its_word(table, tmp_path):
    register(Leftmost())
    spec, store = find_game(FOUR), SnapshotStore(tmp_path)
    lineup = parse_lineup(["player_0=leftmost", "player_1=leftmost:3"], spec.agents, default=SeatChoice("idle"))
    (match,) = play_series(spec, lineup, Series(seed=1), store=store).matches
    assert match.returns == {"player_0": 1, "player_1": -1}  # four in the first column, before four in the fourth
    assert match.ticks == 7
    assert describe(parse_seat("leftmost:3?noise=0.5")) == "leftmost column (noise 0.5)"
    with pytest.raises(SeatError, match=r"expected leftmost\[:N\] with N = 0, 1, …, got: 'leftmost:x'"):
        parse_seat("leftmost:x")


def test_a_toy_kind_decides_for_many_seats_at_once(table, tmp_path):
    from arcade.match.batch.make import make_vector_env

    register(Leftmost())
    spec = find_game(FOUR)
    batch = make_vector_env(spec, 3)
    batch.reset(np.arange(3), np.arange(3))
    policy = make_policy(parse_seat("leftmost:2"), batch.places, spec=spec, store=SnapshotStore(tmp_path))
    seats = np.array([0, 2, 4])
    policy.begin(seats, [1, 2, 3])
    (group,) = batch.groups
    assert policy.act(seats, group.observations[:, 0], group.masks[:, 0]).tolist() == [2, 2, 2]
    policy.close()
    batch.close()


def test_another_packages_kind_is_imported_when_its_word_is_used(table, tmp_path, monkeypatch):
    (tmp_path / "a_seat_kind.py").write_text(
        "from agents.policies.random import IdleController\n"
        "from agents.seats.kinds import SeatKind\n"
        "class Nap(SeatKind):\n"
        "    name = form = 'nap'\n"
        "    def make(self, choice, seat, context):\n"
        "        return IdleController()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    points = EntryPoints(
        [EntryPoint("nap", "a_seat_kind:Nap", "arcade.seats"), EntryPoint("gone", "no_such:Kind", "arcade.seats")]
    )
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    with pytest.raises(SeatError, match=r"expected a seat like keyboard.*, gone, nap, got: 'nobody'"):
        parse_seat("nobody")
    parse_seat("random")
    assert "a_seat_kind" not in sys.modules
    assert parse_seat("nap") == SeatChoice("nap")
    with pytest.raises(SeatError, match="expected a SeatKind from no_such:Kind, got: ModuleNotFoundError"):
        parse_seat("gone")
