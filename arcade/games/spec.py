"""GameSpec: one entry of the catalogue, known without importing the game."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from agents.controller import AgentID

Outcome = Literal["versus", "cooperative", "mixed"]


class GameError(Exception):
    """A game that is not in the catalogue, cannot be imported, or does not keep PettingZoo's contract."""


@dataclass(frozen=True, kw_only=True)
class GameSpec:
    """What the arcade knows of a game before it is made."""

    id: str  # "family/name", or "module:function" for a third-party game
    title: str
    entry: str  # "module:function" that returns a ParallelEnv or an AECEnv; takes render_mode and `kwargs`
    agents: tuple[AgentID, ...]  # every agent that can ever take part, in seat order
    teams: tuple[tuple[AgentID, ...], ...]  # each agent in exactly one; one team: cooperative
    turn_based: bool  # True: the match waits for whoever is to act
    fps: float  # ticks a second at normal speed, the game's own render_fps
    outcome: Outcome = "versus"
    kwargs: Mapping[str, Any] = field(default_factory=dict)  # handed to the entry, e.g. {"team_size": 2}
    summary: str = ""  # one line: what a player does
    requires: tuple[str, ...] = ()  # modules that must be importable
    pip: str = ""  # what to install when one of them is not
    scripted: str = ""  # "module:function" -> (observation, mask, rng) -> action; "" where none ships
    batch: str = ""  # "module:Class" that steps many games at once; "" where there is none
    action_names: tuple[str, ...] = ()  # for Discrete spaces, index to words

    @property
    def family(self) -> str:
        return self.id.partition("/")[0] if "/" in self.id else "third-party"

    @property
    def seats(self) -> int:
        return len(self.agents)

    def team_of(self, agent: AgentID) -> int:
        """The index of the agent's team."""
        return next(i for i, team in enumerate(self.teams) if agent in team)

    def make(self, *, render_mode: str | None = None) -> Any:
        """Build the env (a ParallelEnv or an AECEnv, not yet reset); raises GameError saying how to mend it."""
        function = load_entry(self.entry, hint=self.pip)
        return function(render_mode=render_mode, **self.kwargs)


def load_entry(entry: str, *, hint: str = "") -> Any:
    """The object that ``module:function`` names; raises GameError with the pip line where a module is missing."""
    module_name, _, name = entry.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        mend = f"; install it with: pip install {hint}" if hint else ""
        raise GameError(f"expected to import {module_name!r}, got: {error}{mend}") from error
    if not hasattr(module, name):
        raise GameError(f"expected {module_name!r} to have a function {name!r}, got a module without it")
    return getattr(module, name)
