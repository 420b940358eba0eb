"""From decisions to what DQN and SAC learn from: transitions by hand, and the buffer that holds them."""

import pickle

import numpy as np
import pytest

from trainer.algorithms.replay import CHECKPOINT_BYTES, Replay
from trainer.config import ConfigError
from trainer.sampling.layouts import transition_columns
from trainer.sampling.rollout import Decisions, RolloutBuffer

GAMMA = 0.5


def decide(buffer, seat, number, *, mask=(1, 1)):
    """The seat sees `number`, remembers the one before it, and does `10 * number`."""
    columns = {
        "obs": np.array([[number]], np.float32),
        "actions": np.array([10 * number]),
        "action_logp": np.zeros(1, np.float32),
        "action_mask": np.array([mask], np.int8),
        "memory_frames": np.array([[number - 1]], np.float32),
    }
    buffer.decide(np.array([seat]), np.zeros(1, np.float32), columns)


def reward(buffer, **by_seat):
    buffer.reward(np.array([by_seat.get(f"seat{i}", 0.0) for i in range(len(buffer.count))], np.float32))


def end(buffer, seat, seen, *, truncated=False, mask=(1, 1)):
    last = {
        "obs": np.array([[seen]], np.float32),
        "action_mask": np.array([mask], np.int8),
        "memory_frames": np.array([[seen - 1]], np.float32),
    }
    buffer.end(np.array([seat]), truncated=truncated, last=last)


def rows_of(buffer, *, n_step=1):
    """What was seen to its row, every column a number or a list."""
    columns = transition_columns(buffer.close(), gamma=GAMMA, n_step=n_step)
    rows = [
        {name: np.squeeze(column[i]).tolist() for name, column in columns.items()} for i in range(len(columns["obs"]))
    ]
    return {int(row["obs"]): row for row in rows}


def play_episode(buffer, numbers, **how):
    for number in numbers:
        decide(buffer, 0, number)
        reward(buffer, seat0=number)
    end(buffer, 0, numbers[-1] + 1, **how)


def test_a_row_tells_what_was_seen_next_and_where_an_episode_ended():
    buffer = RolloutBuffer(10, 1)
    play_episode(buffer, [1, 2, 3])
    play_episode(buffer, [11, 12], truncated=True)
    decide(buffer, 0, 21)
    reward(buffer, seat0=5.0)
    rows = rows_of(buffer)
    assert sorted(rows) == [1, 2, 3, 11, 12]  # 21 is open: it comes with the next fragment
    assert {seen: row["new_obs"] for seen, row in rows.items()} == {1: 2, 2: 3, 3: 4, 11: 12, 12: 13}
    assert {seen: row["new_memory_frames"] for seen, row in rows.items()} == {1: 1, 2: 2, 3: 3, 11: 11, 12: 12}
    assert [seen for seen, row in rows.items() if row["terminateds"]] == [3]
    assert [seen for seen, row in rows.items() if row["truncateds"]] == [12]
    assert all(row["rewards"] == seen and row["actions"] == 10 * seen for seen, row in rows.items())
    assert {row["n_step"] for row in rows.values()} == {1.0}
    assert "action_logp" not in rows[1]


def test_the_decision_open_at_the_fragments_end_is_what_follows_on_the_last_closed_one():
    buffer = RolloutBuffer(3, 1)
    for number in (1, 2, 3):
        decide(buffer, 0, number)
        reward(buffer, seat0=number)
    assert {seen: row["new_obs"] for seen, row in rows_of(buffer).items()} == {1: 2, 2: 3}
    buffer.carry_over()
    decide(buffer, 0, 4)
    assert {seen: (row["new_obs"], row["rewards"]) for seen, row in rows_of(buffer).items()} == {3: (4, 3)}


def test_several_steps_are_summed_up_to_the_end_of_the_episode():
    buffer = RolloutBuffer(10, 1)
    play_episode(buffer, [1, 2, 4])
    play_episode(buffer, [11, 12], truncated=True)
    for number in (21, 22, 23):
        decide(buffer, 0, number)
        reward(buffer, seat0=number)
    rows = rows_of(buffer, n_step=3)
    assert {seen: row["n_step"] for seen, row in rows.items()} == {1: 3, 2: 2, 4: 1, 11: 2, 12: 1}
    assert rows[1]["rewards"] == 1 + GAMMA * 2 + GAMMA**2 * 4
    assert rows[2]["rewards"] == 2 + GAMMA * 4
    assert rows[11]["rewards"] == 11 + GAMMA * 12
    assert [seen for seen, row in rows.items() if row["terminateds"]] == [1, 2, 4]
    assert [seen for seen, row in rows.items() if row["truncateds"]] == [11, 12]
    assert {seen: row["new_obs"] for seen, row in rows.items()} == {1: 5, 2: 5, 4: 5, 11: 13, 12: 13}


