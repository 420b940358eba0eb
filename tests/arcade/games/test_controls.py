"""What hands do in a seat: declared, found from words, found from a space; changed, saved, refused."""

from __future__ import annotations

import enum
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Text, Tuple

from arcade.games.built_in import built_in_games
from arcade.games.catalogue import game_row
from arcade.games.controls import ControlRow, ControlsError, SeatControls
from arcade.games.entries import assemble, entries_of, space_controls
from arcade.games.naming import idle_of, named_controls
from arcade.games.third_party.guess import guess, offered_names


def keys(controls: SeatControls) -> dict[str, tuple[str, ...]]:
    return {row.action: row.controls for row in controls.rows}


@pytest.mark.parametrize("spec", built_in_games(), ids=lambda spec: spec.id)
def test_people_can_play_every_game_and_each_thing_to_do_has_words_and_a_control(spec: Any) -> None:
    row = game_row(spec)
    assert row["human_playable"] is True
    assert row["devices"] == ["keyboard", "gamepad", *(["mouse"] if spec.turn_based else [])]
    for agent in spec.agents:
        assert spec.declares_controls(agent)
        controls = spec.controls_of(agent)
        assert all(row.words and row.controls for row in controls.rows)
        assert max(len(row.words) for row in controls.rows) <= 40
        assert controls.conflicts() == ()


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (
            ("NOOP", "FIRE", "UP", "RIGHT", "UPRIGHTFIRE"),
            {"fire": ("a", "b"), "up": ("up",), "right": ("right",)},
        ),
        (
            ("turn_left", "TurnRight", "moveForward", "pickup", "drop", "toggle", "done"),
            {
                "turn left": ("left",), "turn right": ("right",), "move forward": ("up",),
                "pickup": ("a",), "drop": ("b",), "toggle": ("x",),
            },
        ),
        (
            ("stay", "left", "right", "turn left", "turn right"),
            {"left": ("left",), "right": ("right",), "turn left": ("l",), "turn right": ("r",)},
        ),
        (("wait", "left", "jump", "left jump"), {"left": ("left",), "jump": ("up",)}),
        (("say A, left", "say B, left"), {"left": ("left",), ">": ("a",), "<": ("b",)}),
    ],
)  # fmt: skip
def test_words_find_their_controls(names: tuple[str, ...], expected: dict[str, tuple[str, ...]]) -> None:
    assert keys(named_controls(names)) == expected


def test_more_words_than_fingers_are_stepped_through() -> None:
    assert named_controls([f"spell {letter}" for letter in "abcdefghijkl"]).style == "numbers"


def test_doing_nothing_has_many_names() -> None:
    assert [idle_of(("left", word, "right")) for word in ("NoOp", "do_nothing", "Stay", "jump")] == [1, 1, 1, 0]


class Moves(enum.IntEnum):
    STAY = 0
    GO_LEFT = 1


@pytest.mark.parametrize(
    "offer",
    [
        {"get_action_meanings": lambda: ["stay", "go_left"]},
        {"get_action_meanings": lambda agent: {"ann": ("stay", "go_left")}[agent]},
        {"actions": Moves},
        {"action_names": {"ann": {0: "stay", 1: "go_left"}}},
        {"metadata": {"action_names": {"stay": 0, "go_left": 1}}},
        {"unwrapped": SimpleNamespace(ACTION_NAMES=("stay", "go_left"))},
    ],
    ids=lambda offer: next(iter(offer)),
)
def test_an_env_is_asked_for_words_where_they_usually_lie(offer: dict[str, Any]) -> None:
    assert offered_names(SimpleNamespace(**offer), "ann", 2) == ("stay", "go_left")


class Lists(enum.Enum):
    STAY = [0]  # noqa: RUF012
    GO_LEFT = [1]  # noqa: RUF012


@pytest.mark.parametrize(
    "offer",
    [
        {},
        {"actions": [0, 1]},
        {"action_names": ("one",)},
        {"get_action_meanings": len},
        {"actions": {"move": [0, 1]}},
        {"actions": {"ann": {"move": [0, 1]}}},
        {"actions": Lists},
    ],
    ids=str,
)
def test_what_is_no_list_of_words_is_left_alone(offer: dict[str, Any]) -> None:
    assert offered_names(SimpleNamespace(**offer), "ann", 2) == ()


def test_words_that_cannot_be_asked_for_now_are_looked_for_elsewhere() -> None:
    class Early:
        ACTION_NAMES = ("stay", "go_left")

        @property
        def action_names(self) -> None:
            raise RuntimeError("reset me first")

    assert offered_names(Early(), "ann", 2) == ("stay", "go_left")


