"""Odds: the share of a policy's episodes against each pool member, by PFSP; Rotation: the few members in play."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from agents.matchmaking.pool import Pool
from agents.matchmaking.shares import pfsp
from agents.statistics import Floats
from trainer.config.sections import OpponentSettings, Weighting
from trainer.sampling.plan import LEAGUE_EXPLOITER, MAIN, MAIN_EXPLOITER

Places = NDArray[np.intp]

SELF_PLAY, PAST, RARE = 0.35, 0.50, 0.15
"""Main's shares."""

EXPLOITED = 0.3
"""An opponent exploits main where main's win rate is below this."""

FORGOTTEN = 0.7
"""Main has forgotten how to beat an own snapshot where its win rate is below this."""

HARDLY = 0.1
"""Win rate of a main exploiter below which it meets snapshots of main; also its share of the present main then."""

RESET_CHANCE = {MAIN_EXPLOITER: 1.0, LEAGUE_EXPLOITER: 0.25}
"""Chance that an exploiter is reset to its first weights after a freeze."""


@dataclass(frozen=True, slots=True)
class Odds:
    """The opponents of a policy in the seats of one other policy, as shares of its episodes."""

    live: float  # against the present learning policies
    live_policy: str = ""  # the one that takes all other seats then; "": the seats' own
    shares: Mapping[str, float] = field(default_factory=dict)  # of pool members, by name; the rest to 1 is live too
    steady: frozenset[str] = frozenset()  # members that are always in play: the newest and the fixed


def make_odds(pool: Pool, settings: OpponentSettings, *, live: float, seats_of: str, fixed: Sequence[str]) -> Odds:
    """The odds over the snapshots of policy `seats_of` and the `fixed` that can take its seats."""
    snapshots, words = pool.places(kind="snapshot", policies=(seats_of,)), fixed_in(pool, fixed)
    fixed_share = settings.fixed_ratio if words else 0.0
    shares = max(0.0, 1.0 - live - fixed_share) * snapshot_shares(pool, snapshots, settings)
    odds = Odds(live, shares=named(pool, snapshots, shares), steady=frozenset(pool.names_at(snapshots[-1:])))
    return join_fixed(odds, words, fixed_share)


def partner_odds(
    pool: Pool, settings: OpponentSettings, *, seats_of: str, partners: Sequence[str], fixed: Sequence[str]
) -> Odds:
    """The odds over partners: the words in `partners`, the snapshots of policy `seats_of` as another one of them where
    the settings name the pool, and beside these the `fixed` in a game of one team.

    Snapshots are drawn uniformly, as in Fictitious Co-Play (Strouse et al. 2021, arXiv 2110.08176): all skills matter.
    """
    words, fixed = fixed_in(pool, partners), fixed_in(pool, fixed)
    snapshots = pool.places(kind="snapshot", policies=(seats_of,))[-settings.window :]
    snapshots = snapshots if settings.pool_mates else snapshots[:0]
    part = settings.partner_ratio / max(1, len(words) + bool(len(snapshots)))
    shares = named(pool, snapshots, np.full(len(snapshots), part / max(1, len(snapshots))))
    for names, share in ((words, part * len(words)), (fixed, settings.fixed_ratio)):
        for name in names:
            shares[name] = shares.get(name, 0.0) + share / len(names)
    return Odds(1.0 - sum(shares.values()), shares=shares, steady=frozenset(fixed))


def with_fixed(odds: Odds, pool: Pool, share: float, fixed: Sequence[str]) -> Odds:
    """Odds of which `share` goes to the `fixed` members instead."""
    if not (words := fixed_in(pool, fixed)):
        return odds
    rest = {name: part * (1 - share) for name, part in odds.shares.items()}
    return join_fixed(replace(odds, live=odds.live * (1 - share), shares=rest), words, share)


def join_fixed(odds: Odds, words: Sequence[str], share: float) -> Odds:
    """Add fixed members, which are always in play and have equal parts of `share`."""
    equal = dict.fromkeys(words, share / max(1, len(words)))
    return replace(odds, shares={**odds.shares, **equal}, steady=odds.steady | equal.keys())


def fixed_in(pool: Pool, words: Sequence[str]) -> list[str]:
    """The fixed members among these words."""
    return [name for name in pool.names_at(pool.places(kind="fixed")) if name in words]


def named(pool: Pool, places: Places, shares: Floats) -> dict[str, float]:
    """Member to share."""
    return dict(zip(pool.names_at(places), shares.tolist(), strict=True))


def snapshot_shares(pool: Pool, snapshots: Places, settings: OpponentSettings) -> Floats:
    """Shares of snapshots, oldest first, summing to 1: the newest has its own, the rest of the window by weight."""
    shares = np.zeros(len(snapshots))
    if not len(snapshots):
        return shares
    first = max(0, len(snapshots) - settings.window) if settings.window else 0
    others = other_shares(pool, snapshots[first:-1], settings.weighting)
    newest = settings.newest_ratio if len(others) else 1.0
    shares[first:-1] = (1.0 - newest) * others
    shares[-1] = newest
    return shares


def other_shares(pool: Pool, places: Places, weighting: Weighting) -> Floats:
    """Shares, summing to 1, of the snapshots but for the newest, by PFSP or the pool's mixture where it has one."""
    if weighting == "nash" or weighting == "alpha_rank":
        shares = pool.mixture(places)
        return shares if len(shares) else pfsp(pool, places, "variance")
    return pfsp(pool, places, weighting)


