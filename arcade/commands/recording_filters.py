"""Options that select recordings (by game, person, tag …), shared by commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from arcade.commands.options import option, with_options

if TYPE_CHECKING:  # what these import is loaded when a command runs
    from arcade.recordings.library import Recording, RecordingLibrary, UnreadableRecording
    from arcade.recordings.query import DatasetQuery

_option = partial(option, rich_help_panel="Which recordings")

SEAT_OPTIONS = {
    "person": _option(str, "", "Played by this person."),
    "seat": _option(str, "", "In this seat; a pattern like archer_*.", metavar="AGENT"),
    "kind": _option(str, "", "By this kind of player: keyboard, snapshot, scripted …"),
    "label": _option(str, "", "By a player of this label; a pattern like volley-*."),
    "outcome": _option(str, "", "With this end for the seat: win, loss, draw."),
    "min_return": _option(float | None, None, "With at least this return."),
    "max_return": _option(float | None, None, "With at most this return."),
    "takeover": _option(str, "", "only: decisions of people who took over from AI; without: all others."),
    "tag": _option(str, "", "With this tag."),
    "min_rating": _option(int, 0, "With at least this many stars.", min=0, max=5),
}
"""By field of DatasetQuery."""

OPTIONS = {
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


def choose(options: Mapping[str, Any]) -> Chosen:
    """The recordings of ARCADE_HOME that the values of `OPTIONS` select.  Raises UserError for a wrong one."""
    from rich.console import Console

    from agents.files import folder
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
