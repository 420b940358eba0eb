"""Every real-time game: what is pressed on a keyboard and on a pad is the action that reaches the env."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pygame
import pytest
from gymnasium.spaces import Box

from agents.policies.random import IdleController
from agents.seats.controller import AgentID, Controller
from agents.seats.kinds import parse_seat
from arcade.controls.device_controllers import make_devices
from arcade.games.built_in import built_in_games
from arcade.games.controls import ControlRow, SeatControls
from arcade.games.naming import LETTERS, NEXT, PREVIOUS, words_of
from arcade.games.spec import GameSpec
from arcade.match.play.match import Match
from arcade.match.stage.local import LocalStage
from tests.support.virtual_pad import VirtualPad

REAL_TIME = [spec for spec in built_in_games() if not spec.turn_based]


class Bench:
    """A game on its real env, one seat in the hands of the test, every other idle; `sent` is what the env was given."""

    def __init__(self, turns: Any, stage: LocalStage, sent: dict[AgentID, list[Any]]) -> None:
        self.turns, self.stage, self._sent = turns, stage, sent
        self.agent: AgentID = ""
        self.pad: VirtualPad | None = None
        self._hand: Controller | None = None
        self._match: Match | None = None
        self.said = 0  # the word that the seat says in this match

    def sit(self, agent: AgentID, word: str, pad: VirtualPad | None) -> None:
        """The seat is played with the device `word` from now on."""
        if self._hand is not None:
            self._hand.close()
        choice = parse_seat(word)
        self.agent, self.pad, self._match = agent, pad, None
        self._hand = make_devices(self.turns.engine.devices)[choice.kind](choice, self.stage.seat(agent))

    def push(self, source: str, *, down: bool) -> None:
        """A key, a button or half of a stick goes down or up."""
        if self.pad is None:
            name = source if len(source) == 1 else source.upper()
            self.turns.key(getattr(pygame, f"K_{name}"), down=down)
        elif source[-1] in "+-":
            self.pad.axis(source[:-1], (1 if source[-1] == "+" else -1) if down else 0)
        else:
            (self.pad.press if down else self.pad.release)(source)

    def tick(self) -> Any:
        """A frame of the window and a tick of the match; returns what the env was given for the seat."""
        match = self._running()
        sent = self._sent[self.agent]
        before = len(sent)
        self.turns.frame(1.001 / self.stage.spec.fps)
        match.advance(self.turns.now)
        match.listen(self.turns.now)
        assert len(sent) == before + 1
        return sent[before]

    def _running(self) -> Match:
        """The match, a new one where the last is over."""
        if self._match is None or self._match.over:
            spec = self.stage.spec
            assert self._hand is not None
            mapping = {**{agent: IdleController() for agent in spec.agents}, self.agent: self._hand}
            self._match = Match(self.stage, mapping, seed=3, rate=spec.fps, clock=lambda: self.turns.now)
            self._match.start()
            self._match.listen(self.turns.now)
            self.said = 0
        return self._match

    def sources(self, control: str) -> tuple[str, ...]:
        """What does `control` on the device."""
        word = "keyboard:wasd" if self.pad is None else "gamepad:0"
        return self.turns.engine.bindings.of(word).sources.get(control, ())

    def with_held(self, sources: list[str]) -> Any:
        """What the env gets while they are held."""
        for source in sources:
            self.push(source, down=True)
        action = self.tick()
        for source in sources:
            self.push(source, down=False)
        return action


@pytest.fixture
def bench(turns: Any, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    sent: dict[AgentID, list[Any]] = {agent: [] for agent in request.param.agents}
    make = GameSpec.make

    def make_spied(spec: GameSpec, **kwargs: Any) -> Any:
        env = make(spec, **kwargs)
        inner = getattr(env, "aec_env", env)
        step = inner.step

        def step_spied(actions: Any) -> Any:
            given = actions if inner is env else {inner.agent_selection: actions}
            for agent, action in given.items():
                sent[agent].append(action)
            return step(actions)

        inner.step = step_spied
        return env

    monkeypatch.setattr(GameSpec, "make", make_spied)
    monkeypatch.setattr(pygame, "quit", lambda: None)  # a game that closes would take the window with it
    monkeypatch.setattr(pygame.display, "quit", lambda: None)
    with LocalStage(request.param) as stage:
        yield Bench(turns, stage, sent)


def roles(spec: GameSpec) -> list[AgentID]:
    """A seat of each kind that the game has."""
    kinds = {(str(spec.controls_of(agent)), spec.names_of(agent)): agent for agent in reversed(spec.agents)}
    return list(kinds.values())


@pytest.mark.parametrize("bench", REAL_TIME, ids=lambda spec: spec.id, indirect=True)
def test_what_is_pressed_is_what_the_game_gets(bench: Bench) -> None:
    spec = bench.stage.spec
    for agent in roles(spec):
        controls = spec.controls_of(agent)
        bench.sit(agent, "keyboard:wasd", None)
        play_every_row(bench, controls)
        with VirtualPad() as pad:
            bench.turns.frame()
            bench.sit(agent, "gamepad", pad)
            play_every_row(bench, controls)


def play_every_row(bench: Bench, controls: SeatControls) -> None:
    if isinstance(bench.stage.spaces[bench.agent][1], Box):
        play_numbers(bench, controls)
    else:
        play_words(bench, controls)


def play_words(bench: Bench, controls: SeatControls) -> None:
    """Discrete actions, as the words of the game have them."""
    names = bench.stage.spec.names_of(bench.agent)
    for row in controls.rows:
        for source in [source for control in row.controls for source in bench.sources(control)]:
            action = names[bench.with_held([source])]
            bench.said += {NEXT: 1, PREVIOUS: -1}.get(row.action, 0)
            assert (source, action) == (source, told(names, bench.said, row.action.strip("<>")))
            assert names[bench.tick()] == told(names, bench.said, "")
    play_longest(bench, controls, names)


def told(names: tuple[str, ...], said: int, move: str) -> str:
    """The game's words for saying and doing this."""
    count = sum(name.startswith("say") and "," not in name for name in names)
    parts = [f"say {LETTERS[said % count]}"] if count else []
    return ", ".join([*parts, *([move] if move else [])]) or "nothing"


def play_longest(bench: Bench, controls: SeatControls, names: tuple[str, ...]) -> None:
    """All that the largest action needs at once, with one key too many that does nothing here."""
    actions = {row.action: row for row in controls.rows}
    whole = [name for name in names if {*words_of(name)} <= set(actions)]
    longest = max(whole, key=lambda name: len(words_of(name)), default="")
    if len(words_of(longest)) > 1:
        held = [bench.sources(actions[part].controls[0])[-1] for part in words_of(longest)]
        assert names[bench.with_held(held)] == longest


def play_numbers(bench: Bench, controls: SeatControls) -> None:
    """Box actions: the number that a row is about moves its way, and no other."""
    for row in controls.rows:
        index, sign = int(row.action[:-1]), {"+": 1, "-": -1}[row.action[-1]]
        for control in row.controls:
            for source in bench.sources(control)[:1]:
                action = np.ravel(bench.with_held([source])).astype(float)
                assert np.sign(action).tolist() == [sign * (place == index) for place in range(len(action))], row.words
                assert abs(action[index]) == (1 if is_stick(row, control) else pytest.approx(ramp(bench)))
                assert not np.any(bench.tick())


def is_stick(row: ControlRow, control: str) -> bool:
    return control[-1] in "+-"


def ramp(bench: Bench) -> float:
    """How far a key has gone after one tick: all the way takes 0.15 s."""
    return 1 / round(0.15 * bench.stage.spec.fps)
