"""SelfPlayRunner: RLlib's EnvRunner over a vectorised env, with learning policies and opponents in its seats."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import ray
import torch
from numpy.typing import NDArray
from ray.rllib.core import COMPONENT_RL_MODULE
from ray.rllib.env import INPUT_ENV_SPACES
from ray.rllib.env.env_runner import EnvRunner
from ray.rllib.utils.checkpoints import Checkpointable
from ray.rllib.utils.metrics import (
    NUM_AGENT_STEPS_SAMPLED_LIFETIME,
    NUM_ENV_STEPS_SAMPLED,
    NUM_ENV_STEPS_SAMPLED_LIFETIME,
)

from agents.snapshots.store import Snapshot
from arcade.games.spec import GameSpec
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.opponents import LIVE, Opponents
from arcade.match.batch.vector_env import flat
from arcade.match.stage.rules import StageRules
from trainer.config import RunConfig
from trainer.config.algorithms.alphazero import AlphaZeroSettings
from trainer.networks.modules import CRITIC
from trainer.networks.seat import SeatNetwork
from trainer.sampling.board_models import RunningGames
from trainer.sampling.central_state import CentralState, is_central
from trainer.sampling.episodes import EpisodeResult, Episodes, OpponentMix
from trainer.sampling.learning_seats import LearningSeats, Networks
from trainer.sampling.plan import Policy, make_plan
from trainer.sampling.rollout import Decisions
from trainer.sampling.searching_seats import SearchingSeats
from trainer.sampling.spectated_game import SpectatedGame
from trainer.sampling.starts import RecordedStarts

SWITCH_SECONDS = 0.0005
"""After so long the thread that plays ahead lets a fragment leave; Python's own 5 ms are a tenth of an iteration."""

