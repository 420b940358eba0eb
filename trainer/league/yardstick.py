"""Yardstick: evaluation of learning policies against opponents that stay the same for a whole run.

Its metric `yardstick` is the mean win rate against all of them, or in a game of one team the score; unlike results
against the run's own pool, which grows stronger too, it tells the checkpoints of a run apart, and runs from each other.
"""

from __future__ import annotations

import copy
import itertools
import time
from collections.abc import Callable, Collection, Generator, Mapping
from statistics import fmean
from typing import Any

from agents.errors import UserError
from agents.policies.batch import BatchPolicy
from agents.policies.held import HeldActions, HeldBatch
from agents.policies.random import RandomBatch
from agents.snapshots.store import SnapshotStore
from arcade.games.spec import GameSpec
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.opponents import SCRIPTED, find_snapshot, fitting, make_policy
from arcade.match.batch.sides import Side, SideResult, play_sides, policies_of, win_rate
from arcade.match.batch.vector_env import VectorEnv
from trainer.config import FIRST, LADDER, RUN_OPPONENTS, YARDSTICK, ConfigError
from trainer.config.sections import EvaluationSettings, WrapperSettings
from trainer.networks.seat import NetworkBatch, SeatNetwork
from trainer.sampling.plan import Policy, PolicyPlan

ALONE = "alone"

LADDER_PLAYERS = 2
"""Rated snapshots that a run is measured against."""


class Yardstick:
    """Plays each opponent in turn, with the policies on each team in turn; with one team, measures their score.

    The policies follow the `rules` that they are trained by.  Raises ConfigError for an unknown opponent;
    ``scripted`` is left out in a game without one.  ``first`` and ``ladder`` are chosen at the first `begin`, and
    `as_data` keeps the choice for a run that is resumed.
    """

    def __init__(
        self, settings: EvaluationSettings, spec: GameSpec, plan: PolicyPlan, store: SnapshotStore, *,
        seed: int, say: Callable[[str], None], rules: WrapperSettings | None = None,
    ) -> None:  # fmt: skip
        self._rules = rules or WrapperSettings()
        self._games, self._spec, self._plan, self._seed, self._say = settings.games, spec, plan, seed, say
        self._settings, self._store = settings, store
        self._opponents = self._make_opponents() if settings.steps else {}
        self._chosen: dict[str, Any] | None = None  # first: policy id to name; ladder: names
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
            self._choose(data["chosen"].get(FIRST, {}), data["chosen"].get(LADDER, ()))

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
        player = NetworkBatch(network)
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
                    played += yield from play_sides(self._spec, players, side, games=games, seed=self._seed)
            except UserError as error:
                self._say(f"{word} is dropped from evaluation: {error}")
                del self._opponents[word]
                figures = {}
            else:
                figures = self._figures(word, played)
                whole.append(figures["score_alone"] if word == ALONE else figures[f"win_rate_{word}"])
            if word == last:
                self.measurement = None  # over with these figures, so that the next one can begin
                figures |= {YARDSTICK: fmean(whole)} if whole else {}
            yield figures

    def _figures(self, word: str, played: list[SideResult]) -> dict[str, float]:
        """Over all games, and by policy where the teams have different ones."""
        if word == ALONE:
            totals = [fmean(game.result.returns.values()) for game in played]
            return {"score_alone": fmean(totals)}
        figures = {f"win_rate_{word}": win_rate(played)}
        by_policy: dict[str, list[SideResult]] = {}
        for game in played:
            by_policy.setdefault(self._plan.policy_of[self._spec.teams[game.team][0]], []).append(game)
        if len(by_policy) > 1:
            figures |= {f"win_rate_{word}/{id}": win_rate(own) for id, own in by_policy.items()}
        return figures

    def _make_opponents(self) -> dict[str, list[Side]]:
        """The opponents by seat words, each of one side; those that the run chooses come later."""
        if len(self._spec.teams) < 2:
            return {ALONE: [RandomBatch([])]}  # never asked
        words = [word for word in self._settings.against if word not in RUN_OPPONENTS]
        words = [word for word in words if word != SCRIPTED or self._spec.scripted]
        with make_vector_env(self._spec, 1) as env:
            try:
                return {
                    word: [make_policy(word, self._spec, env.places, find_snapshot(word, env, self._store))]
                    for word in words
                }
            except UserError as error:
                raise ConfigError(f"evaluation.against: {error}") from error

    def _choose(self, first: Mapping[str, str], ladder: Collection[str] | None = None) -> None:
        """Take the first snapshots, by policy id, and those of the ladder, by default the best rated."""
        self._chosen = {}
        if ALONE in self._opponents or not self._settings.steps:
            return
        with make_vector_env(self._spec, 1) as env:
            if FIRST in self._settings.against and first.keys() >= set(self._plan.policy_of.values()):
                made = {id: player for id, name in first.items() if (player := self._snapshot_player(name, env))}
                if made.keys() == first.keys():
                    self._opponents[FIRST] = [{a: made[id] for a, id in self._plan.policy_of.items()}]
                    self._chosen[FIRST] = dict(first)
            if LADDER in self._settings.against:
                names = self._rated(env, without=first.values()) if ladder is None else ladder
                players = {name: player for name in names if (player := self._snapshot_player(name, env))}
                if players:
                    self._opponents[LADDER] = list(players.values())
                    self._chosen[LADDER] = list(players)

    def _snapshot_player(self, name: str, env: VectorEnv) -> BatchPolicy | None:
        try:
            return make_policy(name, self._spec, env.places, self._store.get(name, game=self._spec.id))
        except UserError as error:
            self._say(f"{name} is left out of evaluation: {error}")
            return None

    def _rated(self, env: VectorEnv, *, without: Collection[str]) -> list[str]:
        """The names of the best rated snapshots that can play every seat."""
        names = (card.name for card in self._store.list_rated(self._spec.id) if card.name not in without)
        return list(itertools.islice((name for name in names if self._plays_all(name, env)), LADDER_PLAYERS))

    def _plays_all(self, name: str, env: VectorEnv) -> bool:
        try:
            return fitting(name, self._store.get(name, game=self._spec.id), env) == list(env.agents)
        except UserError:
            return False