@pytest.mark.parametrize(
    ("space", "style", "expected"),
    [
        (Discrete(3), "switches", {"0=0": (), "0=1": ("a",), "0=2": ("b",)}),
        (Box(-1, 1, (1,)), "sticks", {"0+": ("up", "right", "y-", "x+"), "0-": ("down", "left", "y+", "x-")}),
        (
            Box(np.array([-1, 0, 0]), np.array([1, 1, 1])),  # a car: wheel, gas, brake
            "sticks",
            {"0+": ("right", "x+"), "0-": ("left", "x-"), "1+": ("a", "rt+"), "2+": ("b", "lt+")},
        ),
        (
            MultiDiscrete([3, 2, 5]),
            "switches",
            {
                "0=2": ("right", "x+"), "0=1": ("left", "x-"), "1=1": ("a", "rt+"),
                "2>": ("up", "y-"), "2<": ("down", "y+"),
            },
        ),
        (
            Dict({"gear": Discrete(5), "horn": MultiBinary(1), "steer": Box(-1, 1, ())}),
            "sticks",
            {
                "0>": ("up", "y-"), "0<": ("down", "y+"), "1=1": ("a", "rt+"),
                "2+": ("right", "x+"), "2-": ("left", "x-"),
            },
        ),
    ],
    ids=str,
)  # fmt: skip
def test_a_space_finds_its_controls(space: Any, style: str, expected: dict[str, tuple[str, ...]]) -> None:
    controls = space_controls(space)
    assert controls.style == style
    assert keys(controls) == expected
    assert controls.conflicts() == ()


@pytest.mark.parametrize("space", [Box(-1, 1, (12,)), MultiBinary(20), MultiDiscrete([9] * 7)], ids=str)
def test_more_entries_than_fingers_are_set_one_after_the_other(space: Any) -> None:
    assert space_controls(space).style == "numbers"


@pytest.mark.parametrize(
    ("space", "values"),
    [
        (Discrete(4, start=10), [3]),
        (Box(2, 5, (2, 2), np.float32), [-1, 0, 0.5, 1]),
        (Box(-np.inf, np.inf, (1,), np.float64), [-1]),
        (Box(5, np.inf, (2,), np.float64), [0, 1]),
        (Box(-np.inf, -3, (2,), np.float64), [-1, 0]),
        (Box(0, 255, (2,), np.uint8), [1, 0.3]),
        (MultiDiscrete([3, 2], start=[1, 5]), [2, 1]),
        (MultiBinary((2, 2)), [1, 0, 0, 1]),
        (Tuple([Discrete(3), Box(-1, 1, (2,), np.float32)]), [2, -1, 0.5]),
        (Dict({"go": Discrete(3), "deep": Dict({"aim": Box(-1, 1, (), np.float32)})}), [0.5, 1]),
    ],
    ids=str,
)
def test_entries_make_up_an_element_of_the_space(space: Any, values: list[float]) -> None:
    assert space.contains(assemble(space, entries_of(space), values))


def test_numbers_rest_near_zero_and_reach_their_bounds() -> None:
    space = Box(np.array([2, -4, -1]), np.array([5, -2, 3]), dtype=np.float64)
    pushed = {push: assemble(space, entries_of(space), [push] * 3).tolist() for push in (-1, -0.5, 0, 0.5, 1)}
    assert pushed == {
        -1: [2, -4, -1], -0.5: [2, -3, -0.5], 0: [2, -2, 0], 0.5: [3.5, -2, 1.5], 1: [5, -2, 3],
    }  # fmt: skip


def test_a_space_that_hands_cannot_play_is_refused_by_name() -> None:
    with pytest.raises(ControlsError, match=r"expected a Discrete, .*, got: Text"):
        space_controls(Text(5))


def test_the_player_gives_an_action_other_controls() -> None:
    controls = named_controls(("stay", "left", "jump"))
    changed = controls.changed({"jump": ["y", "rt+"]})
    assert keys(changed) == {"left": ("left",), "jump": ("y", "rt+")}
    assert controls.changed(controls.table()) == controls
    assert changed.changed({"left": ["y"]}).conflicts() == (("y", ("Left", "Jump")),)


@pytest.mark.parametrize(
    ("table", "reason"),
    [({"fly": ["a"]}, "expected actions among left, jump, got: fly"), ({"jump": ["q"]}, r"for 'Jump', got: q")],
)
def test_a_change_that_cannot_be_names_what_is_wrong(table: dict[str, list[str]], reason: str) -> None:
    with pytest.raises(ControlsError, match=reason):
        named_controls(("stay", "left", "jump")).changed(table)


def test_two_rows_of_one_action_are_refused() -> None:
    row = ControlRow(words="Jump", controls=("a",), action="jump")
    with pytest.raises(ControlsError, match="got more for: jump"):
        SeatControls(rows=(row, row), style="moves")


class Stranger:
    """An env of that name, of which nothing else is asked."""

    def __init__(self, name: str) -> None:
        self.metadata = {"name": name}


@pytest.mark.parametrize(
    ("name", "space", "words"),
    [
        ("simple_tag_v3", Discrete(5), ["Move up", "Move down", "Move left", "Move right"]),
        ("simple_tag_v3", Discrete(3), ["Action 0, at rest", "Action 1", "Action 2"]),
        ("pistonball_v6", Box(-1, 1, (1,)), ["Raise the piston", "Lower the piston"]),
        ("multiwalker_v9", Box(-1, 1, (1,)), ["Value +", "Value -"]),
        ("tag", Text(3), []),
    ],
)
def test_a_game_of_the_catalogue_made_another_way_keeps_its_controls(name: str, space: Any, words: list[str]) -> None:
    _, controls = guess(Stranger(name), "somebody", space, turn_based=False)
    assert [row.words for row in controls.rows] == words
