"""Yardstick: evaluation of learning policies against opponents that stay the same for a whole run.

Its metric `yardstick` is the mean win rate against all of them, or in a game of one team the mean score alone and with
each of them as partner; unlike results against the run's own pool, which grows stronger too, it tells the checkpoints
of a run apart, and runs from each other.
"""

from __future__ import annotations

import copy
import itertools
import time
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from statistics import fmean
from typing import Any

from agents.errors import UserError
from agents.policies.batch import BatchPolicy
from agents.policies.held import HeldActions, HeldBatch
from agents.policies.random import RandomBatch
from agents.seats.controller import AgentID
from agents.snapshots.store import SnapshotStore
from arcade.games.spec import GameSpec
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.opponents import SCRIPTED, find_snapshot, fitting, make_policy
from arcade.match.batch.sides import Side, SideResult, play_partners, play_sides, policies_of, win_rate
from arcade.match.batch.vector_env import VectorEnv
from trainer.config import FIRST, LADDER, NO_PARTNERS, RUN_OPPONENTS, YARDSTICK, ConfigError
from trainer.config.sections import EvaluationSettings, WrapperSettings
from trainer.networks.seat import NetworkBatch, SeatNetwork
from trainer.sampling.plan import Policy, PolicyPlan

ALONE = "alone"

LADDER_PLAYERS = 2
"""Rated snapshots that a run is measured against; of each seat, where not all can play every seat."""

Lineup = Sequence[str]
"""The name of a snapshot for each agent, in their order."""


