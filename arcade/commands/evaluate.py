"""``arcade evaluate``."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated, Any

import typer

from arcade.commands.options import MATCH_OPTIONS, Game, Json, Seats, hide_windows, seats_of, with_options


@with_options(MATCH_OPTIONS, dict)
def evaluate(
    rules: dict[str, Any],
    game: Game,
    seat: Seats = None,
    episodes: Annotated[int, typer.Option(min=1, help="Matches to play.")] = 100,
    swap: Annotated[
        bool | None,
        typer.Option(
            "--swap/--no-swap", help="Play each seed once a side; default: where players can.", show_default=False
        ),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; default: as many as save time.")] = None,
    ladder: Annotated[bool, typer.Option("--ladder", help="Add the results to the ladder.")] = False,
    as_json: Json = False,
) -> None:
    """Measure players over many headless matches: returns, lengths and outcomes with 95 % intervals."""
    hide_windows()
    from arcade import api
    from arcade.commands.evaluate_text import print_evaluation, print_failures
    from arcade.commands.terminal import tracked

    data = api.evaluate(
        game, seats_of(seat), episodes=episodes, swap=swap, workers=workers, ladder=ladder, **rules,
        watch=partial(tracked, quiet=as_json),
    )  # fmt: skip
    print(json.dumps(data)) if as_json else print_evaluation(data)
    print_failures(data["failures"])
    raise typer.Exit(1 if data["failures"] else 0)
