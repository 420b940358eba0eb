"""The options by which commands choose among takes, in one place."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

if TYPE_CHECKING:  # what these import is loaded when a command runs
    from arcade.recordings.library import Recording, RecordingLibrary
    from arcade.recordings.query import DatasetQuery


def _option(name: str, words: str, **more: Any) -> Any:
    return typer.Option(name, help=words, rich_help_panel="Which takes", show_default=False, **more)


_OPTIONS: Mapping[str, tuple[Any, Any]] = {  # field of DatasetQuery → type of the option, what stands for none
    "game": (Annotated[str, _option("--game", "Of this game.")], ""),
    "takes": (Annotated[Optional[list[str]], _option("--take", "This one; repeat it.", metavar="TAKE")], None),  # noqa: UP045
    "person": (Annotated[str, _option("--person", "Played by this person.")], ""),
    "seat": (Annotated[str, _option("--seat", "In this seat; a pattern like archer_*.", metavar="AGENT")], ""),
    "kind": (Annotated[str, _option("--kind", "By this kind of player: keyboard, snapshot, scripted …")], ""),
    "label": (Annotated[str, _option("--label", "By who is called so; a pattern like volley-*.")], ""),
    "outcome": (Annotated[str, _option("--outcome", "With this end for the seat: win, loss, draw.")], ""),
    "min_return": (Annotated[Optional[float], _option("--min-return", "With at least this return.")], None),  # noqa: UP045
    "max_return": (Annotated[Optional[float], _option("--max-return", "With at most this return.")], None),  # noqa: UP045
    "takeover": (Annotated[str, _option("--takeover", "only what people decided for machines, or without it.")], ""),
    "tag": (Annotated[str, _option("--tag", "With this tag.")], ""),
    "min_rating": (Annotated[int, _option("--min-rating", "With so many stars.", min=0, max=5)], 0),
}


@dataclass(frozen=True)
class Chosen:
    """The takes that options ask for."""

    query: DatasetQuery
    store: RecordingLibrary

    def takes(self) -> list[Recording]:
        """Newest first; where nothing is asked for all of them, also one whose file names nobody."""
        takes = self.store.list()[0]
        return [take for take in takes if self.query.seats(take)] if self.query.asks else [*takes]


def choosing(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the options of a DatasetQuery; its first parameter is what they chose, as a callable.

    Calling that raises a UserError for what cannot be, so call it where errors are told of::

        @app.command("count")
        @choosing
        def count(chosen: Callable[[], Chosen], as_json: Json = False) -> None:
            with mending():
                print(len(chosen().takes()))
    """

    @wraps(command)
    def with_options(**given: Any) -> None:
        options = {field: given.pop(field) for field in _OPTIONS}
        command(lambda: _chosen(options), **given)

    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    added = [
        inspect.Parameter(field, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for field, (kind, default) in _OPTIONS.items()
    ]
    own = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    with_options.__signature__ = inspect.Signature([*own, *added])  # type: ignore[attr-defined]
    with_options.__annotations__ = {each.name: each.annotation for each in [*own, *added]}
    return with_options


def _chosen(options: Mapping[str, Any]) -> Chosen:
    from agents.home import folder
    from arcade.games import find_game
    from arcade.recordings.library import RecordingLibrary
    from arcade.recordings.query import DatasetQuery

    store = RecordingLibrary(folder("replays"))
    takes = tuple(store.get(word).id for word in options["takes"] or ())
    game = _known(options["game"], store) or (find_game(options["game"]).id if options["game"] else "")
    return Chosen(DatasetQuery(**{**options, "takes": takes, "game": game}), store)


def _known(game: str, store: RecordingLibrary) -> str:
    """The game itself where takes have it: it may be one that cannot be had here."""
    return game if any(take.card.game == game for take in store.list()[0]) else ""
