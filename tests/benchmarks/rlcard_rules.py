"""The rule players of RLCard in the poker games of the catalogue.

`python:tests.benchmarks.rlcard_rules:Leduc`, `:Limit` and `:NoLimit` are their seat words.  RLCard has none for hold'em
without limits: there its player with limits raises by half the pot.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import rlcard
from rlcard.models.leducholdem_rule_models import LeducHoldemRuleAgentV1
from rlcard.models.limitholdem_rule_models import LimitholdemRuleAgentV1

from agents.seats.controller import SeatSpec

_LIMIT = {"call": 0, "raise": 1, "fold": 2, "check": 3}
_NO_LIMIT = {"fold": 0, "call": 1, "check": 1, "raise": 2}
_CARDS = 52


class RulePlayer:
    """Asks a rule player of RLCard with the state as RLCard writes it."""

    rules: Any
    actions: Mapping[str, int] = _LIMIT

    def __init__(self, seat: SeatSpec, rng: np.random.Generator) -> None:
        self._hand: list[str] = []

    def __call__(self, observation: Any, action_mask: Any) -> int:
        legal = [name for name, action in self.actions.items() if action_mask[action]]
        said = self.rules.step({"raw_obs": self.state(observation), "raw_legal_actions": legal})
        if said not in legal:
            said = "check" if "check" in legal else "fold"  # as RLCard's env decides
        return self.actions[said]

    def state(self, observation: Any) -> dict[str, Any]:
        """The cards; only two of them are seen before any is common."""
        cards = [_names()[place] for place in np.flatnonzero(observation[:_CARDS])]
        if len(cards) == 2:
            self._hand = cards
        return {"hand": self._hand, "public_cards": [card for card in cards if card not in self._hand]}


class Limit(RulePlayer):
    """Texas hold'em with limits."""

    rules = LimitholdemRuleAgentV1()


class NoLimit(Limit):
    """Texas hold'em without limits."""

    actions = _NO_LIMIT


class Leduc(RulePlayer):
    """Leduc hold'em: raises as often as it may; RLCard's second version reads suits for ranks and always folds."""

    rules = LeducHoldemRuleAgentV1()

    def state(self, observation: Any) -> dict[str, Any]:
        """Nothing: it looks at no card."""
        return {}


@cache
def _names() -> tuple[str, ...]:
    """RLCard's names of the cards, in the order of its observations."""
    table = Path(rlcard.__path__[0], "games", "limitholdem", "card2index.json").read_text(encoding="utf-8")
    places: dict[str, int] = json.loads(table)
    return tuple(sorted(places, key=lambda name: places[name]))
