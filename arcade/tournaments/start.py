"""Beginning and resuming tournaments, by any executor."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from agents.home import home
from agents.ladder.ladder import Ladder
from agents.snapshots.store import open_store
from arcade.games import missing, open_game
from arcade.games.spec import GameSpec
from arcade.match.batch.plan import Executor, Fixture, MatchPlan
from arcade.tournaments.entrants import default_patterns, find_entrants
from arcade.tournaments.pairings import TournamentError
from arcade.tournaments.plan import TournamentPlan, read_plan, write_plan
from arcade.tournaments.tournament import Tournament, TournamentProgress, match_plan

MakeExecutor = Callable[[MatchPlan, Sequence[Fixture]], Executor]
"""Makes what plays a plan, of which the fixtures are the first round."""

MakeProgress = Callable[[Tournament], AbstractContextManager[TournamentProgress]]


def begin(game: str, patterns: Sequence[str], *, id: str, settings: Mapping[str, Any]) -> TournamentPlan:
    """Write the plan of a new tournament; no patterns: all snapshots, the scripted player and random play."""
    spec, store = _installed(game), open_store()
    entrants = find_entrants(patterns or default_patterns(spec, store), spec, store)
    stem = spec.id.rpartition("/")[2].replace(":", "-")
    id = id or f"{stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    plan = TournamentPlan(id=id, game=spec.id, entrants=entrants, **{"seed": secrets.randbelow(2**31)} | dict(settings))
    with Ladder(home() / "ladder.sqlite") as ladder:
        Tournament(plan, spec, ladder).first_round()  # a plan without a first round is refused, and not kept
    write_plan(plan)
    return plan


def resume(
    word: str, *, executor: MakeExecutor, progress: MakeProgress = lambda tournament: nullcontext(TournamentProgress())
) -> dict[str, Any]:
    """Play the matches that the tournament `word`, or "newest", does not have yet, and return its result."""
    plan = read_plan(word)
    spec = _installed(plan.game)
    matches = match_plan(plan, spec, open_store())
    with Ladder(home() / "ladder.sqlite") as ladder:
        tournament = Tournament(plan, spec, ladder)
        with executor(matches, tournament.first_round()) as own, progress(tournament) as followed:
            return tournament.play(own, followed)


def _installed(game: str) -> GameSpec:
    spec = open_game(game)
    if needed := missing(spec):
        raise TournamentError(f"expected the packages of {spec.id}; install them with: {needed}")
    return spec