@pytest.mark.parametrize("ticks", [1, 2, 3, 7])
def test_several_steps_are_summed_across_fragments(ticks):
    """The same rows as from one fragment of all decisions, however short the fragments are."""

    def play(fragment):
        buffer, rows, done = RolloutBuffer(fragment, 2, keep=3), {}, 0
        for number in range(1, 31):
            for seat in (0, 1) if number % 3 else (0,):  # the second seat passes at times
                decide(buffer, seat, 100 * seat + number)
            reward(buffer, seat0=number, seat1=-number)
            for seat, last in ((0, 10), (1, 17)):
                if number == last:
                    end(buffer, seat, 50, truncated=seat == 1)
            done += 1
            if done == fragment or number == 30:
                new = rows_of(buffer, n_step=4)
                assert not rows.keys() & new.keys()
                rows |= new
                buffer.carry_over()
                done = 0
        return rows

    whole, parts = play(30), play(ticks)
    assert parts == whole
    assert {row["n_step"] for seen, row in parts.items() if seen < 7} == {4}
    assert parts[1]["rewards"] == 1 + GAMMA * 2 + GAMMA**2 * 3 + GAMMA**3 * 4


def test_in_a_game_of_turns_what_the_others_move_brings_belongs_to_the_seats_last_decision():
    buffer = RolloutBuffer(10, 2)
    decide(buffer, 0, 1)
    reward(buffer, seat0=0.5)
    decide(buffer, 1, 101)
    reward(buffer, seat0=2.0, seat1=-2.0)
    decide(buffer, 0, 2)
    reward(buffer, seat1=7.0)
    end(buffer, 1, 102)  # the seat dies on the other's turn
    rows = rows_of(buffer)
    assert (rows[1]["rewards"], rows[1]["new_obs"], rows[1]["terminateds"]) == (2.5, 2, False)
    assert (rows[101]["rewards"], rows[101]["new_obs"], rows[101]["terminateds"]) == (5.0, 102, True)


def test_masks_come_with_both_ends_and_an_end_without_a_legal_action_allows_all():
    buffer = RolloutBuffer(10, 1)
    decide(buffer, 0, 1, mask=(1, 0))
    decide(buffer, 0, 2, mask=(0, 1))
    end(buffer, 0, 3, truncated=True, mask=(0, 0))
    rows = rows_of(buffer)
    assert (rows[1]["action_mask"], rows[1]["new_action_mask"]) == ([1, 0], [0, 1])
    assert (rows[2]["action_mask"], rows[2]["new_action_mask"]) == ([0, 1], [1, 1])


def decisions(policy, numbers):
    numbers = np.asarray(numbers, np.float32)
    return Decisions({policy: {"obs": numbers[:, None], "rewards": numbers}}, len(numbers))


def drawn(buffer, policy="main", rows=4000):
    (part,) = buffer.sample(num_items=rows, n_step=1, gamma=0.9)
    columns = part.columns[policy]
    assert (columns["obs"][:, 0] == columns["rewards"]).all()  # rows stay whole
    return columns["rewards"]


def test_the_buffer_holds_the_newest_and_draws_each_as_often():
    buffer = Replay(capacity=10, seed=1)
    for start in (0, 7, 14):
        buffer.add([decisions("main", range(start, start + 7))])
    values, counts = np.unique(drawn(buffer), return_counts=True)
    assert values.tolist() == list(range(11, 21))
    assert 300 < counts.min() <= counts.max() < 500  # 400 expected
    buffer.add([decisions("main", range(100, 125))])  # more than it holds
    assert set(drawn(buffer)) == set(range(115, 125))


def test_each_policy_has_its_own_rows_and_each_learner_its_own_part():
    buffer = Replay(capacity=100, seed=1, learners=2)
    buffer.add([decisions("a", range(50)), decisions("b", range(1000, 1050))])
    parts = buffer.sample(num_items=64)
    assert [{policy: len(rows["obs"]) for policy, rows in part.columns.items()} for part in parts] == [
        {"a": 32, "b": 32}
    ] * 2
    assert [len(part) for part in parts] == [32, 32]
    assert all(part.columns["a"]["obs"].max() < 50 <= part.columns["b"]["obs"].min() for part in parts)
    assert not np.array_equal(parts[0].columns["a"]["obs"], parts[1].columns["a"]["obs"])


def test_a_checkpoint_has_the_newest_rows_up_to_a_bound_and_the_same_draws_follow():
    wide = {"obs": np.zeros((4000, 20_000), np.uint8), "rewards": np.arange(4000, dtype=np.float32)}
    buffer = Replay(capacity=4000, seed=1)
    buffer.add([Decisions({"main": wide}, 4000)])
    kept = CHECKPOINT_BYTES // 20_004
    for _ in range(2):  # kept over one resume after the other
        state = buffer.get_state()
        assert 0.99 * CHECKPOINT_BYTES < len(pickle.dumps(state)) < 1.01 * CHECKPOINT_BYTES
        buffer = Replay(capacity=4000, seed=2)
        buffer.set_state(state)
        assert len(buffer) == kept
        (part,) = buffer.sample(num_items=5000)
        assert part.columns["main"]["rewards"].min() >= 4000 - kept
        assert part.columns["main"]["rewards"].max() > 3900

    small, again = Replay(capacity=10, seed=1), Replay(capacity=10, seed=2)
    small.add([decisions("main", range(8)), decisions("main", range(8, 16))])
    again.set_state(small.get_state())
    assert again.sample(num_items=20)[0].columns["main"]["rewards"].tolist() == drawn(small, rows=20).tolist()


def test_a_buffer_that_the_machine_cannot_hold_is_refused_at_once():
    wide = {"obs": np.zeros((1, 1_000_000), np.uint8)}
    with pytest.raises(ConfigError, match=r"training\.capacity: expected at most \d+ decisions .* got: 10000000"):
        Replay(capacity=10_000_000, seed=1).add([Decisions({"main": wide}, 1)])
