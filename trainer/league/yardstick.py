"""Yardstick: evaluation of learning policies against fixed opponents."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Generator
from statistics import fmean

from agents.errors import UserError
from agents.policies.batch import BatchPolicy
from agents.policies.held import HeldActions, HeldBatch
from agents.policies.random import RandomBatch
from agents.snapshots.store import SnapshotStore
from arcade.games.spec import GameSpec
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.opponents import SCRIPTED, find_snapshot, make_policy
from arcade.match.batch.sides import Side, SideResult, play_sides, win_rate
from trainer.config import ConfigError
from trainer.config.sections import EvaluationSettings, WrapperSettings
from trainer.networks.seat import NetworkBatch, SeatNetwork
from trainer.sampling.plan import Policy, PolicyPlan

ALONE = "alone"


class Yardstick:
    """Plays each opponent in turn, with the policies on each team in turn; with one team, measures their score.

    The policies follow the `rules` that they are trained by.  Raises ConfigError for an unknown opponent;
    ``scripted`` is left out in a game without one.
    """

    def __init__(
        self, settings: EvaluationSettings, spec: GameSpec, plan: PolicyPlan, store: SnapshotStore, *,
        seed: int, say: Callable[[str], None], rules: WrapperSettings | None = None,
    ) -> None:  # fmt: skip
        self._rules = rules or WrapperSettings()
        self._games, self._spec, self._plan, self._seed, self._say = settings.games, spec, plan, seed, say
        self._opponents = self._make_opponents(settings, store) if settings.steps else {}
        self.measurement: Generator[dict[str, float] | None, None, None] | None = None  # under way

    def begin(self, network: Callable[[str], SeatNetwork]) -> None:
        """Measure the current networks, by policy id, unless a measurement is under way."""
        if self.measurement is None:
            policies = dict.fromkeys(self._plan.policy_of.values())
            players = {id: self._player(copy.deepcopy(network(id)), self._plan[id]) for id in policies}
            self.measurement = self._measure({agent: players[id] for agent, id in self._plan.policy_of.items()})

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
        for opponent in self._opponents.values():
            opponent.close()
        if self.measurement is not None:
            self.measurement.close()

    def _player(self, network: SeatNetwork, policy: Policy) -> BatchPolicy:
        rules, space = self._rules, policy.action_space
        start = int(space.start) if policy.masked else 0
        held = HeldActions(frame_skip=rules.frame_skip, sticky_actions=rules.sticky_actions, start=start)
        player = NetworkBatch(network)
        return HeldBatch(player, held) if held.any else player

    def _measure(self, players: Side) -> Generator[dict[str, float] | None, None, None]:
        """Yield the figures of each opponent, and None after each tick before."""
        opponents = list(self._opponents.items())
        for word, opponent in opponents:
            try:
                played = yield from play_sides(self._spec, players, opponent, games=self._games, seed=self._seed)
                if word == opponents[-1][0]:
                    self.measurement = None  # over with these figures, so that the next one can begin
                yield self._figures(word, played)
            except UserError as error:
                self._say(f"{word} is dropped from evaluation: {error}")
                del self._opponents[word]

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

    def _make_opponents(self, settings: EvaluationSettings, store: SnapshotStore) -> dict[str, BatchPolicy]:
        if len(self._spec.teams) < 2:
            return {ALONE: RandomBatch([])}  # never asked
        words = [word for word in settings.against if word != SCRIPTED or self._spec.batch_scripted]
        with make_vector_env(self._spec, 1) as env:
            try:
                return {w: make_policy(w, self._spec, env.places, find_snapshot(w, env, store)) for w in words}
            except UserError as error:
                raise ConfigError(f"evaluation.against: {error}") from error
