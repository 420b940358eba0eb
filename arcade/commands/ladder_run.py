"""``arcade ladder run``: play a tournament, new or resumed."""

from __future__ import annotations

import json
import os
import secrets
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from typer.core import TyperCommand

from agents.home import home

if TYPE_CHECKING:
    from agents.snapshots.store import SnapshotStore
    from arcade.games.spec import GameSpec
    from arcade.match.batch.executor import Executor
    from arcade.match.batch.plan import MatchPlan
    from arcade.tournaments.plan import TournamentPlan

MakeExecutor = Callable[["MatchPlan"], "Executor"]


class TournamentCommand(TyperCommand):
    """Takes several patterns behind one ``--entrant``, and ``--resume`` with or without an id."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _one_value_each(args))


def _one_value_each(args: Sequence[str]) -> list[str]:
    words: list[str] = []
    option = ""
    for at, word in enumerate(args):
        if word.startswith("-") and word != "-":
            option = word
        elif option == "--entrant" and words[-1] != option:
            words.append(option)
        words.append(word)
        if word == "--resume" and (at + 1 == len(args) or args[at + 1].startswith("-")):
            words.append("newest")
    return words


@dataclass(frozen=True, kw_only=True)
class TournamentRequest:
    """The options of ``arcade ladder run``; see its help."""

    game: str = ""
    entrants: Sequence[str] = ()
    settings: dict[str, Any] = field(default_factory=dict)  # of the plan, None where they are not given
    id: str = ""
    resume: str | None = None
    workers: int | None = None
    as_json: bool = False

    @property
    def given(self) -> dict[str, Any]:
        """The settings that were given."""
        return {name: value for name, value in self.settings.items() if value is not None}


def run(request: TournamentRequest, *, executor: MakeExecutor | None = None) -> int:
    """Play, print the standings, and return the exit status; by `executor`, or on this machine."""
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    try:
        with redirect_stdout(sys.stderr):  # modules that are entered may print when they are imported
            result, plan = _play(request, executor)
    except KeyboardInterrupt:
        print("arcade: the matches so far are on the ladder; resume with: arcade ladder run --resume", file=sys.stderr)
        return 130
    from arcade.commands.tournament_text import print_result

    print(json.dumps(result)) if request.as_json else print_result(result, plan)
    return 0


def run_on_ray(request: TournamentRequest, address: str) -> NoReturn:
    """Become the trainer's program for Ray, which must never be loaded here."""
    words = [sys.executable, "-m", "trainer.cluster.tournament", address, json.dumps(asdict(request))]
    os.execv(sys.executable, words)


def _play(request: TournamentRequest, executor: MakeExecutor | None) -> tuple[dict[str, Any], TournamentPlan]:
    from agents.ladder.ladder import Ladder
    from agents.snapshots.search import open_store
    from arcade.commands.tournament_text import LiveStandings
    from arcade.match.batch.chunks import is_small
    from arcade.match.batch.processes import Processes, cores
    from arcade.tournaments.plan import write_plan
    from arcade.tournaments.tournament import Tournament, match_plan

    store = open_store()
    plan, spec = begin(request, store)
    with Ladder(home() / "ladder.sqlite") as ladder:
        matches, tournament = match_plan(plan, spec, store), Tournament(plan, spec, ladder)
        small = is_small(matches, tournament.first_round())
        if request.resume is None:
            write_plan(plan)
        workers = request.workers or (1 if small else cores())
        with (
            executor(matches) if executor else Processes(matches, workers) as own,
            LiveStandings(plan, cooperative=tournament.cooperative, quiet=request.as_json) as progress,
        ):
            return tournament.play(own, progress), plan


def begin(request: TournamentRequest, store: SnapshotStore) -> tuple[TournamentPlan, GameSpec]:
    """The plan of a new tournament, or of the one to resume.

    Raises TournamentError, GameError, or the errors of `find_entrants`.
    """
    from arcade.tournaments.entrants import default_patterns, find_entrants
    from arcade.tournaments.pairings import TournamentError
    from arcade.tournaments.plan import TournamentPlan, read_plan

    if request.resume is not None:
        if request.given or request.game or request.entrants or request.id:
            raise TournamentError(
                "expected --resume [ID] with --workers, --ray-address or --json alone, got more; "
                "a tournament keeps its plan"
            )
        plan = read_plan(request.resume)
        return plan, _installed(plan.game)
    if not request.game:
        raise TournamentError("expected a game such as house/volley, got none; see: arcade games")
    spec = _installed(request.game)
    entrants = find_entrants(request.entrants or default_patterns(spec, store), spec, store)
    stem = spec.id.rpartition("/")[2].replace(":", "-")
    id = request.id or f"{stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    settings = {"seed": secrets.randbelow(2**31)} | request.given
    return TournamentPlan(id=id, game=spec.id, entrants=entrants, **settings), spec


def _installed(game: str) -> GameSpec:
    from arcade.games import open_game
    from arcade.games.catalogue import missing
    from arcade.tournaments.pairings import TournamentError

    spec = open_game(game)
    if needed := missing(spec):
        raise TournamentError(f"expected the packages of {spec.id}; install them with: {needed}")
    return spec
