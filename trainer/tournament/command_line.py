"""The words behind ``arcade ladder run`` (``python -m trainer.tournament``), and the plan that they mean."""

from __future__ import annotations

import argparse
import secrets
import time

from agents.snapshots.store import SnapshotStore
from arcade.games.spec import GameSpec
from arcade.tournaments.entrants import default_patterns, find_entrants
from arcade.tournaments.plan import FORMATS, NEWEST, Plan, TournamentError, read_plan, write_plan
from trainer.runs.choice import find_installed

OF_THE_PLAN = ("format", "games", "rounds", "bound", "seed", "max_ticks", "move_seconds", "match_seconds")


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="arcade ladder run", description="Play a tournament and book every match on the ladder."
    )
    add = parser.add_argument
    add("game", nargs="?", default="", help="catalogue id, as in house/volley; not with --resume")
    add("--entrant", nargs="+", action="extend", default=[], metavar="PATTERN", help=(
        "snapshot:volley-*, scripted, random, uci:stockfish?skill=3, gtp:gnugo?level=1, remote:ENDPOINT, "
        "python:module:function; limits behind a question mark; default: all snapshots, scripted and random"
    ))  # fmt: skip
    add("--format", choices=FORMATS, help="default: round-robin")
    add("--games", type=int, metavar="N", help="seeds a meeting, each played once in every seating; default: 10")
    add("--rounds", type=int, metavar="N", help="of swiss; of informative at most")
    add("--bound", type=float, metavar="ELO", help="informative: until every interval is ± so much; default: 50")
    add("--seed", type=int, help="the same seed, the same matches")
    add("--max-ticks", type=int, metavar="N", help="of a match; default: 20000")
    add("--move-seconds", type=float, metavar="S", help="for an answer, else it forfeits; default: 10")
    add("--match-seconds", type=float, metavar="S", help="for a match of others than snapshots; default: 600")
    add("--workers", type=int, metavar="N", help="that play at once; default: one a core")
    add("--ray-address", default="", metavar="ADDRESS", help="cluster to play on, as in HOST:6379 or auto")
    add("--id", default="", help="of the tournament; default: game and time")
    add("--resume", nargs="?", const=NEWEST, metavar="ID", help="go on with a tournament, the newest that is not over")
    add("--json", action="store_true", help="print one JSON object instead of text")
    return parser


def begin(options: argparse.Namespace, store: SnapshotStore) -> tuple[Plan, GameSpec]:
    """The plan of a new tournament, written into its folder, or of one to go on with.

    Raises TournamentError, GameError, or what `find_entrants` does.
    """
    given = {name: getattr(options, name) for name in OF_THE_PLAN if getattr(options, name) is not None}
    if options.workers is not None and options.workers < 1:
        raise TournamentError(f"expected --workers of at least 1, got: {options.workers}")
    if options.resume is not None:
        if given or options.game or options.entrant or options.id:
            raise TournamentError(
                "expected --resume [ID] with --workers, --ray-address or --json alone, got more; "
                "a tournament keeps its plan"
            )
        plan = read_plan(options.resume)
        return plan, find_installed(plan.game)
    if not options.game:
        raise TournamentError("expected a game such as house/volley, got none; see: arcade games")
    spec = find_installed(options.game)
    entrants = find_entrants(options.entrant or default_patterns(spec, store), spec, store)
    stem = spec.id.rpartition("/")[2].replace(":", "-")
    given.setdefault("seed", secrets.randbelow(2**31))
    plan = Plan(
        id=options.id or f"{stem}-{time.strftime('%Y%m%d-%H%M%S')}", game=spec.id, entrants=entrants, **given
    )  # fmt: skip
    return plan, spec


def keep(plan: Plan, options: argparse.Namespace) -> None:
    """Write the plan of a new tournament."""
    if options.resume is None:
        write_plan(plan)
