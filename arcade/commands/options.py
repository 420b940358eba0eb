"""Command-line options, progress bars and error reports that several commands share."""

from __future__ import annotations

import inspect
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand

from agents.errors import EXIT_CODES, UserError, code_of
from agents.plain_text import plain
from arcade.commands.completion import complete_game

Game = Annotated[
    str,
    typer.Argument(help="A game of the catalogue (house/volley) or module:function.", autocompletion=complete_game),
]
SomeGames = Annotated[
    list[str] | None,
    typer.Argument(help="Only these games; default: all.", show_default=False, autocompletion=complete_game),
]
Seats = Annotated[
    list[str] | None,
    typer.Option("--seat", metavar="AGENT=CONTROLLER", help="A seat's controller; repeatable, *= sets the rest."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print comma-separated values instead of text.")]

Item = TypeVar("Item")

OPENINGS = typer.Option(
    "--openings",
    metavar="FILE",
    dir_okay=False,
    help="Start positions or first moves of a board game: PGN, SGF, EPD, FEN, or a line each.",
)

UsageError: Any = typer.BadParameter.__base__
"""Typer's error for wrong words of a command; it has no public name there."""

Option = tuple[Any, Any]
"""The annotation of a parameter, and its default."""


def option(kind: Any, default: Any, help: str, *names: str, **more: Any) -> Option:
    """An option for `with_options`; `more` are arguments of typer.Option."""
    return Annotated[kind, typer.Option(*names, help=help, show_default=bool(default), **more)], default


MATCH_OPTIONS = {
    "max_ticks": option(int | None, None, "Ticks after which a match ends.", min=1),
    "seed": option(int | None, None, "Seed of the first match; later ones count up.", min=0, max=2**32 - 1),
    "sticky_actions": option(float, 0.0, "Probability that a seat's last action is repeated.", min=0, max=0.99),
    "frame_skip": option(int, 1, "Ticks for which each decision is held.", min=1, max=16),
}


def with_options(options: Mapping[str, Option], read: Callable[[dict[str, Any]], Any]) -> Callable[..., Any]:
    """Give a command more options; its first parameter is what `read` makes of their values.

    @app.command("count")
    @with_options(MATCH_OPTIONS, dict)
    def count(rules: dict[str, Any], as_json: Json = False) -> None:
        print(rules["frame_skip"])
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def with_more(*earlier: Any, **given: Any) -> None:
            values = {name: given.pop(name, default) for name, (_, default) in options.items()}
            command(read(values), *earlier, **given)

        keyword = inspect.Parameter.KEYWORD_ONLY
        own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
        parameters = [parameter.replace(kind=keyword) for parameter in own] + [
            inspect.Parameter(name, keyword, default=default, annotation=kind)
            for name, (kind, default) in options.items()
        ]
        with_more.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        with_more.__annotations__ = {each.name: each.annotation for each in parameters}
        return with_more

    return decorate


def given(values: dict[str, Any]) -> dict[str, Any]:
    """The values that are not None, for `with_options`."""
    return {name: value for name, value in values.items() if value is not None}


def seats_of(texts: list[str] | None) -> dict[str, str]:
    """``AGENT=CONTROLLER`` texts as a mapping.  Raises SeatError."""
    from agents.seats.controller import SeatError

    seats: dict[str, str] = {}
    for text in texts or ():
        agent, equals, seat = text.partition("=")
        if not equals:
            raise SeatError(f"expected AGENT=CONTROLLER, as in left_0=random or '*=random', got: {text!r}")
        if agent in seats:
            raise SeatError(f"expected each seat once, got a second one for {agent!r}: {text!r}")
        seats[agent] = seat
    return seats


def complete_options(args: Sequence[str], *, several: Sequence[str] = ()) -> list[str]:
    """Repeat an option of `several` before each of its values, and complete a bare ``--resume`` by "newest"."""
    completed: list[str] = []
    option = ""
    for place, argument in enumerate(args, 1):
        if argument.startswith("-") and argument != "-":
            option = argument
        elif option in several and completed[-1] != option:
            completed.append(option)
        completed.append(argument)
        if argument == "--resume" and (place == len(args) or args[place].startswith("-")):
            completed.append("newest")
    return completed


def seat_words(seats: Mapping[str, str]) -> list[str]:
    """Return seats as ``AGENT=CONTROLLER`` words."""
    return [f"{agent}={word}" for agent, word in seats.items()]


def tracked(items: Iterable[Item], total: int | None = None, title: str = "matches", *, quiet: bool) -> Iterator[Item]:
    """Iterate with a progress bar and the time left on stderr, where that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    progress = Progress(
        console=console, transient=True, disable=quiet or not console.is_terminal,
        redirect_stdout=sys.stdout.isatty(),  # else lines of a file or a pipe would go to the terminal
    )  # fmt: skip
    with progress:
        yield from progress.track(items, total=total, description=title)


def hide_windows() -> None:
    """Keep pygame, which games import, from opening a window or a sound device in this process."""
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")


@contextmanager
def errors_reported() -> Iterator[None]:
    """Print a UserError as one line on stderr, with --json as one object on stdout, and exit with its status.

    An OSError that names a path is printed in the same way: a name that the disk cannot hold, a disk that is full or
    broken.  Typer reports wrong words of a command itself; with --json the object comes first.
    """
    try:
        yield
    except (UserError, OSError) as error:
        if not isinstance(error, UserError) and (error.filename is None or not error.strerror):
            raise
        if isinstance(error, UserError):
            known = error
        else:
            known = UserError(f"{error.strerror}: {error.filename!s:.200}", code=code_of(error))
        if "--json" in sys.argv:
            print(json.dumps({"error": known.as_json()}))
        print(f"arcade: {plain(str(known))}", file=sys.stderr)
        raise typer.Exit(EXIT_CODES[known.code]) from error
    except UsageError as error:
        if "--json" in sys.argv:
            hint = f"see: {error.ctx.command_path} --help" if error.ctx else ""
            print(json.dumps({"error": {"code": "invalid", "message": error.format_message(), "hint": hint}}))
        raise


class ErrorReporting:
    """Mixed into a class of Typer's commands: `errors_reported` while words are read, and while the command runs."""

    def make_context(self, *args: Any, **more: Any) -> Any:
        with errors_reported():
            return super().make_context(*args, **more)  # type: ignore[misc]  # both bases are private in Typer

    def invoke(self, ctx: Any) -> Any:
        with errors_reported():
            return super().invoke(ctx)  # type: ignore[misc]


class ReportedCommand(ErrorReporting, TyperCommand):
    """The command of a program that has one alone."""