@dataclass(slots=True)
class Rotation:
    """The few members that a policy's new episodes draw from, so that cost does not grow with the pool.

    Members still in running episodes count towards the few; so half are dropped first, and new ones drawn later.
    In the long run each member gets about its share; large shares a little less, since such members are drawn again
    while they still play.
    """

    few: int
    swap_steps: int
    last_swap: int = 0
    drawn: dict[str, float] = field(default_factory=dict)  # member to share of those that are drawn

    def choose(self, odds: Odds, alive: Collection[str], *, step: int, rng: np.random.Generator) -> dict[str, float]:
        """Member to share, summing to the shares of `odds`; `alive` are the members in running episodes."""
        steady = {name: share for name, share in odds.shares.items() if name in odds.steady}
        total = sum(share for name, share in odds.shares.items() if name not in steady)
        if total <= 0:
            return steady
        rest = {name: share / total for name, share in odds.shares.items() if name not in steady}
        few = max(1, self.few - bool(steady))  # the newest is one of them
        self.drawn = {name: share for name, share in self.drawn.items() if name in rest}
        if len(rest) <= few:
            self.drawn = rest
        elif not self.drawn or step - self.last_swap >= self.swap_steps:
            room = few - len(set(alive) - steady.keys())
            self._swap(rest, few=few, room=room, step=step, rng=rng)
        return steady | {name: share * total for name, share in self.drawn.items()}

    def _swap(self, shares: dict[str, float], *, few: int, room: int, step: int, rng: np.random.Generator) -> None:
        """Draw new members where there is `room` for half of the few, else make room."""
        half = max(1, few // 2)
        if not self.drawn or room >= half:
            self.drawn = resample(shares, max(room, half), rng)
            self.last_swap = step
        elif len(self.drawn) > half:
            kept = rng.choice(list(self.drawn), half, replace=False).tolist()
            total = sum(self.drawn[name] for name in kept)
            self.drawn = {name: self.drawn[name] / total for name in kept}


def resample(shares: dict[str, float], count: int, rng: np.random.Generator) -> dict[str, float]:
    """Member to its part of `count` draws by share (systematic resampling, Kitagawa 1996, J. Comp. Graph. Stat. 5)."""
    points, names = (rng.random() + np.arange(count)) / count, list(shares)
    drawn = np.searchsorted(np.cumsum(list(shares.values())), points, side="right")
    found, times = np.unique(np.minimum(drawn, len(names) - 1), return_counts=True)
    return {names[place]: part for place, part in zip(found.tolist(), (times / count).tolist(), strict=True)}


def league_odds(role: str, pool: Pool) -> Odds:
    """The opponents of a role's policy in a league of a main policy and two exploiters; its pool has all snapshots.

    After AlphaStar (Vinyals et al. 2019, methods, and the pseudocode in its supplementary data):

        main              35% itself, 50% all snapshots, 15% exploiters or own snapshots that beat it, else itself
        main exploiter    the present main; while it hardly ever wins, snapshots of main
        league exploiter  all snapshots

    An exploiter is frozen once it beats its targets, or after freeze.save_steps, and may be reset to its first weights:
    the main exploiter always, the league exploiter with a chance of a quarter.  Differences from the paper: an
    exploiter that hardly wins still meets the present main in a tenth of its episodes, to notice when it can win; the
    main of such an episode learns from it too; the league exploiter's weights are (1 - x)^2, not min(1/2, 1 - x).
    """
    everyone = pool.places(kind="snapshot")
    if role == MAIN_EXPLOITER:
        return _main_exploiter_odds(pool)
    if not len(everyone):
        return Odds(1.0, live_policy=MAIN)
    if role == LEAGUE_EXPLOITER:
        return Odds(0.0, live_policy=MAIN, shares=named(pool, everyone, pfsp(pool, everyone, "hard")))
    rare = _rare_places(pool)
    shares = PAST * pfsp(pool, everyone, "hard")
    if len(rare):
        shares[np.searchsorted(everyone, rare)] += RARE * pfsp(pool, rare, "hard")
    return Odds(SELF_PLAY if len(rare) else SELF_PLAY + RARE, shares=named(pool, everyone, shares))


def win_rates(pool: Pool, places: Places) -> Floats:
    """Expected win rates, one half against a new member."""
    a, b = pool.beliefs(places)
    return a / (a + b)


def _main_exploiter_odds(pool: Pool) -> Odds:
    """The present main, unless it hardly ever loses."""
    main, past = pool.places(kind="live", policies=(MAIN,)), pool.places(kind="snapshot", policies=(MAIN,))
    if not len(past) or not len(main) or win_rates(pool, main)[0] > HARDLY:
        return Odds(1.0, live_policy=MAIN)
    shares = (1 - HARDLY) * pfsp(pool, past, "variance")
    return Odds(HARDLY, live_policy=MAIN, shares=named(pool, past, shares))


def _rare_places(pool: Pool) -> Places:
    """Exploiters' snapshots where one exploits main, else own snapshots where main forgot one, else none.

    The newest own snapshots are left out: main beats them less often because it is like them.
    """
    exploiters = pool.places(kind="snapshot", policies=(MAIN_EXPLOITER,))
    if len(exploiters) and win_rates(pool, exploiters).min() < EXPLOITED:
        return exploiters
    own = pool.places(kind="snapshot", policies=(MAIN,))
    rates = win_rates(pool, own)
    rises = np.flatnonzero(np.diff(rates) > 0)  # where a newer one is beaten more often than the one before
    own = own[: rises[-1] + 2] if len(rises) else own[:0]
    return own if len(own) and rates[: len(own)].min() < FORGOTTEN else own[:0]
