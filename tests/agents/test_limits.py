"""Human limits: what a machine's seat does is late, seldom and sometimes a slip, as its limits say and no more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from gymnasium import spaces

from agents.policies.random import RandomController
from agents.policies.snapshot_controller import SnapshotController
from agents.seats.controller import Controller, Insight, SeatError, Turn
from agents.seats.kinds import parse_seat
from agents.seats.limits import LimitedController, Limits, level_of, limits_of, snapshot_of
from agents.snapshots.store import SnapshotStore
from tests.support.controller_contract import check_controller

FPS = 50


class Echo(Controller):
    """Answers each turn with its tick modulo 5: an action tells when it was thought of.  `late`: a turn later."""

    label = "echo"

    def __init__(self, *, late: bool = False) -> None:
        self.late, self.turn, self.before = late, None, None

    def reset(self, seat, *, seed):
        self.turn = self.before = None

    def observe(self, turn):
        self.turn, self.before = turn, self.turn

    def act(self):
        return None if self.turn is None or self.late else self.turn.tick % 5

    def stale(self):
        return self.before.tick % 5 if self.late and self.before is not None else None


@pytest.fixture
def place(seat):
    return replace(seat, fps=FPS, action_space=spaces.Discrete(5))


def played(limits, place, *, ticks=40, mask=None, inner=None, seed=3):
    controller = LimitedController(inner or Echo(), limits)
    controller.reset(place, seed=seed)
    actions = []
    for tick in range(ticks):
        controller.observe(Turn(place.agent, tick, np.zeros(4, np.float32), mask(tick) if mask else None))
        action = controller.act()
        actions.append(controller.stale() if action is None else action)
    return actions


def test_an_answer_takes_effect_after_the_reaction_time(place):
    actions = played(Limits(reaction_ms=100), place)  # 5 ticks
    assert actions == [0] * 5 + [(tick - 5) % 5 for tick in range(5, 40)]


def test_actions_are_held_so_that_no_second_has_more_than_allowed(place):
    actions = played(Limits(actions_per_second=6), place, ticks=500)
    changes = [tick for tick in range(1, 500) if actions[tick] != actions[tick - 1]]
    assert len(changes) == 59  # ten seconds, and the first choice is no change
    assert all(sum(start <= tick < start + FPS for tick in changes) <= 6 for start in range(450))


def test_noise_is_the_share_of_choices_that_slip(place):
    inner = Echo()
    actions = played(Limits(noise=0.25), place, ticks=4000, inner=inner)
    others = sum(action != tick % 5 for tick, action in enumerate(actions)) / 4000
    assert others == pytest.approx(0.25 * 4 / 5, abs=0.02)
    assert played(Limits(noise=0.25), place) == played(Limits(noise=0.25), place)
    assert played(Limits(noise=0.25), place) != played(Limits(noise=0.25), place, seed=4)


class Knowing(Echo):
    """Holds actions 0, 1 and 2 likely, and chooses the first."""

    def act(self):
        return None if self.turn is None else 0

    def insight(self):
        return Insight(shares=(0.6, 0.3, 0.1, 0.0, 0.0), parts=(5,))


def test_a_slip_in_a_game_of_turns_is_a_move_that_the_player_holds_likely(place):
    def actions(mask, turn_based=True):
        controller = LimitedController(Knowing(), Limits(noise=0.5), turn_based=turn_based)
        controller.reset(place, seed=3)
        found = []
        for tick in range(400):
            controller.observe(Turn(place.agent, tick, np.zeros(4, np.float32), mask))
            found.append(controller.act())
        return found

    played = actions(None)
    assert set(played) == {0, 1, 2}
    assert played.count(1) > 2 * played.count(2) > 0
    assert set(actions(np.array([1, 0, 0, 1, 1], np.int8))) == {0, 3, 4}, "it holds no other move likely"
    assert set(actions(None, turn_based=False)) == {0, 1, 2, 3, 4}


def test_what_the_mask_forbids_now_is_not_done_though_it_was_chosen(place):
    only = lambda tick: np.eye(5, dtype=np.int8)[2] if tick >= 20 else np.ones(5, np.int8)  # noqa: E731
    assert played(Limits(reaction_ms=100, noise=0.3), place, mask=only)[20:] == [2] * 20


def test_a_slow_player_within_its_limits_plays_the_same_a_tick_later(place):
    """A remote whose answers come a tick late, under a reaction time that is longer, plays as if it were in time."""
    in_time = played(Limits(reaction_ms=100), place)
    late = played(Limits(reaction_ms=100), place, inner=Echo(late=True))
    assert late[6:] == in_time[6:]


@pytest.mark.parametrize("masked", [False, True])
def test_a_limited_seat_keeps_the_contract(masked, store, seat):
    limits = Limits(reaction_ms=100, actions_per_second=8, noise=0.3)
    check_controller(lambda: LimitedController(SnapshotController(store.get("first")), limits), seat, masked=masked)
    box = replace(seat, action_space=spaces.Box(-1, 1, (3,), np.float32))
    check_controller(lambda: LimitedController(RandomController(), limits), box)


def test_its_name_and_its_report_tell_of_the_limits(place):
    limited = LimitedController(Echo(), Limits(reaction_ms=200, noise=0.1))
    assert limited.label == "echo (200 ms, noise 0.1)"
    assert limited.report() == {"limits": {"reaction_ms": 200, "actions_per_second": 0, "noise": 0.1}}
    assert LimitedController(Echo(), Limits(reaction_ms=200), level="hard").label == "echo (hard)"
    assert LimitedController(Echo(), Limits(), level="expert").label == "echo"


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("random?noise=1.5", "expected 0 <= noise <= 1"),
        ("random?reaction_ms=-1", "expected 0 <= reaction_ms"),
        ("random?actions_per_second=often", "expected a number for actions_per_second"),
        ("random?noise=nan", "expected a number for noise"),
        ("random?speed=3", "reaction_ms=NUMBER"),
        ("level:godlike", "level:easy|normal|hard|expert"),
        ("keyboard?noise=1", "no options"),
    ],
)
def test_a_limit_that_is_none_is_refused_with_what_would_do(word, why):
    with pytest.raises(SeatError, match=why.replace("|", r"\|").replace("?", r"\?")):
        Limits().changed(parse_seat(word).options)


def test_seat_words_with_limits_read_back():
    for word in ("level:hard", "level:hard?noise=0.2", "snapshot:latest?reaction_ms=200&actions_per_second=6"):
        assert str(parse_seat(word)) == word


# Levels


@pytest.fixture
def pool(tmp_path, card, policy):
    """Snapshots s0 to s6, each trained for longer than the one before."""
    store = SnapshotStore(tmp_path / "pool")
    for number in range(7):
        store.save(card(f"s{number}", step=round(1000 * 1.6**number)), policy(number % 5))
    return store


def names(store):
    return [snapshot_of(level, "test/game", "one", store).card.name for level in ("easy", "normal", "hard", "expert")]


def test_levels_climb_the_pool_by_training(pool, card, policy):
    assert names(pool) == ["s2", "s3", "s4", "s6"]
    for number in range(5):
        pool.save(card(f"beginner-{number}", step=100 + number), policy())
    assert names(pool) == ["s2", "s3", "s4", "s6"]


def test_the_ladder_knows_better_where_it_knows_all(pool):
    ratings = {f"s{number}": float(-number) for number in range(7)}
    pool.rating = lambda game, name: ratings.get(name)
    assert names(pool) == ["s4", "s3", "s1", "s0"]
    del ratings["s2"]
    assert names(pool) == ["s2", "s3", "s4", "s6"]


def test_a_spoiled_snapshot_leaves_its_level_to_the_next_best_fit(pool):
    (pool.root / "s6" / "policy.onnx").write_bytes(b"nothing")
    assert names(pool)[-1] == "s5"


def test_one_snapshot_is_enough_for_four_levels(store):
    assert set(names(store)) == {"first"}
    for turn_based in (False, True):
        limits = [limits_of(level, turn_based=turn_based) for level in ("easy", "normal", "hard", "expert")]
        assert len(set(limits)) == 4
        assert not limits[-1].any
        assert [level_of(each, turn_based=turn_based) for each in limits] == ["easy", "normal", "hard", ""]
        assert all(each.for_turns for each in limits) == turn_based
