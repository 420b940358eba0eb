"""``arcade ladder run``: play a tournament, new or resumed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from typer.core import TyperCommand

from arcade.commands.options import hide_windows

if TYPE_CHECKING:
    from arcade.tournaments.tournament import MakeExecutor


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
    """The options of ``arcade ladder run``, which another process may carry out; see its help."""

    game: str = ""
    entrants: Sequence[str] = ()
    settings: dict[str, Any] = field(default_factory=dict)  # of the plan, those that are given
    id: str = ""
    resume: str | None = None
    workers: int | None = None
    as_json: bool = False


def run(request: TournamentRequest, *, executor: MakeExecutor | None = None) -> int:
    """Play, print the standings, and return the exit status; by `executor`, or on this machine."""
    hide_windows()
    from arcade import api
    from arcade.commands.tournament_text import LiveStandings, print_result
    from arcade.tournaments.plan import read_plan

    try:
        with redirect_stdout(sys.stderr):  # Python modules of entrants may print when they are imported
            result = api.tournament(
                request.game, request.entrants, id=request.id, resume=request.resume, workers=request.workers,
                executor=executor, progress=lambda played: LiveStandings(
                    played.plan, cooperative=played.cooperative, quiet=request.as_json
                ), **request.settings,
            )  # fmt: skip
    except KeyboardInterrupt:
        print("arcade: the matches so far are on the ladder; resume with: arcade ladder run --resume", file=sys.stderr)
        return 130
    print(json.dumps(result)) if request.as_json else print_result(result, read_plan(result["id"]))
    return 0


def run_on_ray(request: TournamentRequest, address: str) -> NoReturn:
    """Become the trainer's program for Ray, which must never be loaded here."""
    words = [sys.executable, "-m", "trainer.cluster.tournament", address, json.dumps(asdict(request))]
    os.execv(sys.executable, words)
