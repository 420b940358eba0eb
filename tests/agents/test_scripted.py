"""Random, idle and function controllers."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from gymnasium import spaces

from agents.policies.functions import FunctionController, load_function
from agents.policies.random import RandomController
from agents.seats.controller import ControllerError, Turn
from agents.spaces import idle_action


def turn(mask=None):
    return Turn("one", 3, np.zeros(4, np.float32), mask)


@pytest.mark.parametrize("mask", [[1, 1, 1, 1, 1], [0, 1, 0, 1, 1], [0, 0, 1, 0, 0]])
def test_random_draws_evenly_from_the_legal_actions(mask, seat):
    controller, mask = RandomController(), np.array(mask, np.int8)
    controller.reset(seat, seed=1)
    counts = np.zeros(5, int)
    for _ in range(5000):
        controller.observe(turn(mask))
        counts[controller.act()] += 1
    assert not counts[mask == 0].any()
    assert np.abs(counts[mask == 1] - 5000 / mask.sum()).max() < 250


def test_a_sparse_mask_of_many_actions_is_respected(seat):
    from dataclasses import replace

    controller, mask = RandomController(), np.zeros(4672, np.int8)
    mask[[17, 4000]] = 1
    controller.reset(replace(seat, action_space=spaces.Discrete(4672)), seed=1)
    seen = set()
    for _ in range(100):
        controller.observe(turn(mask))
        seen.add(controller.act())
    assert seen == {17, 4000}


def test_idle_is_nothing_where_nothing_is_allowed():
    assert idle_action(spaces.Discrete(3)) == 0
    assert idle_action(spaces.Discrete(3, start=5)) == 5
    assert idle_action(spaces.Discrete(3), np.array([0, 0, 1], np.int8)) == 2
    assert idle_action(spaces.Box(0.5, 1, (2,), np.float32)).tolist() == [0.5, 0.5]
    assert idle_action(spaces.Dict({"a": spaces.Discrete(2), "b": spaces.Tuple([spaces.MultiBinary(2)])}))["a"] == 0


def test_a_function_that_raises_is_named(seat):
    def clumsy(observation, mask, rng):
        raise KeyError("ball")

    controller = FunctionController(clumsy)
    controller.reset(seat, seed=1)
    controller.observe(turn())
    with pytest.raises(ControllerError, match=r"clumsy.*KeyError.*ball"):
        controller.act()


def test_a_function_that_ends_the_program_is_named_and_ends_nothing(tmp_path, monkeypatch, seat):
    (tmp_path / "a_script.py").write_text("import sys\nsys.exit('usage: a_script FILE')\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ControllerError, match="SystemExit: usage: a_script FILE"):
        load_function("a_script:play")
    controller = FunctionController(lambda observation, mask, rng: sys.exit(3), label="quitter")
    controller.reset(seat, seed=1)
    controller.observe(turn())
    with pytest.raises(ControllerError, match="quitter failed: SystemExit: 3"):
        controller.act()


@pytest.mark.parametrize("answer", [9, "left", None, 1.5])
def test_an_answer_outside_the_space_is_refused(answer, seat):
    controller = FunctionController(lambda observation, mask, rng: answer, label="mine")
    controller.reset(seat, seed=1)
    controller.observe(turn())
    with pytest.raises(
        ControllerError, match=r"mine for 'one': expected an int 0 <= action < 5, got: .* \(at tick 3\)"
    ):
        controller.act()


def test_an_illegal_answer_lists_the_legal_ones(seat):
    controller = FunctionController(lambda observation, mask, rng: 0)
    controller.reset(seat, seed=1)
    controller.observe(turn(np.array([0, 1, 0, 1, 0], np.int8)))
    with pytest.raises(ControllerError, match="one of 1, 3, got: 0"):
        controller.act()


def test_a_function_is_found_by_its_word(tmp_path, monkeypatch, seat):
    (tmp_path / "my_own_bot.py").write_text("def play(observation, mask, rng):\n    return 3\n")
    monkeypatch.chdir(tmp_path)
    controller = FunctionController(load_function("my_own_bot:play"), label="my_own_bot:play")
    controller.reset(seat, seed=1)
    controller.observe(turn())
    assert controller.act() == 3
    assert controller.label == "my_own_bot:play"
    with pytest.raises(ControllerError, match=r"it has play.*got: 'plya'"):
        load_function("my_own_bot:plya")
    with pytest.raises(ControllerError, match="no_such_module"):
        load_function("no_such_module:play")


def test_a_class_is_made_anew_for_each_episode_and_remembers_it(seat):
    class Counting:
        def __init__(self, place, rng):
            self.place, self.turns = place, 0

        def __call__(self, observation, mask):
            self.turns += 1
            return (self.turns - 1) % 3

    controller = FunctionController(Counting)
    for _ in range(2):
        controller.reset(seat, seed=1)
        answers = []
        for _ in range(3):
            controller.observe(turn())
            answers.append(controller.act())
        assert answers == [0, 1, 2]


def test_a_class_that_cannot_be_made_is_named(seat):
    class Clumsy:
        def __init__(self, place, rng):
            raise KeyError("ball")

    controller = FunctionController(Clumsy)
    controller.reset(seat, seed=1)
    controller.observe(turn())
    with pytest.raises(ControllerError, match=r"Clumsy failed: KeyError: 'ball'"):
        controller.act()
