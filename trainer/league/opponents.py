"""OpponentPools: a run's pools, which the driver sends to the runners, and their prior win rates from the ladder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np
import ray

from agents.ladder.ladder import Ladder
from agents.ladder.ratings.equilibrium import MIXTURES, Mixture, Populations, mixture, most_players, smoothed
from agents.ladder.ratings.online import UNKNOWN, Rating, chances
from agents.ladder.ratings.rows import GameFacts, Rated, player_name, rated
from agents.matchmaking.pool import NEWEST, Member
from agents.seats.controller import AgentID, ControllerError
from agents.snapshots.store import Snapshot, SnapshotError, SnapshotStore
from agents.statistics import Floats
from arcade.games.spec import GameSpec
from arcade.match.batch.opponents import find_snapshot, fitting
from arcade.match.batch.vector_env import VectorEnv
from trainer.config import ConfigError, RunConfig
from trainer.league.lineage import Lineage
from trainer.league.matchmaker import Matchmaker
from trainer.sampling.episodes import OpponentMix
from trainer.sampling.plan import PolicyPlan
from trainer.sampling.runner import Report
from trainer.sampling.runner_group import RunnerGroup

RATED = 10.0
"""Largest weight of the ratings, in games: the policy has learnt since, and ratings know no cycles."""

MET = 30.0
"""Largest weight of the matches with each other, in games."""


class OpponentPools:
    """The pool of a policy, kept in its lineage, has the snapshots of opposing policies and the fixed opponents.

    Runners hold only the snapshots in play; they take missing ones from ray's object store.  Raises ConfigError
    for a fixed opponent that does not exist or fits no seat.
    """

    def __init__(
        self, run: RunConfig, spec: GameSpec, plan: PolicyPlan, batch: VectorEnv, *, lineages: Sequence[Lineage],
        store: SnapshotStore, say: Callable[[str], None],
    ) -> None:  # fmt: skip
        self._spec, self._plan, self._store, self._say = spec, plan, store, say
        self._lineages = lineages
        try:
            self._fixed = {word: find_snapshot(word, batch, store) for word in run.opponents.words}
            seats = {word: fitting(word, snapshot, batch) for word, snapshot in self._fixed.items()}
        except (SnapshotError, ControllerError) as error:
            raise ConfigError(f"opponents: {error}", code=error.code) from error
        self.matchmaker = Matchmaker(run, spec, plan, seats)
        self._rates, self._roles = LadderRates(spec.facts()), spec.facts().roles
        self._mixed: tuple[object, ...] = ()  # what the newest mixture was solved for
        self._alive = frozenset[str]()  # in running episodes
        self._snapshots: dict[str, Snapshot] = {}  # in the newest mixes
        self._references: dict[str, Any] = {}  # the same in ray's object store
        self._add_fixed()

    def join(self, policy: str, names: Iterable[str]) -> None:
        """Add snapshots of a policy to the pools of the policies that play against it, or with it."""
        steps = {card.name: card.step for card in self._store.list(self._spec.id)}
        for name in names:
            for lineage in self._lineages:
                if self.matchmaker.may_meet(lineage.policy.id, policy):
                    lineage.pool.add(Member(name, "snapshot", policy, steps.get(name, 0)))

    def count(self, reports: Sequence[Report]) -> None:
        """Count the results of all runners, except those with partners, and drop the opponents that failed."""
        own = [result for report in reports for result in report.results if not result.partner]
        for lineage in self._lineages:
            lineage.pool.count(result for result in own if result.policy == lineage.policy.id)
        for report in reports:
            for name, reason in report.dropped.items():
                self._drop(name, reason)
        self._alive = frozenset[str]().union(*(report.alive for report in reports))

    def hand_out(self, runners: RunnerGroup, *, step: int, watched: bool = False) -> None:
        """Send all runners their next opponents, and remote ones references of these, to take what they lack."""
        pools = {lineage.policy.id: lineage.pool for lineage in self._lineages}
        mixes = {id: self.matchmaker.mix(id, pool, self._alive, step=step) for id, pool in pools.items()}
        snapshots = self._read(mixes)
        if runners.are_remote:
            self._references = {name: self._references.get(name) or ray.put(s) for name, s in snapshots.items()}
        known = self._references or snapshots
        runners.tell(lambda runner: runner.prepare(mixes, known, watched=watched))

    def rate(self, ladder: Ladder | None) -> None:
        """Read ratings and prior win rates of the members from the ladder."""
        if ladder is None:
            return
        self._rates.update(ladder)
        for lineage in self._lineages:
            names = [self._rated_name(lineage, m.name, m.policy) for m in lineage.pool.members]
            lineage.pool.set_priors(*self._rates.beliefs(self._own_name(lineage), names))
        self._mix_equilibrium()

    def _mix_equilibrium(self) -> None:
        """Solve for the mixtures over the newest snapshots of all policies, once for the same matches."""
        if (kind := self.matchmaker.run.opponents.weighting) not in MIXTURES:
            return
        met = self._met_snapshots()
        key = (kind, self._rates.last, *met.items())
        if not met or key == self._mixed:
            return
        self._mixed = key
        most = most_players(kind, len(met))
        players = [(policy, name) for policy, names in met.items() for name in names[-most:]]
        shares = dict(zip(players, self._mixture(kind, players).tolist(), strict=True))
        for lineage in self._lineages:
            members = [(m.policy, m.name) for m in lineage.pool.members]
            lineage.pool.set_mixture({one[1]: shares[one] for one in members if one in shares})

    def _mixture(self, kind: Mixture, players: Sequence[tuple[str, str]]) -> Floats:
        """The shares of players, each a policy and a snapshot of it; those of a policy sum to 1."""
        meets = self.matchmaker.meets
        policies = list(dict.fromkeys(policy for policy, _ in players))
        of = np.array([policies.index(policy) for policy, _ in players], np.int64)
        meet = np.array([[other in meets[policy] for other in policies] for policy in policies], np.bool_)
        rates = self._rates.rates([player_name(name, self._role(policy)) for policy, name in players])
        return mixture(kind, rates, Populations(of, meet))

    def _met_snapshots(self) -> dict[str, tuple[str, ...]]:
        """Policy to its snapshots that others meet, oldest first; without those of policies that meet none of them."""
        meets, found = self.matchmaker.meets, dict[str, tuple[str, ...]]()
        for policy in meets:
            pools = [lineage.pool for lineage in self._lineages if policy in meets[lineage.policy.id]]
            names = [pool.names_at(pool.places(kind="snapshot", policies=(policy,))) for pool in pools]
            found[policy] = tuple(dict.fromkeys(chain.from_iterable(names)))
        return {policy: names for policy, names in found.items() if names and any(map(found.get, meets[policy]))}

    def _own_name(self, lineage: Lineage) -> str:
        """The ladder's name of the policy's newest rated ancestor."""
        role = self._role(lineage.policy.id)
        ancestors = [lineage.parent, *lineage.names[::-1]] if lineage.parent else []
        names = [player_name(name, role) for name in ancestors]
        return next((name for name in names if name in self._rates.ratings), "")

    def _role(self, policy: str) -> str:
        return self._roles.get(str(self._plan[policy].agents[0]), "")

    def _rated_name(self, lineage: Lineage, name: str, policy: str) -> str:
        """The ladder's name of a member of the lineage's pool."""
        opposite = (*self.matchmaker.meets[lineage.policy.id], lineage.policy.id)[0]
        return player_name(name, self._role(policy or opposite))

    def table(self) -> dict[str, list[dict[str, Any]]]:
        """Policy to rows of its newest pool members: results, rating on the ladder, and share of the episodes."""
        table, newest = {}, max(8, NEWEST // max(1, len(self._lineages)))
        for lineage in self._lineages:
            weights = self.matchmaker.weights(lineage.policy.id, lineage.pool)
            rows = lineage.pool.rows(newest)
            for row in rows:
                rating = self._rates.ratings.get(self._rated_name(lineage, row["name"], row["policy"]))
                row["rating"], row["sigma"] = (rating.mu, rating.sigma) if rating else (None, None)
                row["weight"] = weights.get(row["name"], 0.0)
            table[lineage.policy.id] = rows
        return table

    def lineups(self, policy: str, name: str) -> tuple[dict[AgentID, str], dict[AgentID, list[str]]]:
        """For matches of snapshot `name`: seats of its side, with the newest snapshots of its mates, and candidates for
        each seat of the other side, oldest first; both empty where a mate has no snapshot yet."""
        plan, own = self._plan, {}
        by_policy = {lineage.policy.id: lineage.names for lineage in self._lineages}
        teams = [members for members in self._spec.teams if set(members) & set(plan[policy].agents)]
        for agent in (agent for members in teams for agent in members):
            mates = [name] if agent in plan[policy].agents else by_policy.get(plan.policy_of[agent], [])[-1:]
            if not mates:
                return {}, {}
            own[agent] = mates[0]
        met = next(lineage.pool for lineage in self._lineages if lineage.policy.id == policy)
        everyone = self.matchmaker.run.opponents.league
        return own, {
            agent: [
                m.name for m in met.members if m.kind == "snapshot" and (everyone or m.policy == plan.policy_of[agent])
            ]
            for members in self._spec.teams
            if len(teams) > 1 or members not in teams
            for agent in members
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the matchmaker's `as_data`, after the lineages have restored their pools."""
        self.matchmaker.restore(data)
        self._add_fixed()
        for lineage in self._lineages:
            for member in lineage.pool.members:
                if member.kind == "fixed" and member.name not in self._fixed:
                    lineage.pool.dropped[member.name] = "no longer in the settings"

    def _add_fixed(self) -> None:
        for lineage in self._lineages:
            for word in self._fixed:
                lineage.pool.add(Member(word, "fixed"))

    def _read(self, mixes: Mapping[str, OpponentMix]) -> dict[str, Snapshot]:
        """The snapshots in `mixes`; unreadable ones are dropped."""
        names = {name for mix in mixes.values() for name in mix.names}
        found: dict[str, Snapshot] = {}
        for name in sorted(names - {""}):
            if name in self._snapshots:
                found[name] = self._snapshots[name]
                continue
            if name in self._fixed:
                if (fixed := self._fixed[name]) is not None:
                    found[name] = fixed
                continue
            try:
                found[name] = self._store.get(name, game=self._spec.id)
            except SnapshotError as error:
                self._drop(name, str(error))
        self._snapshots = found
        return found

    def _drop(self, name: str, reason: str) -> None:
        if any(name in lineage.pool.index and name not in lineage.pool.dropped for lineage in self._lineages):
            self._say(f"{name} is dropped from the opponents: {reason}")
        for lineage in self._lineages:
            lineage.pool.dropped[name] = reason


