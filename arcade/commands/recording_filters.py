"""The options by which commands select recordings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:  # what these import is loaded when a command runs
    from arcade.recordings.library import Recording, RecordingLibrary, UnreadableRecording
    from arcade.recordings.query import DatasetQuery

Option = tuple[Any, Any]
"""The annotation of a parameter, and its default."""


def _option(kind: Any, default: Any, help: str, *names: str, **more: Any) -> Option:
    option = typer.Option(*names, help=help, rich_help_panel="Which recordings", show_default=False, **more)
    return Annotated[kind, option], default


SEAT_OPTIONS: Mapping[str, Option] = {
    "person": _option(str, "", "Played by this person."),
    "seat": _option(str, "", "In this seat; a pattern like archer_*.", metavar="AGENT"),
    "kind": _option(str, "", "By this kind of player: keyboard, snapshot, scripted …"),
    "label": _option(str, "", "By a player of this label; a pattern like volley-*."),
    "outcome": _option(str, "", "With this end for the seat: win, loss, draw."),
    "min_return": _option(float | None, None, "With at least this return."),
    "max_return": _option(float | None, None, "With at most this return."),
    "takeover": _option(str, "", "only decisions of people who took over from AI, or without them."),
    "tag": _option(str, "", "With this tag."),
    "min_rating": _option(int, 0, "With at least this many stars.", min=0, max=5),
}
"""By field of DatasetQuery."""

OPTIONS: Mapping[str, Option] = {
    "game": _option(str, "", "Of this game."),
    "recordings": _option(list[str] | None, None, "This one; repeatable.", "--recording", metavar="RECORDING"),
    "take": _option(list[str] | None, None, "", hidden=True),  # the former name of the one above
    **SEAT_OPTIONS,
}


@dataclass(frozen=True)
class Chosen:
    """The recordings that options select."""

    query: DatasetQuery
    recordings: Sequence[Recording]  # newest first
    library: RecordingLibrary
    unreadable: Sequence[UnreadableRecording]


def with_options(options: Mapping[str, Option], read: Callable[[dict[str, Any]], Any]) -> Callable[..., Any]:
    """Give a command more options; its first parameter is what `read` makes of their values.

    @app.command("count")
    @with_options(OPTIONS, choose)
    def count(chosen: Chosen, as_json: Json = False) -> None:
        print(len(chosen.recordings))
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def with_more(**given: Any) -> None:
            command(read({name: given.pop(name) for name in options}), **given)

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


def choose(options: Mapping[str, Any]) -> Chosen:
    """The recordings of ARCADE_HOME that the values of `OPTIONS` select.  Raises UserError for a wrong one."""
    from rich.console import Console

    from agents.home import folder
    from arcade.games import find_game
    from arcade.recordings.library import RecordingLibrary
    from arcade.recordings.query import DatasetQuery

    library, fields = RecordingLibrary(folder("replays")), dict(options)
    with Console(stderr=True).status("reading recordings …"):  # long where cards are missing
        everything, unreadable = library.list()
    words = [*(fields.pop("take") or ()), *(fields["recordings"] or ())]
    fields["recordings"] = tuple(library.get(word).id for word in words)
    game = fields["game"]
    if game and all(one.card.game != game for one in everything):  # a recorded game may be missing here
        fields["game"] = find_game(game).id
    query = DatasetQuery(**fields)
    return Chosen(query, query.filter(everything), library, unreadable)


choosing = with_options(OPTIONS, choose)
"""Gives a command the options of recordings; its first parameter is `Chosen`."""
