"""SelfPlayRunner: RLlib's EnvRunner over a vectorised env, with learning policies and opponents in its seats."""

from __future__ import annotations

from collections.abc import Mapping
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
    WEIGHTS_SEQ_NO,
)

from agents.snapshots.store import Snapshot
from arcade.games.spec import GameSpec
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.vector_env import flat
from arcade.match.stage.rules import StageRules
from trainer.config import RunConfig
from trainer.networks.multi import CRITIC
from trainer.networks.seat import SeatNetwork
from trainer.sampling.casting import Casting, EpisodeResult, OpponentMix
from trainer.sampling.central import CentralState, is_central
from trainer.sampling.layouts import make_layout
from trainer.sampling.learning_seats import LearningSeats, Networks
from trainer.sampling.opponents import LIVE, Opponents, RollCall
from trainer.sampling.plan import make_plan
from trainer.sampling.rollout import Decisions
from trainer.sampling.spectated_game import SpectatedGame

News = tuple[list[EpisodeResult], list[dict[str, Any]]]


class SelfPlayRunner(EnvRunner, Checkpointable):
    """Each `sample` plays a fragment of `RunConfig.ticks` ticks; games continue from one fragment to the next."""

    def __init__(self, *, config: Any, **kwargs: Any) -> None:
        super().__init__(config=config, **kwargs)
        settings = self.config.env_config
        self.spec: GameSpec = settings["spec"]
        self.run: RunConfig = RunConfig.model_validate(settings["run"])
        torch.set_num_threads(self.run.resources.threads)
        self.rng = np.random.default_rng([self.run.seed, self.worker_index or 0])
        self._weights_seq_no = 0
        self._results: list[EpisodeResult] = []
        self._mixes: Mapping[str, OpponentMix] = {}
        self._references: Networks = {}
        self.make_env()
        self.make_module()

    def make_env(self) -> None:
        """Make the envs; their games begin with the first `sample`."""
        wrappers = self.run.wrappers
        rules = StageRules(sticky_actions=wrappers.sticky_actions, frame_skip=wrappers.frame_skip)
        self.batch = make_vector_env(self.spec, self.run.resources.games, rules=rules, max_ticks=wrappers.max_ticks)
        self.env: Any = self.batch  # by RLlib's name
        self.plan = make_plan(self.run.policies, self.batch, league=self.run.opponents.league)
        self.opponents = Opponents(self.spec, self.batch.places, games=self.batch.num_envs)
        self.casting = Casting(self.spec, self.plan, self.opponents)
        seats = (self.batch.num_envs, len(self.batch.agents))
        self._teams = np.array([self.spec.team_of(agent) for agent in self.batch.agents])
        self._opponent = np.full(seats, LIVE, np.intp)  # see Cast
        self._learner = np.zeros(seats, np.intp)
        self._policy, self._team, self._rival = np.zeros((3, self.batch.num_envs), np.intp)
        self._returns = np.zeros(seats, np.float64)
        self._length = np.zeros(self.batch.num_envs, np.intp)
        self._begun = False
        self.spectated = SpectatedGame(self.batch)
        self._actions = [group.no_actions() for group in self.batch.groups]

    def make_module(self) -> None:
        """Build the networks of all policies; `set_state` sets their weights."""
        self.module: Any = self.config.get_multi_rl_module_spec(spaces=self.get_spaces(), inference_only=True).build()
        layout = make_layout(self.run)
        central = CentralState(self.run, self.batch, self.network(CRITIC)) if is_central(self.run) else None
        self.seats = [
            LearningSeats(
                policy, self.network(policy.id), self.batch, layout, slots=self.run.ticks,
                learns=policy.id in self.plan.trained, central=central,
                with_reference=getattr(self.run.training, "kl_penalty", 0) > 0,
                reward_scale=self.run.wrappers.reward_scale,
            )
            for policy in self.plan.policies
        ]  # fmt: skip

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
        """Play one fragment: the decisions closed in it, in the layout of the algorithm."""
        return [self._count(self._play())]

    def _play(self) -> Decisions:
        """Play a fragment without touching weights or metrics."""
        self._begin_once()
        columns: dict[str, dict[str, NDArray[Any]]] = {}
        ticks = 0
        while not columns:  # a short fragment of a turn-based game that closes no decision is extended
            for _ in range(self.run.ticks):
                self._advance()
            ticks += self.run.ticks
            columns = {seats.policy.id: rows for seats in self.seats if (rows := seats.pop_rows())}
        return Decisions(columns, ticks * self.batch.num_envs)

    def _count(self, decisions: Decisions) -> Decisions:
        """Log a fragment in RLlib's metrics."""
        steps = decisions.env_steps
        self.metrics.log_value(NUM_ENV_STEPS_SAMPLED, steps, reduce="sum")
        self.metrics.log_value(NUM_ENV_STEPS_SAMPLED_LIFETIME, steps, reduce="lifetime_sum")
        for seats in self.seats:  # all of them: DQN reads the metrics before the first decision is closed
            columns = decisions.columns.get(seats.policy.id, {})
            count = len(next(iter(columns.values()), ()))
            self.metrics.log_value((NUM_AGENT_STEPS_SAMPLED_LIFETIME, seats.policy.id), count, reduce="lifetime_sum")
        self.num_env_steps_sampled_lifetime += steps
        return decisions

    def get_metrics(self) -> Any:
        return self.metrics.reduce()

    def roll_call(self) -> RollCall:
        """The opponents in play, for the matchmaker."""
        alive = frozenset(self.opponents.names[n] for n in np.unique(self._opponent).tolist() if n != LIVE)
        return RollCall(alive, frozenset(self.opponents.snapshots), dict(self.opponents.dropped))

    def set_matchmaking(self, mixes: Mapping[str, OpponentMix], snapshots: Mapping[str, Snapshot]) -> None:
        """Set the opponents of episodes that begin from now on; `snapshots` are the missing ones."""
        needed = {name for mix in mixes.values() for weights in mix.seats.values() for name in weights}
        self.opponents.hold(snapshots, needed=needed | self.roll_call().alive)
        self.casting.set_mixes(mixes)
        self._mixes = mixes

    def equipment(self) -> dict[str, Any]:
        """The driver's orders besides weights, for `equip` of a runner that replaces a lost one."""
        return {
            "mixes": self._mixes, "snapshots": dict(self.opponents.snapshots), "watched": self.spectated.on,
            "references": self._references,
        }  # fmt: skip

    def equip(self, equipment: Mapping[str, Any]) -> None:
        """Follow the `equipment` of another runner."""
        self.set_matchmaking(equipment["mixes"], equipment["snapshots"])
        self.turn_watch(equipment["watched"])
        self.set_references(equipment["references"])

    def set_references(self, networks: Networks) -> None:
        """Set the reference networks of the KL penalty."""
        self._references = networks
        for seats in self.seats:
            if seats.reference is not None:
                seats.reference.use(networks.get(seats.policy.id))

    def pop_news(self) -> News:
        """The results of episodes, and the moves of the spectated game, since the last call."""
        results, self._results = self._results, []
        return results, self.spectated.pop_pieces()

    def turn_watch(self, on: bool) -> None:
        """Turn the spectated game on or off, in one of all runners."""
        self.spectated.turn(on and (self.worker_index or 0) <= 1)

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
        cast = self.casting.cast(len(envs), self.rng)
        self._opponent[envs], self._learner[envs] = cast.opponent, cast.learner
        self._policy[envs], self._team[envs], self._rival[envs] = cast.policy, cast.team, cast.rival
        for index, seats in enumerate(self.seats):
            seats.begin(envs, cast.learner[:, seats.group.columns] == index)
        width = len(self.batch.agents)
        numbers = (envs[:, None] * width + np.arange(width)).reshape(-1)
        self.opponents.begin(numbers, self.rng.integers(2**31, size=len(numbers)))
        self._returns[envs], self._length[envs] = 0.0, 0
        seeds = self.rng.integers(2**31, size=len(envs))
        self.batch.reset(envs, seeds)
        self.spectated.begin(envs, seeds, self._names_in)

    def _advance(self) -> None:
        """One tick of every game."""
        batch = self.batch
        for seats in self.seats:
            seats.decide(self._actions[seats.policy.group], self.rng)
        self._let_opponents_act()
        self.spectated.before_step()
        batch.step(self._actions)
        self.spectated.after_step(self._actions)
        self._returns += batch.rewards
        self._length += 1
        for seats in self.seats:
            seats.observe()
        over = np.flatnonzero(batch.over)
        self._record(over)
        self._begin(over)

    def _let_opponents_act(self) -> None:
        foreign = self.batch.acting & (self._opponent != LIVE)
        if not foreign.any():
            return
        for index, (group, actions) in enumerate(zip(self.batch.groups, self._actions, strict=True)):
            rows = np.flatnonzero(foreign[:, group.columns])
            numbers = self._opponent[:, group.columns].reshape(-1)[rows]
            rows = rows[np.argsort(numbers, kind="stable")]  # those of an opponent side by side
            seen, masks = flat(group.observations)[rows], None if group.masks is None else flat(group.masks)[rows]
            seats = self.batch.seats_of(index, rows)
            chosen, end = np.empty((len(rows), *actions.shape[2:]), actions.dtype), 0
            for number, count in zip(*(a.tolist() for a in np.unique(numbers, return_counts=True)), strict=True):
                part = slice(end, end := end + count)
                own = None if masks is None else masks[part]
                chosen[part] = self.opponents.act(number, seats[part], seen[part], own)
            flat(actions)[rows] = chosen

    def _record(self, over: NDArray[np.intp]) -> None:
        if not len(over):
            return
        returns = self._returns[over]
        means = np.stack([returns[:, self._teams == team].mean(axis=1) for team in range(len(self.spec.teams))], axis=1)
        for row, (game, totals) in enumerate(zip(over.tolist(), means.tolist(), strict=True)):
            ticks, number = int(self._length[game]), int(self._rival[game])
            if number == LIVE:
                self._results += self._results_of_all(game, returns[row], ticks)
                continue
            own = int(self._team[game])
            others = totals[:own] + totals[own + 1 :]
            outcome = 0.5 + 0.5 * float(np.sign(totals[own] - max(others))) if others else 0.5
            policy, name = self.plan.policies[int(self._policy[game])].id, self.casting.name_of(number)
            if name not in self.opponents.dropped:  # then random play finished the episode
                self._results.append(EpisodeResult(policy, name, outcome, totals[own], ticks, own))

    def _results_of_all(self, game: int, returns: NDArray[np.float64], ticks: int) -> list[EpisodeResult]:
        """The results of an episode with learning policies in all seats: one for each policy."""
        scores = {
            seats.policy.id: float(returns[own].mean())
            for index, seats in enumerate(self.seats)
            if seats.learns and (own := self._learner[game] == index).any()
        }
        return [
            EpisodeResult(policy, "", 0.5, score, ticks, again=number > 0)
            for number, (policy, score) in enumerate(scores.items())
        ]

    def _names_in(self, game: int) -> dict[str, str]:
        """Agent to the name of its policy in an env."""
        numbers = self._opponent[game].tolist()
        return {
            str(agent): self.plan.policies[self._learner[game, column]].id
            if number == LIVE
            else self.opponents.names[number]
            for column, (agent, number) in enumerate(zip(self.batch.agents, numbers, strict=True))
        }

    def get_state(self, components: Any = None, *, not_components: Any = None, **kwargs: Any) -> dict[str, Any]:
        state: dict[str, Any] = {
            NUM_ENV_STEPS_SAMPLED_LIFETIME: self.num_env_steps_sampled_lifetime,
            "rng": self.rng.bit_generator.state,
        }
        if self._check_component(COMPONENT_RL_MODULE, components, not_components):
            state[COMPONENT_RL_MODULE] = self.module.get_state()
            state[WEIGHTS_SEQ_NO] = self._weights_seq_no
        return state

    def set_state(self, state: dict[str, Any]) -> None:
        if COMPONENT_RL_MODULE in state:
            number = state.get(WEIGHTS_SEQ_NO, 0)
            if number == 0 or number >= self._weights_seq_no:  # IMPALA's own sync may send older ones
                weights = state[COMPONENT_RL_MODULE]
                self.module.set_state(ray.get(weights) if isinstance(weights, ray.ObjectRef) else weights)
                self._weights_seq_no = number
        if "rng" in state and not self.worker_index:
            self.rng.bit_generator.state = state["rng"]
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
