"""RuledActions: applies a stage's rules to the actions that it is sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from agents.seats.controller import Action, AgentID
from agents.spaces import is_legal
from arcade.match.stage.digest import same_value
from arcade.match.stage.rules import StageRules
from arcade.match.stage.tick import Tick


class RuledActions:
    """The executed actions of one episode that begins with the tick `first`; chance follows from the episode's seed."""

    def __init__(self, rules: StageRules, seed: int, first: Tick, spaces: Mapping[AgentID, tuple[Any, Any]]) -> None:
        self._rules, self._newest, self._spaces = rules, first, spaces
        self._rng = np.random.default_rng((seed, 0x571C))  # not what the game, or a seat, draws from that seed
        self._done: dict[AgentID, Action] = {}

    def step(self, sent: Mapping[AgentID, Action], play: Callable[[Mapping[AgentID, Action]], Tick]) -> Tick:
        """The Tick that `play` makes of the executed actions; it holds those that differ from `sent`."""
        done = self._executed(sent)
        self._newest = play(done)
        self._newest.executed = {
            agent: action for agent, action in done.items()
            if action is not sent[agent] and not same_value(action, sent[agent])
        }  # fmt: skip
        return self._newest

    def _executed(self, sent: Mapping[AgentID, Action]) -> dict[AgentID, Action]:
        """The action to execute for `sent`; a repeated one must be legal now."""
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
