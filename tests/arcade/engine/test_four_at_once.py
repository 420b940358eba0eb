"""Four people at once on real games: two halves of a keyboard and two pads, each heard in its own seat alone."""

from __future__ import annotations

import itertools

import pygame
import pytest

from agents.seats.controller import AgentID
from agents.seats.kinds import parse_seat
from arcade.controls.device_controllers import make_devices
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.match.play.match import Match
from arcade.match.stage.local import LocalStage
from tests.support.virtual_pad import VirtualPad

WORDS = ("keyboard:wasd", "keyboard:arrows", "gamepad:0", "gamepad:1")
KEYS = {
    "keyboard:wasd": {"up": pygame.K_w, "down": pygame.K_s, "left": pygame.K_a, "right": pygame.K_d},
    "keyboard:arrows": {"up": pygame.K_UP, "down": pygame.K_DOWN, "left": pygame.K_LEFT, "right": pygame.K_RIGHT},
}


class Table:
    """A match on its real env with a person in every seat; `tick` returns what the env was given."""

    def __init__(self, turns, stage: LocalStage, pads: dict[str, VirtualPad], given: dict[AgentID, list]) -> None:
        self.turns, self.spec, self._pads, self._given = turns, stage.spec, pads, given
        self.hands = dict(zip(self.spec.agents, WORDS, strict=True))
        devices = make_devices(turns.engine.devices)
        mapping = {
            agent: devices[(choice := parse_seat(word)).kind](choice, stage.seat(agent))
            for agent, word in self.hands.items()
        }
        self._match = Match(stage, mapping, seed=3, rate=self.spec.fps, clock=lambda: turns.now)
        self._match.start()
        self._match.listen(turns.now)

    def push(self, agent, control: str, *, down: bool) -> None:
        word = self.hands[agent]
        if word in KEYS:
            self.turns.key(KEYS[word][control], down=down)
        else:
            (self._pads[word].press if down else self._pads[word].release)(control)

    def tick(self) -> dict:
        before = {agent: len(actions) for agent, actions in self._given.items()}
        self.turns.frame(1.001 / self.spec.fps)
        self._match.advance(self.turns.now)
        self._match.listen(self.turns.now)
        assert {agent: len(actions) - 1 for agent, actions in self._given.items()} == before
        return {agent: self.spec.names_of(agent)[actions[-1]] for agent, actions in self._given.items()}


@pytest.fixture
def table(turns, request, monkeypatch):
    spec = find_game(request.param)
    given: dict = {agent: [] for agent in spec.agents}
    make = GameSpec.make

    def make_spied(spec, **kwargs):
        env = make(spec, **kwargs)
        inner = getattr(env, "aec_env", env)
        step = inner.step

        def step_spied(actions):
            for agent, action in (actions if inner is env else {inner.agent_selection: actions}).items():
                given[agent].append(action)
            return step(actions)

        inner.step = step_spied
        return env

    monkeypatch.setattr(GameSpec, "make", make_spied)
    with LocalStage(spec) as stage, VirtualPad() as one, VirtualPad() as two:
        turns.frame()
        yield Table(turns, stage, {"gamepad:0": one, "gamepad:1": two}, given)


@pytest.mark.parametrize("table", ["atari/quadrapong_v4", "house/volley_2v2"], indirect=True)
def test_four_people_at_once_move_their_own_seats_and_no_other(table):
    agents = table.spec.agents
    ways = {
        agent: [word for word in ("left", "right", "up", "down") if word in table.spec.names_of(agent)]
        for agent in agents
    }
    assert table.tick() == dict.fromkeys(agents, "nothing")
    for turn in range(4):  # all at once, each its own way
        wanted = {agent: ways[agent][(turn + place) % len(ways[agent])] for place, agent in enumerate(agents)}
        for agent in agents:
            table.push(agent, wanted[agent], down=True)
        assert table.tick() == wanted
        for agent in agents:
            table.push(agent, wanted[agent], down=False)
        assert table.tick() == dict.fromkeys(agents, "nothing")
    for together in itertools.combinations(agents, 2):  # taps shorter than a tick, of two people out of four
        for down in (True, False):
            for agent in together:
                table.push(agent, ways[agent][0], down=down)
        assert table.tick() == {agent: ways[agent][0] if agent in together else "nothing" for agent in agents}
        assert table.tick() == dict.fromkeys(agents, "nothing")
