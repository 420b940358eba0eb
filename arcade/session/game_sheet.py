"""GameSheet: what this machine knows about one game and one person, read in the worker for the game's page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from agents.files import folder, home
from arcade.games.spec import GameSpec
from arcade.language import _, local_number, ngettext
from arcade.session.ladder_texts import shown_cell
from arcade.session.match.slot_files import SlotFiles
from arcade.session.services import Services

if TYPE_CHECKING:
    from arcade.session.player.history import Totals


@dataclass(frozen=True, slots=True)
class LadderPlace:
    """A person on the ladder of a game."""

    place: int
    of: int
    rating: str  # "1650 ± 40"; "" in a game that is played together

    @property
    def text(self) -> str:
        """``Place 2 of 9, 1650 ± 40``."""
        place = _("Place {place} of {count}").format(place=self.place, count=self.of)
        return _("{place}, rating {rating}").format(place=place, rating=self.rating) if self.rating else place


@dataclass(frozen=True, slots=True)
class GameSheet:
    """Counts are None until they are read."""

    recordings: int | None = None
    runs: int | None = None
    moments: int | None = None  # saved in slots
    place: LadderPlace | None = None  # None without rated matches
    totals: Totals | None = None  # the person's matches

    @property
    def record_text(self) -> str:
        """Matches and wins in a sentence, "" before the first match."""
        if self.totals is None or not self.totals.played:
            return ""
        played = ngettext("{count} match", "{count} matches", self.totals.played).format(count=self.totals.played)
        if self.totals.win_rate is None:
            return played
        won = ngettext("{count} won", "{count} won", self.totals.wins).format(count=self.totals.wins)
        return _("{played}, {won}").format(played=played, won=won)

    @property
    def best_texts(self) -> list[str]:
        """Best score and longest streak."""
        if self.totals is None:
            return []
        found = []
        if self.totals.best_score is not None:
            found.append(_("Best score: {score}").format(score=local_number(f"{self.totals.best_score:.4g}")))
        if self.totals.best_streak > 1:
            found.append(_("Longest streak: {count} wins").format(count=self.totals.best_streak))
        return found


class GameSheetReader:
    """Reads the sheet of a game part by part; `changed` is called after each."""

    def __init__(self, services: Services, spec: GameSpec, changed: Callable[[], None]) -> None:
        self.sheet = GameSheet()
        self._services, self._spec, self._changed = services, spec, changed

    def read(self) -> None:
        """Read all parts again."""
        services, spec, person = self._services, self._spec, self._services.people.owner.name
        services.worker.submit(lambda: count_recordings(services, spec), done=lambda n: self._take(recordings=n))
        services.worker.submit(lambda: count_runs(folder("runs"), spec), done=lambda n: self._take(runs=n))
        services.worker.submit(lambda: len(SlotFiles(spec.id).list()), done=lambda n: self._take(moments=n))
        services.worker.submit(
            lambda: find_place(home() / "ladder.sqlite", spec, person), done=lambda place: self._take(place=place),
            failed=lambda error: None,
        )  # fmt: skip
        services.players.read(person, lambda sheet: self._take(totals=sheet.history.by_game.get(spec.id)))

    def _take(self, **found: object) -> None:
        self.sheet = replace(self.sheet, **found)  # type: ignore[arg-type]
        self._changed()


def count_recordings(services: Services, spec: GameSpec) -> int:
    """Reads the disk: for the worker."""
    recordings, _unreadable = services.library.recordings().list()
    return sum(one.card.game == spec.id for one in recordings)


def count_runs(root: Path, spec: GameSpec) -> int:
    """Reads the disk: for the worker."""
    from arcade.session.training.runs import find_runs  # imports zmq

    return sum(run.game == spec.id for run in find_runs(root))


def find_place(path: Path, spec: GameSpec, person: str) -> LadderPlace | None:
    """Return a person's best place on the ladder; None without one.  Reads the disk: for the worker."""
    from agents.ladder.ladder import Ladder
    from agents.ladder.ratings.standings import standings
    from agents.ladder.ratings.views.rating_text import rating_interval

    if not path.exists():
        return None
    with Ladder(path, reading=True) as ladder:
        table = standings(ladder, spec.id, facts=spec.facts()).table if spec.id in ladder.games() else ()
    place = next((place for place, one in enumerate(table) if one.label == person), None)
    if place is None:
        return None
    known = table[place].rating
    rating = rating_interval(known.points, known.margin) if known else ""
    return LadderPlace(place + 1, len(table), str(shown_cell(rating)))