Equipment = tuple[Mapping[str, OpponentMix], Mapping[str, Snapshot], bool, Networks]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The news of a runner since its last report, and its opponents."""

    results: list[EpisodeResult] = field(default_factory=list)
    moves: list[dict[str, Any]] = field(default_factory=list)  # pieces of the SpectatedGame
    alive: frozenset[str] = frozenset()  # names of the opponents in running episodes
    dropped: Mapping[str, str] = field(default_factory=dict)  # opponent to the error
    runner: int = 0  # its number
    generator: Mapping[str, Any] = field(default_factory=dict)  # the state of its random generator


class SelfPlayRunner(EnvRunner, Checkpointable):
    """Each `sample` plays a fragment of `RunConfig.ticks` ticks; games continue from one fragment to the next."""

    def __init__(self, *, config: Any, **kwargs: Any) -> None:
        super().__init__(config=config, **kwargs)
        settings = self.config.env_config
        self.spec: GameSpec = settings["spec"]
        self.run: RunConfig = RunConfig.model_validate(settings["run"])
        torch.set_num_threads(self.run.resources.threads)
        self.rng = np.random.default_rng([self.run.seed, self.worker_index or 0])
        self.references: Networks = {}
        self.make_env()
        self.make_module()

    def make_env(self) -> None:
        """Make the envs; their games begin with the first `sample`."""
        wrappers = self.run.wrappers
        rules = StageRules(sticky_actions=wrappers.sticky_actions, frame_skip=wrappers.frame_skip)
        self.batch = make_vector_env(self.spec, self.run.resources.games, rules=rules, max_ticks=wrappers.max_ticks)
        self.env: Any = self.batch  # by RLlib's name
        self.plan = make_plan(self.run.policies, self.batch, league=self.run.opponents.league)
        self.opponents = Opponents(self.spec, self.batch.places, games=self.batch.num_envs, show=self.batch.shown)
        self.episodes = Episodes(self.spec, self.plan, self.opponents, num_envs=self.batch.num_envs)
        self.searched = self._make_searched()
        self._begun = False
        recorded = self.config.env_config.get("starts", ())
        self.starts = RecordedStarts(recorded, self.run.start_from_recordings, self.batch, self.rng)
        self.spectated = SpectatedGame(self.batch)
        self._actions = [group.no_actions() for group in self.batch.groups]

    def make_module(self) -> None:
        """Build the networks of all policies; `set_state` sets their weights."""
        self.module: Any = self.config.get_multi_rl_module_spec(spaces=self.get_spaces(), inference_only=True).build()
        self.central = CentralState(self.run, self.batch, self.network(CRITIC)) if is_central(self.run) else None
        self.seats = [self._make_seats(policy) for policy in self.plan.policies]

    def _make_searched(self) -> RunningGames | None:
        searches = isinstance(self.run.training, AlphaZeroSettings)
        return RunningGames(self.spec, self.batch.num_envs) if searches else None

    def _make_seats(self, policy: Policy) -> LearningSeats:
        network, learns = self.network(policy.id), policy.id in self.plan.trained
        if self.searched is not None:
            return SearchingSeats(self.run, policy, network, self.batch, learns=learns, games=self.searched)
        return LearningSeats(self.run, policy, network, self.batch, learns=learns, central=self.central)

    def network(self, policy: str) -> SeatNetwork:
        """The network of a policy, or of the centralised critic."""
        network: SeatNetwork = self.module[policy].network
        return network

    def get_spaces(self) -> dict[str, Any]:
        spaces = {policy.id: (policy.observation_space, policy.action_space) for policy in self.plan.policies}
        first = self.plan.policies[0].id
        return {INPUT_ENV_SPACES: spaces[first], **spaces}

    def assert_healthy(self) -> None:
        assert self.module is not None

    def sample(self, **kwargs: Any) -> list[Decisions]:
        """The next fragment, which is counted in RLlib's metrics."""
        return [self._count(self.fragment())]

    def fragment(self, weights: dict[str, Any] | None = None) -> Decisions:
        """The next fragment: the decisions closed in it, in the layout of the algorithm; with new `weights`, if any."""
        if weights is not None:
            self.set_state(weights)
        return self._next()

    def _next(self) -> Decisions:
        return self._play()

    def _play(self) -> Decisions:
        """Play a fragment without touching weights or RLlib's metrics."""
        self._begin_once()
        columns: dict[str, dict[str, NDArray[Any]]] = {}
        ticks = 0
        while not columns:  # a short fragment of a turn-based game that closes no decision is extended
            for _ in range(self.run.ticks):
                self._advance()
            ticks += self.run.ticks
            columns = {seats.policy.id: rows for seats in self.seats if (rows := seats.pop_rows())}
        states = None if self.central is None else self.central.pop([seats.buffer for seats in self.seats])
        self.num_env_steps_sampled_lifetime += ticks * self.batch.num_envs
        return Decisions(columns, ticks * self.batch.num_envs, states)

    def _count(self, decisions: Decisions) -> Decisions:
        """Log a fragment in RLlib's metrics."""
        steps = decisions.env_steps
        self.metrics.log_value(NUM_ENV_STEPS_SAMPLED, steps, reduce="sum")
        self.metrics.log_value(NUM_ENV_STEPS_SAMPLED_LIFETIME, steps, reduce="lifetime_sum")
        for seats in self.seats:  # all of them: DQN reads the metrics before the first decision is closed
            columns = decisions.columns.get(seats.policy.id, {})
            count = len(next(iter(columns.values()), ()))
            self.metrics.log_value((NUM_AGENT_STEPS_SAMPLED_LIFETIME, seats.policy.id), count, reduce="lifetime_sum")
        return decisions

    def get_metrics(self) -> Any:
        return self.metrics.reduce()

    def prepare(
        self, mixes: Mapping[str, OpponentMix], snapshots: Mapping[str, Snapshot | ray.ObjectRef[Snapshot]], *,
        watched: bool = False,
    ) -> None:  # fmt: skip
        """Set the opponents of episodes that begin from now on; `snapshots`, or references of them, include all that
        the runner does not have.

        While `watched`, the moves of one game of one runner are reported.
        """
        needed = {name for mix in mixes.values() for name in mix.names}
        missing = {name: taken(one) for name, one in snapshots.items() if name not in self.opponents.snapshots}
        self.opponents.hold(missing, needed=needed | self.episodes.alive())
        self.episodes.set_mixes(mixes)
        self.spectated.turn(watched and (self.worker_index or 0) <= 1)

    def equipment(self) -> Equipment:
        """All that the driver has set besides weights, for `equip` of a runner that replaces a lost one."""
        return self.episodes.mixes, dict(self.opponents.snapshots), self.spectated.on, self.references

    def equip(self, equipment: Equipment) -> None:
        """Follow the `equipment` of another runner."""
        mixes, snapshots, watched, references = equipment
        self.prepare(mixes, snapshots, watched=watched)
        self.set_references(references)

    def set_references(self, networks: Networks) -> None:
        """Set the reference networks of the KL penalty."""
        self.references = networks
        for seats in self.seats:
            if seats.reference is not None:
                seats.reference.use(networks.get(seats.policy.id))

    def pop_report(self) -> Report:
        """The report since the last call."""
        return Report(
            results=self.episodes.pop_results(), moves=self.spectated.pop_pieces(), alive=self.episodes.alive(),
            dropped=dict(self.opponents.dropped), runner=self.worker_index or 0,
            generator=self.rng.bit_generator.state,
        )  # fmt: skip

    def recent_observations(self, policy: str, rows: int) -> tuple[NDArray[Any], NDArray[np.int8] | None]:
        """At most `rows` current observations of the policy's seats, with their masks."""
        self._begin_once()
        group = self.batch.groups[self.plan[policy].group]
        places = [i for i, agent in enumerate(group.agents) if agent in self.plan[policy].agents]
        seen = flat(group.observations[:, places])[:rows]
        return seen, None if group.masks is None else flat(group.masks[:, places])[:rows]

    def _begin_once(self) -> None:
        if not self._begun:
            self._begun = True
            self._begin(np.arange(self.batch.num_envs))

    def _begin(self, envs: NDArray[np.intp]) -> None:
        """Begin new episodes: opponents, sides and seeds."""
        if not len(envs):
            return
        self.episodes.begin(envs, self.rng)
        learner = self.episodes.learner[envs]
        for index, seats in enumerate(self.seats):
            seats.begin(envs, learner[:, seats.group.columns] == index)
        width = len(self.batch.agents)
        numbers = (envs[:, None] * width + np.arange(width)).reshape(-1)
        self.opponents.begin(numbers, self.rng.integers(2**31, size=len(numbers)))
        seeds = self.rng.integers(2**31, size=len(envs))
        recorded = self.starts.begin(envs, seeds, self.rng)
        self.spectated.begin(envs, seeds, self.episodes.lineup, hidden=recorded)
        if self.central is not None:
            self.central.begin(envs)
        if self.searched is not None:
            self.searched.begin(envs)

    def _advance(self) -> None:
        """One tick of every game."""
        batch, central = self.batch, self.central
        if central is not None:
            central.look()
        for seats in self.seats:
            seats.decide(self._actions[seats.policy.group], self.rng)
        self._let_opponents_act()
        self._let_searches_follow()
        self.spectated.step(self._actions)
        self.episodes.step(batch.rewards)
        if central is not None:
            central.observe()
        for seats in self.seats:
            seats.observe()
        over = np.flatnonzero(batch.over)
        self.episodes.end(over)
        self._begin(over)

    def _let_opponents_act(self) -> None:
        opponent = self.episodes.opponent
        foreign = self.batch.acting & (opponent != LIVE)
        if not foreign.any():
            return
        for index, (group, actions) in enumerate(zip(self.batch.groups, self._actions, strict=True)):
            rows = np.flatnonzero(foreign[:, group.columns])
            if len(rows):
                masks = None if group.masks is None else flat(group.masks)[rows]
                flat(actions)[rows] = self.opponents.act(
                    opponent[:, group.columns].reshape(-1)[rows], self.batch.seats_of(index, rows),
                    flat(group.observations)[rows], masks,
                )  # fmt: skip

    def _let_searches_follow(self) -> None:
        if self.searched is None:
            return
        for group, actions in zip(self.batch.groups, self._actions, strict=True):
            envs, places = np.nonzero(self.batch.acting[:, group.columns])
            self.searched.follow(envs, actions[envs, places])

    def get_state(self, components: Any = None, *, not_components: Any = None, **kwargs: Any) -> dict[str, Any]:
        state: dict[str, Any] = {NUM_ENV_STEPS_SAMPLED_LIFETIME: self.num_env_steps_sampled_lifetime}
        if self._check_component(COMPONENT_RL_MODULE, components, not_components):
            state[COMPONENT_RL_MODULE] = self.module.get_state()
        return state

    def set_state(self, state: dict[str, Any]) -> None:
        if COMPONENT_RL_MODULE in state:
            weights = state[COMPONENT_RL_MODULE]
            self.module.set_state(ray.get(weights) if isinstance(weights, ray.ObjectRef) else weights)
        self.num_env_steps_sampled_lifetime = state.get(
            NUM_ENV_STEPS_SAMPLED_LIFETIME, self.num_env_steps_sampled_lifetime
        )

    def get_ctor_args_and_kwargs(self) -> tuple[tuple[()], dict[str, Any]]:
        return (), {"config": self.config}

    def get_checkpointable_components(self) -> list[tuple[str, Any]]:
        return [(COMPONENT_RL_MODULE, self.module)]

    def stop(self) -> None:
        self.opponents.close()
        self.batch.close()