class LadderRates:
    """Prior win rates of a pool, from the ladder; names are its labels, with their role where roles differ.

    They come from two sources: the win probability by ratings, with the weight of as many games as give the same
    certainty, and the matches of the two players with each other, which show cycles that no rating can.
    """

    def __init__(self, facts: GameFacts) -> None:
        self.ratings: dict[str, Rating] = {}
        self._facts = facts
        self._met: dict[tuple[str, str], tuple[float, int]] = {}  # score of the first, games
        self.last = 0  # number of the newest result

    def update(self, ladder: Ladder) -> None:
        """Read the results added since the last update."""
        rows = ladder.results(self._facts.id, after=self.last)
        if not rows:
            return
        self.last = int(rows[-1]["id"])
        for row in rows:
            match = rated(row, self._facts.roles)
            if match is not None:
                self._count(match)
        self.ratings = {one.name: one for one in ladder.ratings(self._facts.id, roles=self._facts.roles)}

    def beliefs(self, own: str, others: Sequence[str]) -> tuple[Floats, Floats]:
        """Parameters (a, b) of the Beta distributions of the win rates of `own`; (1, 1) for an unknown player."""
        if own not in self.ratings or not others:
            return np.ones(len(others)), np.ones(len(others))
        expected = chances(self.ratings[own], [self.ratings.get(name, UNKNOWN) for name in others])
        mean, spread = expected.mean, np.maximum(expected.variance, 1e-9)
        games = np.clip(mean * (1 - mean) / spread - 1, 2.0, RATED)  # a Beta distribution with this mean and spread
        known = np.array([name in self.ratings for name in others])
        mean, games = np.where(known, mean, 0.5), np.where(known, games, 2.0)
        score, met = np.array([self._met.get((own, name), (0.0, 0)) for name in others], np.float64).T
        weight = np.minimum(1.0, MET / np.maximum(met, 1.0))
        return mean * games + weight * score, (1 - mean) * games + weight * (met - score)

    def rates(self, names: Sequence[str]) -> Floats:
        """Win rates (n, n) of players against each other, by their matches and, where these are few, their ratings."""
        known = [self.ratings.get(name, UNKNOWN) for name in names]
        predicted = np.array([chances(one, known).mean for one in known])
        met = np.array([[self._met.get((own, name), (0.0, 0)) for name in names] for own in names], np.float64)
        return smoothed(met[..., 0], met[..., 1], predicted)

    def _count(self, match: Rated) -> None:
        """Count the result for each pair of teams of one player."""
        sides = [(set(team), rank) for team, rank in zip(match.teams, match.ranks, strict=True)]
        for (one, rank), (other, others_rank) in combinations(sides, 2):
            if len(one) == len(other) == 1 and one != other:
                score = 0.5 if rank == others_rank else float(rank < others_rank)
                own, rival = *one, *other
                self._add(own, rival, score)
                self._add(rival, own, 1 - score)

    def _add(self, own: str, other: str, score: float) -> None:
        before, games = self._met.get((own, other), (0.0, 0))
        self._met[own, other] = before + score, games + 1
