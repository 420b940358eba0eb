"""RecordingList: filters the recordings of a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arcade.language import N_, _
from arcade.recordings.library import Recording, UnreadableRecording
from arcade.recordings.query import DatasetQuery
from arcade.session.player_names import PlayerNames

if TYPE_CHECKING:
    from arcade.games.spec import GameSpec

ANY = ""
"""The value of an inactive filter."""

FILTERS = ("game", "person", "outcome", "tag")
_OUTCOMES = ("win", "loss", "draw")
_ALL = {"game": N_("All games"), "person": N_("All people"), "outcome": N_("Any result"), "tag": N_("Any tag")}
_ENDS = {"win": N_("{player} won"), "loss": N_("{player} lost"), "draw": N_("{player} drew")}


@dataclass
class RecordingList:
    """All recordings and those that pass the filters::

    recordings = RecordingList(games={spec.id: spec for spec in services.library.games})
    recordings.fill(*store.list())
    recordings.filter("person", "Ann")
    recordings.shown                              # newest first; unfiltered, the unreadable ones last
    """

    games: Mapping[str, GameSpec]
    all: tuple[Recording, ...] = ()
    bad: tuple[UnreadableRecording, ...] = ()
    chosen: dict[str, str] = field(default_factory=lambda: dict.fromkeys(FILTERS, ANY))
    shown: tuple[Recording | UnreadableRecording, ...] = ()
    options: dict[str, Sequence[str]] = field(default_factory=lambda: {name: _options(name, ()) for name in FILTERS})
    snapshots: Mapping[str, str] = field(default_factory=dict)  # their short names

    def fill(self, recordings: Iterable[Recording], bad: Iterable[UnreadableRecording]) -> None:
        """Replace the list; a filter without its option any more is reset."""
        self.all, self.bad = tuple(recordings), tuple(bad)
        self.options = {name: _options(name, self.all) for name in FILTERS}
        for name in FILTERS:
            if self.chosen[name] not in self.options[name]:
                self.chosen[name] = ANY
        self._choose()

    def filter(self, name: str, value: str) -> None:
        """Set one of FILTERS to an option, ANY to reset it."""
        if name not in FILTERS or value not in self.options[name]:
            raise ValueError(
                f"expected a filter among {', '.join(FILTERS)} and one of its options, got: {name}={value}"
            )
        self.chosen[name] = value
        self._choose()

    def label(self, name: str, value: str) -> str:
        """The text of an option."""
        if value == ANY:
            return _(_ALL[name])
        if name == "outcome":
            return _(_ENDS[value]).format(player=self.chosen["person"] or _("A person"))
        return self.title(value) if name == "game" else value

    def title(self, game: str) -> str:
        """The title of a game, or its id where it is not installed."""
        return _(self.games[game].title) if game in self.games else game

    @property
    def is_filtered(self) -> bool:
        """Whether a filter is set."""
        return any(self.chosen.values())

    def reset(self) -> None:
        """Show all recordings."""
        self.chosen = dict.fromkeys(FILTERS, ANY)
        self._choose()

    def names(self, recording: Recording) -> PlayerNames | None:
        """The names of the players of a recording; None where its game is not installed."""
        game = self.games.get(recording.card.game)
        return PlayerNames(game, self.snapshots, recording.people) if game is not None else None

    def _choose(self) -> None:
        if not any(self.chosen.values()):
            self.shown = (*self.all, *self.bad)
            return
        query = DatasetQuery(**{name: self.chosen[name] for name in FILTERS})  # type: ignore[arg-type]
        self.shown = tuple(recording for recording in self.all if self._passes(query, recording))

    @staticmethod
    def _passes(query: DatasetQuery, recording: Recording) -> bool:
        """An outcome filter looks at people's seats alone, since one of two AI players always loses."""
        seats = query.seats(recording)
        return bool(seats) and (not query.outcome or any(seat in recording.card.people for seat in seats))


def _options(name: str, recordings: Iterable[Recording]) -> Sequence[str]:
    if name == "outcome":
        return (ANY, *_OUTCOMES)
    return (ANY, *sorted({value for recording in recordings for value in _VALUES[name](recording)}, key=str.casefold))


_VALUES: Mapping[str, Callable[[Recording], Iterable[str]]] = {
    "game": lambda recording: (recording.card.game,),
    "person": lambda recording: filter(None, recording.card.people.values()),
    "tag": lambda recording: recording.card.tags,
}
