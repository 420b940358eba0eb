"""OpponentVectorEnv: many copies of `OpponentEnv` stepped together, with one inference a tick for each opponent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from agents.errors import UserError
from agents.seats.controller import AgentID
from agents.snapshots.store import SnapshotStore
from arcade.arguments import ArgumentError
from arcade.games.spec import GameSpec
from arcade.learning.opponent_env import ILLEGAL, check_alike
from arcade.learning.opponents import OpponentDraw, Opponents, Outcome
from arcade.match.batch import opponents as batched
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.vector_env import flat

Bools = NDArray[np.bool_]
Stepped = tuple[Any, NDArray[np.float64], Bools, Bools, dict[str, Any]]


class OpponentVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Observations (N, *shape), rewards float64 (N,), ends bool (N,); info has arrays with one row an env.

    Info has "action_mask", int8 (N, n), in games with masks, and "outcome", float64 (N,), where "_outcome" is True:
    in envs whose episode ended.  After the end of an episode the next `step` resets that env, whose action is then not
    played (Gymnasium's NEXT_STEP), or the same one with AutoresetMode.SAME_STEP, with "final_obs" in info.
    """

    def __init__(
        self, spec: GameSpec, seats: tuple[AgentID, ...], num_envs: int, opponents: Opponents, *,
        store: SnapshotStore, seed: int | None = None, weighting: Any = "variance", max_ticks: int | None = None,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
    ) -> None:  # fmt: skip
        if autoreset_mode not in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
            raise ArgumentError(f"expected the autoreset mode NEXT_STEP or SAME_STEP, got: {autoreset_mode}")
        self._batch = batch = make_vector_env(spec, num_envs)
        places = batch.places
        check_alike(spec, seats, {place.agent: (place.observation_space, place.action_space) for place in places})
        self.game, self.num_envs, self.seats = spec, num_envs, seats
        self.metadata = {"autoreset_mode": autoreset_mode, "render_modes": [], "render_fps": spec.fps}
        self._number = batch.group_of(seats[0])
        self._group = group = batch.groups[self._number]
        self.single_observation_space, self.single_action_space = group.observation_space, group.action_space
        self.observation_space = batch_space(group.observation_space, num_envs)
        self.action_space = batch_space(group.action_space, num_envs)
        self.opponents = OpponentDraw(spec, places, opponents, store=store, weighting=weighting, together=True)
        self._store, self._max_ticks, self._first_seed = store, max_ticks, seed
        self._players = batched.Opponents(spec, places, games=num_envs, show=batch.shown)
        self._actions = [one.no_actions() for one in batch.groups]
        self._rows = np.arange(num_envs)
        agents = spec.agents
        self._columns = np.array([agents.index(agent) for agent in seats], np.intp)  # of the learner's seats
        self._places = {agents.index(agent): group.agents.index(agent) for agent in seats}
        in_team = np.array([[agent in team for team in spec.teams] for agent in agents], np.float64)
        self._means, self._team_of = in_team / in_team.sum(axis=0), in_team.argmax(axis=1)
        self._column, self._place = np.zeros((2, num_envs), np.intp)  # of the learner, in the env and in its group
        self._player = np.full((num_envs, len(agents)), batched.LIVE)  # numbers of the opponents
        self._returns = np.zeros((num_envs, len(agents)))
        self._ticks = np.zeros(num_envs, np.intp)
        self._ended = np.ones(num_envs, np.bool_)  # whose episode is over: to be reset
        self._out, self._terminated, self._truncated = np.zeros((3, num_envs), np.bool_)  # of the learner's seat

    def __enter__(self) -> OpponentVectorEnv:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode in every env; raises UserError where a player or the game fails."""
        if isinstance(seed, Sequence):
            seed = int(seed[0])
        super().reset(seed=self._first_seed if seed is None else seed)
        self._first_seed = None
        self._begin(self._rows)
        self._run(self._starting(np.ones(self.num_envs, np.bool_)), np.zeros(self.num_envs))
        return self._observations(), self._info()

    def step(self, actions: Any) -> Stepped:
        """Play the learner's actions, (N, *action shape), in every env whose episode goes further."""
        actions = self._checked(actions)
        over, rewards = self._ended.copy(), np.zeros(self.num_envs)  # none is over in the mode SAME_STEP
        plays = ~over
        illegal = plays & self._is_illegal(actions)
        rewards[illegal] = ILLEGAL
        plays &= ~illegal
        self._actions[self._number][self._rows, self._place] = actions
        if self._batch.can_wait:
            self._begin(np.flatnonzero(over))
            self._run(plays | self._starting(over), rewards, learners=plays)
        else:  # all seats act at every tick: those that are over move with the others, and begin behind them
            self._run(plays, rewards, learners=plays)
            self._begin(np.flatnonzero(over))
        self._ended |= illegal
        terminated = (self._ended & ~over & (self._terminated | ~self._truncated)) | illegal
        truncated = self._ended & ~over & ~terminated
        info = self._info()
        if self._ended.any():
            info |= self._outcomes(illegal)
            if self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP:
                info = self._restart(info)
        return self._observations(), rewards, terminated, truncated, info

    def action_masks(self) -> Bools:
        """The legal actions now, bool (N, n); all True without masks."""
        masks = self._group.masks
        if masks is None:
            space: Any = self.single_action_space
            legal: Bools = np.full((self.num_envs, int(space.n)), True)
            return legal
        legal = masks[self._rows, self._place] != 0
        return legal

    def close_extras(self, **kwargs: Any) -> None:
        """Free the games and the opponents."""
        self._players.close()
        self._batch.close()

    def _begin(self, envs: NDArray[np.intp]) -> None:
        """Begin new episodes: the learner's seats, the other players, seeds."""
        rng, seats = self.np_random, self._columns
        columns = seats[rng.integers(len(seats), size=len(envs))] if len(seats) > 1 else np.full(len(envs), seats[0])
        self._column[envs] = columns
        for column in np.unique(columns).tolist():
            self._seat(column, envs[columns == column])
        numbers = (envs[:, None] * len(self.game.agents) + np.arange(len(self.game.agents))).reshape(-1)
        self._players.begin(numbers, rng.integers(2**31, size=len(numbers)))
        self._batch.reset(envs, rng.integers(2**31, size=len(envs)))
        self._returns[envs], self._ticks[envs] = 0.0, 0
        for flags in (self._ended, self._out, self._terminated, self._truncated):
            flags[envs] = False

    def _seat(self, column: int, envs: NDArray[np.intp]) -> None:
        self._place[envs] = self._places[column]
        self._player[envs, column] = batched.LIVE
        for agent, numbers in self.opponents.draw(self.game.agents[column], len(envs), self.np_random).items():
            self._load(np.unique(numbers).tolist())
            self._player[envs, self.game.agents.index(agent)] = numbers

    def _load(self, numbers: Sequence[int]) -> None:
        """Read the snapshots among these players that are not there yet."""
        names = self._players.names
        names += self.opponents.names[len(names) :]
        new = [n for n in numbers if names[n].startswith("snapshot:") and names[n] not in self._players.snapshots]
        for number in new:
            try:
                snapshot = batched.find_snapshot(names[number], self._batch, self._store)
            except UserError as error:
                self._drop(number, error)
                continue
            playing = {names[n] for n in np.unique(self._player).tolist() if n != batched.LIVE}
            if snapshot is not None:
                self._players.hold({names[number]: snapshot}, needed={names[number]} | playing)

    def _drop(self, number: int, error: UserError) -> None:
        """Random play takes the seats of a player of the pool that failed, in episodes that don't count."""
        self.opponents.drop(number, error)
        self._players.dropped.setdefault(self._players.names[number], str(error))

    def _run(self, stepped: Bools, rewards: NDArray[np.float64], *, learners: Bools | None = None) -> None:
        """Step the envs `stepped` until the learner is due or the episode is over, and add to its `rewards`.

        In those of `learners` its action is there for the first tick; the others are before its first turn.
        """
        batch = self._batch
        starts = stepped if learners is None else stepped & ~learners
        while stepped.any():
            self._let_opponents_act(stepped)
            if batch.can_wait:
                batch.step_some(self._actions, stepped)
            else:
                batch.step(self._actions)
            earned = batch.rewards * stepped[:, None]
            self._returns += earned
            self._ticks += stepped
            own = self._rows, self._column
            rewards += np.where(self._out | starts, 0.0, earned[own])
            live = stepped & ~self._out
            self._terminated |= live & batch.terminated[own]
            self._truncated |= live & batch.truncated[own]
            self._out |= self._terminated | self._truncated
            stepped = self._ends(stepped)
            again = starts & self._ended
            if again.any():
                self._begin(np.flatnonzero(again))
                stepped |= self._starting(again)
            starts = starts & stepped

    def _ends(self, stepped: Bools) -> Bools:
        """Note which episodes ended; returns the envs that go further."""
        over = stepped & self._batch.over
        if len(self.game.teams) == 1:
            over |= stepped & self._out
        if self._max_ticks is not None:
            cut = stepped & ~over & (self._ticks >= self._max_ticks)
            self._truncated |= cut & ~self._terminated
            over |= cut
        self._ended |= over
        return stepped & ~over & ~self._batch.acting[self._rows, self._column]

    def _starting(self, envs: Bools) -> Bools:
        """Those of the envs in which others act before the learner."""
        waits: Bools = envs & ~self._batch.acting[self._rows, self._column]
        return waits

    def _let_opponents_act(self, stepped: Bools) -> None:
        foreign = self._batch.acting & (self._player != batched.LIVE) & stepped[:, None]
        for index, (group, actions) in enumerate(zip(self._batch.groups, self._actions, strict=True)):
            rows = np.flatnonzero(foreign[:, group.columns])
            if not len(rows):
                continue
            masks = None if group.masks is None else flat(group.masks)[rows]
            flat(actions)[rows] = self._players.act(
                self._player[:, group.columns].reshape(-1)[rows], self._batch.seats_of(index, rows),
                flat(group.observations)[rows], masks,
            )  # fmt: skip
        for name in self._players.dropped.keys() - self.opponents.pool.dropped.keys():
            self._drop(self.opponents.pool.index[name], UserError(self._players.dropped[name]))

    def _checked(self, actions: Any) -> NDArray[Any]:
        given, space = np.asarray(actions), self.action_space
        if given.shape != space.shape or not space.contains(given.astype(space.dtype, copy=False)):
            raise ValueError(f"expected actions of {space}, got: {given.dtype} {given.shape}")
        return given.astype(self.single_action_space.dtype, copy=False)

    def _is_illegal(self, actions: NDArray[Any]) -> Bools:
        if self._group.masks is None:
            return np.zeros(self.num_envs, np.bool_)
        chosen = actions - int(getattr(self.single_action_space, "start", 0))
        illegal: Bools = ~self.action_masks()[self._rows, chosen]
        return illegal

    def _observations(self) -> NDArray[Any]:
        seen: NDArray[Any] = self._group.observations[self._rows, self._place]
        return seen

    def _info(self) -> dict[str, Any]:
        return {} if self._group.masks is None else {"action_mask": self.action_masks().astype(np.int8)}

    def _outcomes(self, illegal: Bools) -> dict[str, Any]:
        """The outcomes of the episodes that ended now, which are also reported."""
        ended = np.flatnonzero(self._ended)
        outcome = np.zeros(self.num_envs)
        means = self._returns[ended] @ self._means
        team = self._team_of[self._column[ended]]
        own = means[np.arange(len(ended)), team]
        means[np.arange(len(ended)), team] = -np.inf
        best = means.max(axis=1) if means.shape[1] > 1 else own
        outcome[ended] = np.where(illegal[ended], 0.0, 0.5 + 0.5 * np.sign(own - best))
        self._report(ended, outcome)
        return {"outcome": outcome, "_outcome": self._ended.copy()}

    def _report(self, ended: NDArray[np.intp], outcome: NDArray[np.float64]) -> None:
        names, dropped = self._players.names, self._players.dropped
        teams = self._team_of[None, :] != self._team_of[self._column[ended]][:, None]
        for env, rivals in zip(ended.tolist(), teams, strict=True):
            for number in dict.fromkeys(self._player[env, rivals].tolist()):
                if names[number] not in dropped:
                    self.opponents.report([Outcome(names[number], float(outcome[env]))])

    def _restart(self, info: dict[str, Any]) -> dict[str, Any]:
        """Reset the envs whose episode ended, keeping their last observations in info."""
        ended, last = self._ended.copy(), self._observations()
        final = np.full(self.num_envs, None, object)
        for env in np.flatnonzero(ended).tolist():
            final[env] = last[env]
        self._begin(np.flatnonzero(ended))
        self._run(self._starting(ended), np.zeros(self.num_envs))
        return info | self._info() | {"final_obs": final, "_final_obs": ended}