class Yardstick:
    """Plays each opponent in turn, with the policies on each team in turn.

    With one team it measures the score of the policies alone, and with each other player in half of the seats, but
    for random moves and players of the ladder.  The policies follow the `rules` that they are trained by.  Raises
    ConfigError for an unknown opponent; ``scripted`` is left out in a game without one.  ``first`` and ``ladder`` are
    chosen at the first `begin`, and `as_data` keeps the choice for a run that is resumed.
    """

    def __init__(
        self, settings: EvaluationSettings, spec: GameSpec, plan: PolicyPlan, store: SnapshotStore, *,
        seed: int, say: Callable[[str], None], rules: WrapperSettings | None = None,
    ) -> None:  # fmt: skip
        self._rules = rules or WrapperSettings()
        self._games, self._spec, self._plan, self._seed, self._say = settings.games, spec, plan, seed, say
        self._settings, self._store, self._is_team = settings, store, len(spec.teams) < 2
        self._against = self._words()
        self._opponents = self._make_opponents() if settings.steps else {}
        self._chosen: dict[str, Any] | None = None  # first: policy id to name; ladder: lineups
        self.measurement: Generator[dict[str, float] | None, None, None] | None = None  # under way

    def begin(self, network: Callable[[str], SeatNetwork], *, first: Mapping[str, str] | None = None) -> None:
        """Measure the current networks, by policy id, unless a measurement is under way.

        `first` is the name of the run's first snapshot of each policy, by its id.
        """
        if self.measurement is not None:
            return
        if self._chosen is None:
            self._choose(dict(first or {}))
        policies = dict.fromkeys(self._plan.policy_of.values())
        players = {id: self._player(copy.deepcopy(network(id)), self._plan[id]) for id in policies}
        self.measurement = self._measure({agent: players[id] for agent, id in self._plan.policy_of.items()})

    def as_data(self) -> dict[str, Any]:
        """The opponents that the run has chosen."""
        return {"chosen": self._chosen}

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore `as_data`."""
        if data["chosen"] is not None:
            chosen, seats = data["chosen"], self._spec.seats  # earlier runs kept one name for all seats
            ladder = [[one] * seats if isinstance(one, str) else one for one in chosen.get(LADDER, ())]
            self._choose(chosen.get(FIRST, {}), ladder)

    def work(self, seconds: float) -> dict[str, float]:
        """Play for about `seconds`; returns the figures of an opponent once all games with it are over."""
        end = time.monotonic() + seconds
        for figures in self.measurement or ():
            if figures or time.monotonic() >= end:
                return figures or {}
        self.measurement = None
        return {}

    def close(self) -> None:
        """Drop running games; twice does no harm."""
        for policy in {
            id(policy): policy for sides in self._opponents.values() for side in sides for policy in policies_of(side)
        }.values():
            policy.close()
        if self.measurement is not None:
            self.measurement.close()

    def _player(self, network: SeatNetwork, policy: Policy) -> BatchPolicy:
        rules, space = self._rules, policy.action_space
        start = int(space.start) if policy.masked else 0
        held = HeldActions(frame_skip=rules.frame_skip, sticky_actions=rules.sticky_actions, start=start)
        player = NetworkBatch(network, obs_type=self._spec.learnt_obs_type)
        return HeldBatch(player, held) if held.any else player

    def _measure(self, players: Side) -> Generator[dict[str, float] | None, None, None]:
        """Yield the figures of each opponent, and None after each tick before; those of all come with the last."""
        opponents, whole = list(self._opponents.items()), list[float]()
        last = opponents[-1][0] if opponents else ""
        for word, sides in opponents:
            played: list[SideResult] = []
            try:
                for side in sides:
                    games = -(-self._games // len(sides))
                    played += yield from self._play(word, players, side, games)
            except UserError as error:
                self._say(f"{word} is dropped from evaluation: {error}")
                del self._opponents[word]
                figures = {}
            else:
                figures = self._figures(word, played)
                whole.append(next(iter(figures.values())))
            if word == last:
                self.measurement = None  # over with these figures, so that the next one can begin
                figures |= {YARDSTICK: fmean(whole)} if whole else {}
            yield figures

    def _play(self, word: str, players: Side, side: Side, games: int) -> Generator[None, None, list[SideResult]]:
        if self._is_team and word != ALONE:
            return play_partners(self._spec, players, side, games=games, seed=self._seed)
        return play_sides(self._spec, players, side, games=games, seed=self._seed)

    def _figures(self, word: str, played: list[SideResult]) -> dict[str, float]:
        """Over all games, which come first, and by policy where the teams have different ones."""
        if self._is_team:
            score = fmean(fmean(game.result.returns.values()) for game in played)
            return {f"score_{ALONE}" if word == ALONE else f"score_with_{word}": score}
        figures = {f"win_rate_{word}": win_rate(played)}
        by_policy: dict[str, list[SideResult]] = {}
        for game in played:
            by_policy.setdefault(self._plan.policy_of[self._spec.teams[game.team][0]], []).append(game)
        if len(by_policy) > 1:
            figures |= {f"win_rate_{word}/{id}": win_rate(own) for id, own in by_policy.items()}
        return figures

    def _words(self) -> list[str]:
        """The players to measure against, or as partners where there are seats for them."""
        if not self._is_team:
            return list(self._settings.against)
        return [word for word in self._settings.against if word not in NO_PARTNERS and self._spec.seats > 1]

    def _make_opponents(self) -> dict[str, list[Side]]:
        """The opponents by seat words, each of one side; those that the run chooses come later."""
        made: dict[str, list[Side]] = {ALONE: [RandomBatch([])]} if self._is_team else {}  # never asked
        words = [word for word in self._against if word not in RUN_OPPONENTS]
        words = [word for word in words if word != SCRIPTED or self._spec.scripted]
        with make_vector_env(self._spec, 1) as env:
            try:
                for word in words:
                    made[word] = [make_policy(word, self._spec, env.places, find_snapshot(word, env, self._store))]
            except UserError as error:
                raise ConfigError(f"evaluation.against: {error}") from error
        return made

    def _choose(self, first: Mapping[str, str], ladder: Sequence[Lineup] | None = None) -> None:
        """Take the first snapshots, by policy id, and those of the ladder, by default the best rated."""
        self._chosen = {}
        if not self._settings.steps:
            return
        with make_vector_env(self._spec, 1) as env:
            if FIRST in self._against and first.keys() >= set(self._plan.policy_of.values()):
                made = {id: player for id, name in first.items() if (player := self._snapshot_player(name, env))}
                if made.keys() == first.keys():
                    self._opponents[FIRST] = [{a: made[id] for a, id in self._plan.policy_of.items()}]
                    self._chosen[FIRST] = dict(first)
            if LADDER in self._against:
                lineups = self._rated(env, without=first.values()) if ladder is None else ladder
                names = dict.fromkeys(itertools.chain(*lineups))
                players = {name: player for name in names if (player := self._snapshot_player(name, env))}
                whole = [list(lineup) for lineup in lineups if players.keys() >= set(lineup)]
                if whole:
                    sides = [zip(env.agents, lineup, strict=True) for lineup in whole]
                    self._opponents[LADDER] = [{agent: players[name] for agent, name in side} for side in sides]
                    self._chosen[LADDER] = whole

    def _snapshot_player(self, name: str, env: VectorEnv) -> BatchPolicy | None:
        try:
            return make_policy(name, self._spec, env.places, self._store.get(name, game=self._spec.id))
        except UserError as error:
            self._say(f"{name} is left out of evaluation: {error}")
            return None

    def _rated(self, env: VectorEnv, *, without: Collection[str]) -> list[Lineup]:
        """The best rated snapshots of every seat, then the second best, …; none where a seat has no rated one."""
        best: dict[AgentID, list[str]] = {agent: [] for agent in env.agents}
        for card in self._store.list_rated(self._spec.id):
            wanted = {agent for agent, names in best.items() if len(names) < LADDER_PLAYERS and card.plays(agent)}
            if not wanted or card.name in without:
                continue
            for agent in wanted.intersection(self._fitting(card.name, env)):
                best[agent].append(card.name)
        if not all(best.values()):
            return []
        ranks = range(max(map(len, best.values())))
        return [[names[min(rank, len(names) - 1)] for names in best.values()] for rank in ranks]

    def _fitting(self, name: str, env: VectorEnv) -> list[AgentID]:
        try:
            return fitting(name, self._store.get(name, game=self._spec.id), env)
        except UserError:
            return []
