"""Options, and the report of errors, that commands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated

import typer

from agents.errors import UserError

Game = Annotated[str, typer.Argument(help="A game of the catalogue (house/volley) or module:function.")]
SomeGames = Annotated[list[str] | None, typer.Argument(help="Only these games; default: all.", show_default=False)]
Seats = Annotated[
    list[str] | None,
    typer.Option("--seat", metavar="AGENT=CONTROLLER", help="A seat's controller; repeatable, *= sets the rest."),
]
MaxTicks = Annotated[int | None, typer.Option(min=1, help="Ticks after which a match ends.", show_default=False)]
Seed = Annotated[
    int | None,
    typer.Option(min=0, max=2**32 - 1, help="Seed of the first match; later ones count up.", show_default=False),
]
Sticky = Annotated[float, typer.Option(min=0, max=0.99, help="Probability that a seat's last action is repeated.")]
Skip = Annotated[int, typer.Option(min=1, max=16, help="Ticks for which each decision is held.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print comma-separated values instead of text.")]


def seats_of(words: list[str] | None) -> dict[str, str]:
    """``AGENT=CONTROLLER`` words as a mapping.  Raises SeatError."""
    from agents.seats.choice import SeatError

    seats: dict[str, str] = {}
    for word in words or ():
        agent, equals, seat = word.partition("=")
        if not equals:
            raise SeatError(f"expected AGENT=CONTROLLER, as in left_0=random or '*=random', got: {word!r}")
        if agent in seats:
            raise SeatError(f"expected each seat once, got a second word for {agent!r}: {word!r}")
        seats[agent] = seat
    return seats


def complete_options(args: Sequence[str], *, several: Sequence[str] = ()) -> list[str]:
    """Repeat an option of `several` before each of its values, and complete a bare ``--resume`` by "newest"."""
    words: list[str] = []
    option = ""
    for place, word in enumerate(args, 1):
        if word.startswith("-") and word != "-":
            option = word
        elif option in several and words[-1] != option:
            words.append(option)
        words.append(word)
        if word == "--resume" and (place == len(args) or args[place].startswith("-")):
            words.append("newest")
    return words


def hide_windows() -> None:
    """Keep pygame, which games import, from opening a window or a sound device in this process."""
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")


@contextmanager
def errors_reported() -> Iterator[None]:
    """Print a UserError as one line on stderr and exit with status 2."""
    try:
        yield
    except UserError as error:
        print(f"arcade: {error}", file=sys.stderr)
        raise typer.Exit(2) from error
