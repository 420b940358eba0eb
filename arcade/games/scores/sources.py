"""Where scores are read: the env's infos, its rewards, the memory of an Atari 2600, or a function for one game."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from arcade.games.scores.score import Points, Reader, Step, Teams


@dataclass(frozen=True)
class Info:
    """An entry of the first agent's info: a number for each team."""

    key: str = "score"

    def begin(self, env: Any, teams: Teams) -> Reader:
        newest: Points = ()

        def read(step: Step) -> Points:
            nonlocal newest
            info = next(iter(step.infos.values()), None)  # none after an AEC game's last dead step
            if info:
                newest = tuple(info[self.key])
            return newest

        return read


@dataclass(frozen=True)
class Wins:
    """The positive rewards of each team's first agent, for games that pay the winner of each round or hand."""

    def begin(self, env: Any, teams: Teams) -> Reader:
        won = [0.0] * len(teams)
        first = [team[0] for team in teams]

        def read(step: Step) -> Points:
            for place, agent in enumerate(first):
                reward = step.rewards.get(agent, 0)
                if reward > 0:
                    won[place] += float(reward)
            return tuple(won)

        return read


@dataclass(frozen=True)
class Ram:
    """Bytes in the memory of an Atari 2600; the addresses are Multi-Agent-ALE's (src/games/supported/).

    Addresses are 0x80 to 0xFF; the 128 bytes are mirrored below.
    """

    teams: tuple[tuple[int, ...], ...]  # addresses of each team's bytes, the lowest digits first
    is_decimal: bool = True  # two digits a byte; False: binary
    times: int = 1  # the trailing zeros that the picture adds
    hundred: int = -1  # the byte that stands for 100

    def begin(self, env: Any, teams: Teams) -> Reader:
        ale = env.unwrapped.ale
        cells = tuple(tuple(address & 0x7F for address in team) for team in self.teams)

        def read(step: Step) -> Points:
            memory = ale.getRAM().tolist()
            return tuple([self._value([memory[cell] for cell in team]) for team in cells])

        return read

    def _value(self, data: list[int]) -> float:
        if data[0] == self.hundred:
            return 100
        if not self.is_decimal:
            return data[0] * self.times
        value = 0
        for byte in reversed(data):
            value = value * 100 + _digit(byte >> 4) * 10 + _digit(byte & 15)
        return value * self.times


def _digit(half: int) -> int:
    return half if half < 10 else 0  # blank


@dataclass(frozen=True)
class Entry:
    """A function ``begin(env, teams) -> Reader`` named as "module:function", for one game or a few."""

    name: str

    def begin(self, env: Any, teams: Teams) -> Reader:
        module, _, function = self.name.partition(":")
        reader: Reader = getattr(importlib.import_module(module), function)(env, teams)
        return reader
