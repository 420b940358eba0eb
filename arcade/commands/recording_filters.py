"""The options by which commands choose among recordings."""

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
    return typer.Option(name, help=words, rich_help_panel="Which recordings", show_default=False, **more)


_OPTIONS: Mapping[str, tuple[Any, Any]] = {  # field of DatasetQuery → type of the option, what stands for none
    "game": (Annotated[str, _option("--game", "Of this game.")], ""),
    "recordings": (
        Annotated[list[str] | None, _option("--recording", "This one; repeatable.", metavar="RECORDING")],
        None,
    ),
    "take": (Annotated[Optional[list[str]], _option("--take", "", hidden=True)], None),  # noqa: UP045  (the name before)
    "person": (Annotated[str, _option("--person", "Played by this person.")], ""),
    "seat": (Annotated[str, _option("--seat", "In this seat; a pattern like archer_*.", metavar="AGENT")], ""),
    "kind": (Annotated[str, _option("--kind", "By this kind of player: keyboard, snapshot, scripted …")], ""),
    "label": (Annotated[str, _option("--label", "By a player of this label; a pattern like volley-*.")], ""),
    "outcome": (Annotated[str, _option("--outcome", "With this end for the seat: win, loss, draw.")], ""),
    "min_return": (Annotated[Optional[float], _option("--min-return", "With at least this return.")], None),  # noqa: UP045
    "max_return": (Annotated[Optional[float], _option("--max-return", "With at most this return.")], None),  # noqa: UP045
    "takeover": (
        Annotated[str, _option("--takeover", "only decisions of people who took over from AI, or without them.")],
        "",
    ),
    "tag": (Annotated[str, _option("--tag", "With this tag.")], ""),
    "min_rating": (Annotated[int, _option("--min-rating", "With at least so many stars.", min=0, max=5)], 0),
}


@dataclass(frozen=True)
class Chosen:
    """The recordings that options ask for."""

    query: DatasetQuery
    library: RecordingLibrary

    def recordings(self) -> list[Recording]:
        """Newest first."""
        return self.query.filter(self.library.list()[0])


def choosing(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a DatasetQuery; its first parameter is a callable that returns what they chose.

    It raises UserError for a wrong option, so call it where errors are reported::

        @app.command("count")
        @choosing
        def count(chosen: Callable[[], Chosen], as_json: Json = False) -> None:
            with reported():
                print(len(chosen().recordings()))
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

    library, asked = RecordingLibrary(folder("replays")), dict(options)
    words = [*(asked.pop("take") or ()), *(asked["recordings"] or ())]
    asked["recordings"] = tuple(library.get(word).id for word in words)
    game = asked["game"]
    if game and all(one.card.game != game for one in library.list()[0]):  # a recorded game may be missing here
        asked["game"] = find_game(game).id
    return Chosen(DatasetQuery(**asked), library)
