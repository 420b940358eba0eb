"""``arcade evaluate``."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated

import typer

from arcade.commands.options import Game, Json, MaxTicks, Seats, Seed, Skip, Sticky, hide_windows, seats_of


def evaluate(
    game: Game,
    seat: Seats = None,
    episodes: Annotated[int, typer.Option(min=1, help="Matches to play.")] = 100,
    seed: Seed = None,
    max_ticks: MaxTicks = None,
    swap: Annotated[
        bool | None,
        typer.Option(
            "--swap/--no-swap", help="Play each seed once a side; default: where players can.", show_default=False
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes; default: as many as are worth their start.")
    ] = None,
    sticky_actions: Sticky = 0.0,
    frame_skip: Skip = 1,
    ladder: Annotated[bool, typer.Option("--ladder", help="Add the results to the ladder.")] = False,
    as_json: Json = False,
) -> None:
    """Measure players over many headless matches: returns, lengths and outcomes with 95 % intervals."""
    hide_windows()
    from arcade import api
    from arcade.commands.evaluate_text import print_evaluation, print_failures
    from arcade.commands.terminal import tracked

    data = api.evaluate(
        game, seats_of(seat), episodes=episodes, seed=seed, max_ticks=max_ticks, swap=swap, workers=workers,
        sticky_actions=sticky_actions, frame_skip=frame_skip, ladder=ladder, watch=partial(tracked, quiet=as_json),
    )  # fmt: skip
    print(json.dumps(data)) if as_json else print_evaluation(data)
    print_failures(data["failures"])
    raise typer.Exit(1 if data["failures"] else 0)
