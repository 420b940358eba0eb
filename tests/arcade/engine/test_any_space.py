"""Games that say nothing of their controls are played by hand all the same, whatever their action space."""

from __future__ import annotations

from typing import Any

import numpy as np
import pygame
import pytest
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete, Text, Tuple

from agents.seats.controller import Controller, SeatSpec, Turn
from agents.seats.kinds import parse_seat
from arcade.controls.device_controllers import make_devices
from arcade.engine.input.bindings_file import Scope
from arcade.games import find_game
from arcade.games.controls import ControlRow, ControlsError, SeatControls
from arcade.games.spec import GameSpec
from tests.support.virtual_pad import VirtualPad


class Player:
    """A seat of a made-up game, played with the engine's devices; a turn is due from the start."""

    def __init__(
        self, turns: Any, space: Any, *, word: str = "keyboard:wasd", names: tuple[str, ...] = (), **spec: Any
    ) -> None:
        made = GameSpec(
            id="own:game", title="Own", entry="own:game", agents=("ann",), teams=(("ann",),), fps=20,
            action_names=names, **{"turn_based": False, **spec},
        )  # fmt: skip
        seat = SeatSpec(game="own:game", agent="ann", observation_space=None, action_space=space, fps=20)
        choice = parse_seat(word)
        self.turns, self.space = turns, space
        self.seat: Controller = make_devices(turns.engine.devices, find=lambda game: made)[choice.kind](choice, seat)
        self.seat.reset(seat, seed=1)
        self._ticks = 0
        self._due()

    def _due(self) -> None:
        self.seat.observe(Turn(agent="ann", tick=self._ticks, observation=None))
        self._ticks += 1

    def ticks(self, count: int = 1) -> Any:
        """The last of so many answers, each of them an element of the space."""
        for _ in range(count):
            self.turns.frame()
            answer = self.seat.act()
            assert answer in self.space
            self._due()
        return answer

    def tap(self, *keys: int) -> None:
        for key in keys:
            self.turns.tap(key)
        self.turns.frame()


def test_a_dict_of_spaces_is_played_at_once(turns: Any) -> None:
    space = Dict({"steer": Box(-1, 1, (), np.float32), "gear": Discrete(5), "horn": Discrete(2)})
    with VirtualPad() as pad:
        turns.frame()
        player = Player(turns, space, word="gamepad")
        pad.press("up")  # the gear steps, and stays
        pad.release("up")
        pad.axis("x", -0.6)
        pad.press("a")
        answer = player.ticks()
        assert (answer["gear"], answer["horn"]) == (1, 1)
        assert answer["steer"] == pytest.approx(-0.5, abs=0.02)
        pad.release("a")
        pad.axis("x", 0.0)
        pad.press("right")
        assert player.ticks(3) == {"gear": 1, "horn": 0, "steer": 1.0}
        assert player.seat.setting == "Gear: 1"


def test_of_two_values_of_one_choice_the_newest_press_holds(turns: Any) -> None:
    player = Player(turns, MultiDiscrete([3, 3]))
    turns.key(pygame.K_d)
    turns.key(pygame.K_a)
    turns.key(pygame.K_w)
    assert player.ticks().tolist() == [1, 2]
    turns.key(pygame.K_a, down=False)
    assert player.ticks().tolist() == [2, 2]


def test_many_numbers_are_set_one_after_the_other_and_stay(turns: Any) -> None:
    player = Player(turns, Box(-2, 2, (12,), np.float64))
    player.tap(pygame.K_s, pygame.K_s)
    turns.key(pygame.K_d)
    assert player.ticks(6)[2] == pytest.approx(1.0)  # half way in 0.3 s
    turns.key(pygame.K_d, down=False)
    player.tap(pygame.K_s)
    answer = player.ticks(3)
    assert answer[2] == pytest.approx(1.0)
    assert np.count_nonzero(answer) == 1
    player.tap(pygame.K_w)
    assert player.seat.setting == "Value 3: 1.00"
    player.tap(pygame.K_LSHIFT)
    assert not np.any(player.ticks())


def test_a_game_that_waits_is_played_when_all_is_set(turns: Any) -> None:
    player = Player(turns, Tuple([Discrete(3), Box(0, 10, (1,), np.float32)]), turn_based=True)
    player.tap(pygame.K_d, pygame.K_d, pygame.K_s, pygame.K_d)
    assert player.seat.act() is None
    player.tap(pygame.K_SPACE)
    choice, number = player.seat.act()
    assert (choice, number[0]) == (2, 1.0)
    player._due()
    assert player.seat.act() is None