def taken(snapshot: Snapshot | ray.ObjectRef[Snapshot]) -> Snapshot:
    """The snapshot, or the one in ray's object store."""
    return snapshot if isinstance(snapshot, Snapshot) else ray.get(snapshot)


class OverlappedRunner(SelfPlayRunner):
    """After the first call, `fragment` returns one played since the last call, with the weights of that time.

    The learner's policy is one update ahead of the behaviour, whose log probabilities are recorded.  Weights and
    matchmaking that arrive during a fragment apply from the next one on; episodes are reported with the fragment that
    they ended in.  The next call raises an error of the thread.  In the driver's own process, where nothing would
    be gained, it plays as any runner.
    """

    def __init__(self, *, config: Any, **kwargs: Any) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="fragment")
        self._ahead: Future[Decisions] | None = None
        self._report = Report()
        self._changes: dict[object, Callable[[], None]] = {}
        super().__init__(config=config, **kwargs)
        if self.worker_index:
            sys.setswitchinterval(SWITCH_SECONDS)

    def _next(self) -> Decisions:
        ahead, self._ahead = self._ahead, None
        decisions = self._play() if ahead is None else ahead.result()
        changes, self._changes = self._changes, {}
        for change in changes.values():
            change()
        self._collect_report()
        if self.worker_index:
            self._ahead = self._thread.submit(self._play)
        return decisions

    def pop_report(self) -> Report:
        """The opponents in it are those before the fragment under way."""
        if self._ahead is None:
            self._collect_report()
        report, self._report = self._report, replace(self._report, results=[], moves=[])
        return report

    def prepare(
        self, mixes: Mapping[str, OpponentMix], snapshots: Mapping[str, Snapshot | ray.ObjectRef[Snapshot]], *,
        watched: bool = False,
    ) -> None:  # fmt: skip
        """The last of several that arrive during a fragment counts: the driver made it for the newest report."""
        if self._ahead is None:
            return super().prepare(mixes, snapshots, watched=watched)
        self._changes["prepare"] = partial(super().prepare, mixes, snapshots, watched=watched)

    def set_references(self, networks: Networks) -> None:
        self._between_fragments(partial(super().set_references, networks))

    def set_state(self, state: dict[str, Any]) -> None:
        self._between_fragments(partial(super().set_state, state))

    def stop(self) -> None:
        self._thread.shutdown()
        super().stop()

    def _collect_report(self) -> None:
        new, old = super().pop_report(), self._report
        self._report = replace(new, results=old.results + new.results, moves=old.moves + new.moves)

    def _between_fragments(self, change: Callable[[], None]) -> None:
        if self._ahead is None:
            change()
        else:
            self._changes[change] = change
