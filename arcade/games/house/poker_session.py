"""Poker sessions: hands of PettingZoo's hold'em games played one after another for the same stacks.

`leduc_holdem`, `texas_holdem` and `texas_holdem_no_limit` return PettingZoo's own env for one hand, and a
`PokerSession` of it for more.  Observation and action spaces are those of one hand, so a policy plays both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.classic import leduc_holdem_v4, texas_holdem_no_limit_v6, texas_holdem_v4
from pettingzoo.utils import wrappers

STACK = 100  # chips of each player before the first hand, fifty big blinds


def make_session(module: Any, *, hands: int = 1, **settings: Any) -> AECEnv:
    """Return `hands` hands of PettingZoo's `module`; one hand is its own env."""
    if hands < 1:
        raise ValueError(f"expected at least 1 hand, got: {hands}")
    if hands == 1:
        return module.env(**settings)
    env: AECEnv = PokerSession(module.raw_env(**settings), hands=hands)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)  # as PettingZoo wraps one hand
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)


leduc_holdem = partial(make_session, leduc_holdem_v4)
texas_holdem = partial(make_session, texas_holdem_v4)
texas_holdem_no_limit = partial(make_session, texas_holdem_no_limit_v6)


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """A hand that is over."""

    engine: Any  # RLCard's env in its last state
    stacks: tuple[int, ...]  # of each player after it
    won: tuple[int, ...]  # chips of each player, below 0: lost


class PokerSession(AECEnv):  # type: ignore[misc]  # pettingzoo is not typed
    """Plays up to `hands` hands, until a player cannot pay the big blind.

    Every player begins with `STACK` chips, and the blinds move on by one seat a hand.  Rewards are the chips won in a
    hand, at its end.  A player loses at most the own stack: in the games with limits, whose bets know no stacks, the
    chips bet beyond it go back; without limits no player can bet more than the richest other player can call.
    """

    def __init__(self, hand: Any, *, hands: int) -> None:
        """`hand`: PettingZoo's raw env of one hand."""
        super().__init__()
        self.hand, self.hands = hand, hands
        self.metadata, self.render_mode = hand.metadata, hand.render_mode
        self.possible_agents = list(hand.possible_agents)
        self.observation_spaces, self.action_spaces = hand.observation_spaces, hand.action_spaces
        self.stacks: tuple[int, ...] = ()  # before the hand, and after the last one
        self.number = 0  # of the hand, from 1
        self.agent_selection: str = self.possible_agents[0]
        self.finished: FinishedHand | None = None  # the hand before, and the last one at the end
        self._seeds = np.random.default_rng()
        self._most = 2**31  # seeds of a hand
        self._first = 0  # the small blind of the first hand

    @property
    def engine(self) -> Any:
        """RLCard's env of the hand."""
        return self.hand.env

    @property
    def over(self) -> bool:
        """Whether the session has ended."""
        return bool(self.engine.is_over())

    @property
    def small_blind(self) -> int:
        """The place of the player with the small blind; the next one has the big blind."""
        return (self._first + self.number - 1) % len(self.possible_agents)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Any:
        return self.hand.observe(agent)

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a session that `seed` determines; without one, the next of the last seed."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
            self._most = 2**31 if seed < 2**32 else 2**63  # else one could be found by trying all
        players = len(self.possible_agents)
        self.agents = self.possible_agents[:]
        self.rewards, self._cumulative_rewards = dict.fromkeys(self.agents, 0), dict.fromkeys(self.agents, 0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.stacks, self.number, self.finished = (STACK,) * players, 0, None
        self._first = int(self._seeds.integers(players))
        self._deal()

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0
        self._clear_rewards()
        self.hand.step(action)
        self.agent_selection = self.hand.agent_selection
        if self.engine.is_over():
            self._end_hand()
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> Any:
        return self.hand.render()

    def close(self) -> None:
        self.hand.close()

    def _deal(self) -> None:
        """Deal the next hand, from a seed of its own, with the blinds where they are due."""
        self.number += 1
        self.hand.reset(seed=int(self._seeds.integers(self._most)))
        game, players = self.engine.game, len(self.possible_agents)
        if hasattr(game, "init_chips"):  # no limit: it deals again with these stacks and this dealer
            game.init_chips = [min(stack, STACK, _richest_other(self.stacks, i)) for i, stack in enumerate(self.stacks)]
            game.dealer_id = (self.small_blind - 1) % players
            self.hand.reset()
        while game.players[self.small_blind].in_chips != game.small_blind:
            self.hand.reset()  # the games with limits draw the blinds with the cards
        self.agent_selection = self.hand.agent_selection

    def _end_hand(self) -> None:
        """Pay out the hand, then deal the next one or end the session."""
        won = settle(chips_won(self.engine), self.stacks)
        self.stacks = tuple(stack + chips for stack, chips in zip(self.stacks, won, strict=True))
        self.rewards = dict(zip(self.possible_agents, won, strict=True))
        self.finished = FinishedHand(self.engine, self.stacks, won)
        if self.number < self.hands and min(self.stacks) >= self.engine.game.big_blind:
            self._deal()
        else:
            self.terminations = dict.fromkeys(self.agents, True)


def chips_won(engine: Any) -> tuple[int, ...]:
    """Return the chips that each player won in a hand that is over, as RLCard counts; below 0: lost."""
    in_blinds = engine.name != "no-limit-holdem"  # it pays out two of its games in big blinds
    return tuple(round(float(won) * (engine.game.big_blind if in_blinds else 1)) for won in engine.get_payoffs())


def settle(won: tuple[int, ...], stacks: tuple[int, ...]) -> tuple[int, ...]:
    """Return the chips that change hands where no player can lose more than the own stack.

    The winners share what is paid by what they won; chips that do not divide go to the first of them.
    """
    paid = [min(-chips, stack) if chips < 0 else 0 for chips, stack in zip(won, stacks, strict=True)]
    total = sum(chips for chips in won if chips > 0)
    got = [sum(paid) * chips // total if chips > 0 else 0 for chips in won]
    if total:
        got[next(place for place, chips in enumerate(won) if chips > 0)] += sum(paid) - sum(got)
    return tuple(gain - loss for gain, loss in zip(got, paid, strict=True))


def _richest_other(stacks: tuple[int, ...], place: int) -> int:
    return max(stack for other, stack in enumerate(stacks) if other != place)
