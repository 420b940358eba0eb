"""Rules of play that a stage lays over any real-time game: sticky actions and frame skip.

Sticky actions are those of Machado et al. 2018 (arXiv 1709.06009): by chance a seat does again what it did last.  With
frame skip a seat decides at every n-th tick only, and what it does is held in between; the ticks themselves, and their
pictures, stay as many as they were.  Training's wrappers of the same names mean the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from agents.controller import Action, AgentID
from agents.errors import UserError
from agents.spaces import is_legal
from arcade.games.spec import GameSpec
from arcade.match.tick import Tick

MAX_SKIP = 16


class RulesError(UserError, ValueError):
    """Rules that are none, or that a game cannot be played by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRules:
    """What a stage does with the actions that it is sent; the default plays each as it comes."""

    sticky_actions: float = 0.0  # chance, at each decision, that a seat's last action is done again; 0 <= it < 1
    frame_skip: int = 1  # ticks from one decision to the next; 1 to 16

    def __post_init__(self) -> None:
        if not 0 <= self.sticky_actions < 1:
            raise RulesError(f"expected 0 <= sticky_actions < 1, got: {self.sticky_actions:g}")
        if not 1 <= self.frame_skip <= MAX_SKIP:
            raise RulesError(f"expected 1 <= frame_skip <= {MAX_SKIP}, got: {self.frame_skip}")

    @property
    def any(self) -> bool:
        """Whether there is a rule at all."""
        return self.sticky_actions > 0 or self.frame_skip > 1

    @property
    def words(self) -> str:
        """For people; "" where there is none."""
        sticky = f"sticky actions {self.sticky_actions:.3g}" if self.sticky_actions else ""
        skip = f"frame skip {self.frame_skip}" if self.frame_skip > 1 else ""
        return ", ".join(words for words in (sticky, skip) if words)

    def check(self, spec: GameSpec) -> None:
        """Raises RulesError where they mean nothing in that game."""
        if self.any and spec.turn_based:
            raise RulesError(f"expected no {self.words} in {spec.id}, which waits for each move; leave it out")

    def decides_at(self, index: int) -> bool:
        """Whether the action after tick `index` is a new one, and not held."""
        return index % self.frame_skip == 0

    def as_settings(self) -> dict[str, Any]:
        """For a match's settings: nothing where there is no rule."""
        return {"rules": asdict(self)} if self.any else {}


PLAIN = StageRules()
"""Every action is played as it comes."""


class RuledActions:
    """What is really done in one episode, `first` its reset; the dice follow from the episode's seed."""

    def __init__(self, rules: StageRules, seed: int, first: Tick, spaces: Mapping[AgentID, tuple[Any, Any]]) -> None:
        self._rules, self._newest, self._spaces = rules, first, spaces
        self._rng = np.random.default_rng((seed, 0x571C))  # not what the game, or a seat, draws from that seed
        self._done: dict[AgentID, Action] = {}

    def step(self, sent: Mapping[AgentID, Action], play: Callable[[Mapping[AgentID, Action]], Tick]) -> Tick:
        """The Tick that `play` makes of what is done, with that in it where it is not what was sent."""
        done = self._take(sent)
        self._newest = play(done)
        self._newest.executed = _difference(sent, done)
        return self._newest

    def _take(self, sent: Mapping[AgentID, Action]) -> dict[AgentID, Action]:
        """What comes of `sent`; what is done again must be legal now."""
        decides, chance = self._rules.decides_at(self._newest.index), self._rules.sticky_actions
        dice = self._rng.random(len(sent)) if decides and chance else None
        masks, done = self._newest.action_masks, dict(sent)
        for place, agent in enumerate(sent):
            again = self._done.get(agent)
            repeats = not decides or (dice is not None and dice[place] < chance)
            if repeats and again is not None and is_legal(again, self._spaces[agent][1], masks.get(agent)):
                done[agent] = again
        self._done |= done
        return done


def _difference(sent: Mapping[AgentID, Action], done: Mapping[AgentID, Action]) -> dict[AgentID, Action]:
    """What was done otherwise than sent."""
    return {agent: action for agent, action in done.items() if not _same(action, sent[agent])}


def _same(one: Action, other: Action) -> bool:
    return one is other or bool(np.array_equal(one, other))