def test_words_the_game_offers_make_its_chords(turns: Any) -> None:
    names = ("NOOP", "GO_LEFT", "GO_RIGHT", "JUMP", "GO_LEFT JUMP", "PUNCH")
    player = Player(turns, Discrete(6), names=names)
    assert names[player.ticks()] == "NOOP"
    for key, expected in ((pygame.K_a, "GO_LEFT"), (pygame.K_w, "GO_LEFT JUMP"), (pygame.K_s, "GO_LEFT JUMP")):
        turns.key(key)
        assert names[player.ticks()] == expected
    for key in (pygame.K_a, pygame.K_w, pygame.K_s):
        turns.key(key, down=False)
    turns.tap(pygame.K_SPACE)
    assert [names[player.ticks()], names[player.ticks()]] == ["PUNCH", "NOOP"]


def test_the_players_own_table_counts_and_what_it_does_not_name_stays(turns: Any) -> None:
    names = ("stay", "left", "jump")
    turns.engine.bindings.change(Scope("own:game", section="actions"), {"jump": ["b"], "gone in this version": ["a"]})
    player = Player(turns, Discrete(3), names=names)
    turns.tap(pygame.K_w)
    assert names[player.ticks()] == "stay"
    turns.tap(pygame.K_LSHIFT)
    assert names[player.ticks()] == "jump"
    turns.tap(pygame.K_a)
    assert names[player.ticks()] == "left"


def test_a_trigger_pulled_far_enough_is_a_press(turns: Any) -> None:
    turns.engine.bindings.change(Scope("own:game", section="actions"), {"jump": ["rt+"]})
    with VirtualPad() as pad:
        turns.frame()
        player = Player(turns, Discrete(2), names=("stay", "jump"), word="gamepad")
        answers = []
        for pull in (0.4, 0.9, 0.0):
            pad.axis("rt", pull)
            answers.append(player.ticks())
        assert answers == [0, 1, 0]


@pytest.mark.parametrize(
    ("game", "agent", "space", "expected"),
    [
        ("mpe/simple_tag_v3", "agent_0", Box(0, 1, (5,), np.float32), [0, 0, 0, 0, 1]),  # continuous_actions=True
        ("butterfly/pistonball_v6", "piston_0", Discrete(3), 1),  # continuous=False
    ],
)
def test_a_game_made_with_another_space_is_played_all_the_same(
    turns: Any, game: str, agent: str, space: Any, expected: Any
) -> None:
    usual = find_game(game)
    controls = {"*": usual.controls_of(agent)}
    player = Player(turns, space, names=usual.names_of(agent), controls=controls)
    turns.key(pygame.K_SPACE if isinstance(space, Discrete) else pygame.K_c)
    assert np.ravel(player.ticks(3)).tolist() == np.ravel(expected).tolist()


@pytest.mark.parametrize(
    ("space", "names", "controls", "expected"),
    [
        (Discrete(3), ("left", "right", "brake"), SeatControls(rows=(), style="moves", idle="brake"), 2),
        (Discrete(3), (), SeatControls(rows=(), style="switches", idle="0=1"), 1),
        (Discrete(3, start=5), (), None, 5),
    ],
)
def test_hands_off_is_what_the_game_says(
    turns: Any, space: Any, names: tuple[str, ...], controls: SeatControls | None, expected: int
) -> None:
    spec = {"controls": {"*": controls}} if controls else {}
    assert Player(turns, space, names=names, **spec).ticks() == expected


@pytest.mark.parametrize(
    ("space", "action", "reason"),
    [
        (Box(-1, 1, (2,)), "2+", "of the entries 0 to 1, got: '2+'"),
        (MultiDiscrete([3]), "0+", "a choice of 3, got: '0+'"),
        (MultiDiscrete([3]), "0=3", "a choice of 3, got: '0=3'"),
        (Text(4), "0=1", "to play by hand, got: Text"),
    ],
)
def test_declared_controls_that_do_not_fit_are_refused_by_name(
    turns: Any, space: Any, action: str, reason: str
) -> None:
    rows = (ControlRow(words="Go", controls=("a",), action=action),)
    with pytest.raises(ControlsError) as refused:
        Player(turns, space, controls={"*": SeatControls(rows=rows, style="switches")})
    assert reason in str(refused.value)
