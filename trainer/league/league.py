"""The league: a main policy and two exploiters on the same seats, each with opponents of its own kind.

After AlphaStar (Vinyals et al. 2019, Nature 575, 350-354, methods, and the pseudocode in its supplementary data):

    main              35 % itself, 50 % all snapshots, 15 % exploiters or own snapshots that beat it, else itself
    main exploiter    the present main; while it hardly ever wins, snapshots of main
    league exploiter  all snapshots

An exploiter is frozen once it beats its targets, or after freeze.save_steps, and may be reset to its first weights: the
main exploiter always, the league exploiter with a chance of a quarter.  Differences from the paper: an exploiter that
hardly wins still meets the present main in a tenth of its episodes, to notice when it can win; the main of such an
episode learns from it too; the league exploiter's weights are (1 - x)^2 rather than min(1/2, 1 - x).
"""

from __future__ import annotations

import numpy as np

from agents.statistics import Floats
from trainer.config.sections import FreezeSettings
from trainer.league.odds import Odds, Places, named, pfsp
from trainer.league.pool import Pool
from trainer.sampling.plan import LEAGUE_EXPLOITER, MAIN, MAIN_EXPLOITER

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


def league_odds(role: str, pool: Pool) -> Odds:
    """The opponents of a role's policy; its pool has the snapshots of all three."""
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


def learner_due(settings: FreezeSettings, pool: Pool, *, steps: int) -> str:
    """The reason to freeze a policy that is no exploiter, `steps` after its last freeze; "" for not yet."""
    if settings.save_steps and steps >= settings.save_steps:
        return "steps"
    recent = pool.recent()
    enough = steps >= settings.min_steps and recent.games >= settings.min_games
    return "win rate" if settings.win_rate and enough and recent.win_rate >= settings.win_rate else ""


def exploiter_due(role: str, settings: FreezeSettings, pool: Pool, *, steps: int) -> str:
    """The reason to freeze an exploiter, `steps` after its last freeze; "" for not yet."""
    if settings.save_steps and steps >= settings.save_steps:
        return "time out"
    if not settings.win_rate or steps < settings.min_steps:
        return ""
    targets = pool.places(kind="live", policies=(MAIN,)) if role == MAIN_EXPLOITER else pool.places(kind="snapshot")
    if not len(targets) or pool.recent(targets).games < settings.min_games:
        return ""
    return "targets beaten" if win_rates(pool, targets).min() >= settings.win_rate else ""


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
