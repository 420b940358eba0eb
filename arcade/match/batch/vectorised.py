"""Plays matches in a vectorised env, with one batched inference a tick for each player."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.errors import UserError
from agents.policies.batch import BatchPolicy
from agents.seats.controller import ControllerError
from arcade.match.batch.action_digests import ActionDigests
from arcade.match.batch.make import make_vector_env
from arcade.match.batch.plan import Fixture, MatchPlan, Played
from arcade.match.batch.vector_env import SeatGroup, flat
from arcade.match.play.lineup import make_policy
from arcade.match.play.result import MatchResult, placements
from arcade.match.play.seats import seat_seeds

NO_PLAYER = -1
"""The number of a player where the match is over, or left to be played alone."""


class VectorisedMatches:
    """Plays fixtures, the next one wherever a match is over, with the same results as one by one.

    Matches with a failure (of a player, of the game, an illegal action) are `left`: playing them one by one shows
    the cause.  `policies` are of players by number, made from the plan where they are missing.
    """

    def __init__(
        self, plan: MatchPlan, fixtures: Sequence[Fixture], *, policies: Mapping[int, BatchPolicy] | None = None
    ) -> None:
        self.left: list[Fixture] = []
        self.error: UserError | None = None  # the newest reason for a match that is left
        self._plan, self._waiting = plan, deque(fixtures)
        self._num_envs = min(len(fixtures), plan.num_envs)
        self._policies = dict(policies or {})
        self._broken: set[int] = set()  # players
        self._freed: list[int] = []  # envs whose match was left
        self._now: list[Fixture | None] = [None] * self._num_envs

    def play(self) -> Generator[list[Played], None, None]:
        """Play all of them; yields the outcomes of each tick, mostly none."""
        if not self._waiting:
            return
        try:
            with make_vector_env(self._plan.spec, self._num_envs) as self._batch:
                self._prepare()
                while any(self._now):
                    yield self._tick()
        except UserError as error:  # of the game, in an unknown env
            self.error = error
            self.left += [fixture for fixture in (*self._now, *self._waiting) if fixture is not None]

    def _prepare(self) -> None:
        batch = self._batch
        self._places = batch.places
        self._players = np.full((self._num_envs, len(batch.agents)), NO_PLAYER)
        self._returns = np.zeros(self._players.shape)
        self._ticks = np.zeros(self._num_envs, np.intp)
        self._openings: list[Sequence[int]] = [()] * self._num_envs
        self._digests = ActionDigests(batch)
        self._begin(range(self._num_envs))

    def _tick(self) -> list[Played]:
        batch = self._batch
        actions = self._decide()
        self._digests.add(actions)
        batch.step(actions)
        live = self._players[:, 0] != NO_PLAYER
        self._ticks += live
        self._returns += batch.rewards * live[:, None]
        over = batch.over if self._plan.max_ticks is None else batch.over | (self._ticks >= self._plan.max_ticks)
        ended: list[int] = np.flatnonzero(live & over).tolist()
        played = [self._played(env) for env in ended]
        if ended or self._freed:
            free, self._freed = [*ended, *self._freed], []
            self._begin(free)
        return played

    def _played(self, env: int) -> Played:
        fixture, spec = self._now[env], self._plan.spec
        assert fixture is not None
        returns = dict(zip(self._batch.agents, self._returns[env].tolist(), strict=True))
        labels = [self._policies[player].label for player in fixture.players]
        result = MatchResult(
            game=spec.id, seed=fixture.seed, ticks=int(self._ticks[env]), seconds=0.0,
            ended="finished" if self._batch.over[env] else "max_ticks",
            lineup=dict(zip(map(str, spec.agents), labels, strict=True)),
            returns={str(agent): value for agent, value in returns.items()},
            teams=[[str(agent) for agent in team] for team in spec.teams],
            placements=placements(spec, returns), actions=self._digests.text(env),
            late={str(agent): 0 for agent in spec.agents}, settings=self._settings(fixture),
        ).judged()  # fmt: skip
        return Played(fixture=fixture, result=result)

    def _settings(self, fixture: Fixture) -> dict[str, Any]:
        opening, start = self._plan.opening_of(fixture), self._start_of(fixture)
        return ({"opening": opening.text} if opening else {}) | ({"start": start} if start else {})

    def _begin(self, envs: Sequence[int]) -> None:
        """Begin the next fixtures in these envs; those left over have no players."""
        begun: dict[int, Fixture] = {}
        for env in envs:
            fixture = self._now[env] = self._next()
            self._players[env] = NO_PLAYER
            if fixture is not None:
                begun[env] = fixture
            self._batch.begin_with(env, self._start_of(fixture))
        numbers = list(begun)
        self._batch.reset(np.array(numbers, np.intp), np.array([one.seed for one in begun.values()], np.int64))
        self._returns[numbers], self._ticks[numbers] = 0, 0
        self._digests.begin(numbers)
        for env, fixture in begun.items():
            self._seat(env, fixture)

    def _start_of(self, fixture: Fixture | None) -> str:
        """The position that a match begins with, "" for the game's own."""
        opening = self._plan.opening_of(fixture) if fixture is not None else None
        return (opening.start if opening else "") or self._plan.spec.start

    def _next(self) -> Fixture | None:
        while self._waiting:
            fixture = self._waiting.popleft()
            if not self._broken & set(fixture.players):
                return fixture
            self.left.append(fixture)
        return None

    def _seat(self, env: int, fixture: Fixture) -> None:
        count = len(self._places)
        self._players[env] = fixture.players
        opening = self._plan.opening_of(fixture)
        self._openings[env] = opening.actions if opening else ()
        seeds, seats = np.array(seat_seeds(fixture.seed, count)), np.array(fixture.players)
        for player in dict.fromkeys(fixture.players):
            own = np.flatnonzero(seats == player)
            policy = self._policy(player)
            if policy is not None:
                policy.begin(env * count + own, seeds[own])

    def _policy(self, player: int) -> BatchPolicy | None:
        """None where it cannot be made: its matches are left."""
        plan = self._plan
        if player not in self._policies and player not in self._broken:
            try:
                self._policies[player] = make_policy(
                    plan.players[player], self._places, spec=plan.spec, store=plan.open_store()
                )
            except UserError as error:
                self.error = error
                self._broken.add(player)
        return self._policies.get(player)

    def _decide(self) -> list[NDArray[Any]]:
        """(N, G, *action shape) for each group."""
        batch = self._batch
        actions = [group.no_actions() for group in batch.groups]
        asked = batch.acting & ~self._in_opening()[:, None]
        for number, group in enumerate(batch.groups):
            rows = np.flatnonzero(asked[:, group.columns])
            players = self._players[:, group.columns].ravel()[rows]
            order = np.argsort(players, kind="stable")
            cuts = np.flatnonzero(np.diff(players[order])) + 1
            for own in np.split(order, cuts) if len(rows) else ():
                self._ask(number, int(players[own[0]]), rows[own], actions[number])
        for env in np.flatnonzero(self._in_opening()).tolist():
            self._play_opening(env, actions)
        return actions

    def _in_opening(self) -> NDArray[np.bool_]:
        """bool, (N,): the next move of the match belongs to its opening."""
        lengths = np.array([len(opening) for opening in self._openings], np.intp)
        return np.asarray((self._ticks < lengths) & (self._players[:, 0] != NO_PLAYER), np.bool_)

    def _play_opening(self, env: int, actions: Sequence[NDArray[Any]]) -> None:
        """Play the next move of the opening; a match with an illegal one is left."""
        action = self._openings[env][self._ticks[env]]
        for number, group in enumerate(self._batch.groups):
            for place in np.flatnonzero(self._batch.acting[env, group.columns]).tolist():
                mask = None if group.masks is None else group.masks[env, place]
                if group.action_space.contains(action) and (mask is None or mask[action]):
                    actions[number][env, place] = action
                else:
                    rows = np.array([env * len(group.columns) + place])
                    flat(actions[number])[rows] = _any_legal(group, 1, None if mask is None else mask[None])
                    self._leave(np.array([env]))

    def _ask(self, number: int, player: int, rows: NDArray[np.intp], into: NDArray[Any]) -> None:
        """Put the actions of the player that has these rows of a group's flattened arrays into their places."""
        group, seats = self._batch.groups[number], self._batch.seats_of(number, rows)
        masks = None if group.masks is None else flat(group.masks)[rows]
        policy = None if player == NO_PLAYER else self._policy(player)
        if policy is not None:
            try:
                seen = self._batch.shown(policy.obs_type, seats, flat(group.observations)[rows])
                flat(into)[rows] = policy.act(seats, seen, masks)
                return
            except ControllerError as error:
                self.error = error
                self._broken.add(player)
        flat(into)[rows] = _any_legal(group, len(rows), masks)
        self._leave(seats // len(self._places))

    def _leave(self, envs: NDArray[np.intp]) -> None:
        for env in dict.fromkeys(envs.tolist()):
            fixture = self._now[env]
            if fixture is not None:
                self.left.append(fixture)
                self._freed.append(env)
            self._now[env] = None
            self._players[env] = NO_PLAYER


def _any_legal(group: SeatGroup, count: int, masks: NDArray[np.int8] | None) -> NDArray[Any]:
    """Actions for matches that count no more, and are stepped until the next fixture begins there."""
    space = group.action_space
    if masks is not None:
        legal: NDArray[Any] = masks.argmax(axis=1) + int(space.start)
        return legal
    return np.stack([np.asarray(space.sample()) for _ in range(count)])
