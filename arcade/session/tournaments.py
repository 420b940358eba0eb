"""TournamentJob: a tournament in a process of its own, with its progress and standings; a Job."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arcade.games.spec import GameSpec
from arcade.language import N_, _
from arcade.session.jobs import ChildJob
from arcade.tournaments.standings import Place

TITLE = N_("Tournament in {game}")
STARTING = N_("Checking the players")
PLAYING = N_("{played} of {matches} matches played")
PLAYING_ROUND = N_("Round {round}: {played} of {matches} matches played")
WON = N_("{name} won the tournament.")
LEVEL = N_("The tournament ended level. First place: {names}.")
CANCELLED = N_("Cancelled. The matches played so far are on the ladder.")
FAILED = N_("The tournament could not be played: {reason}")


class TournamentJob(ChildJob):
    """Every match is on the ladder as soon as it is played; a cancelled tournament can be resumed by its `id`."""

    def __init__(
        self, spec: GameSpec, entrants: Sequence[str] = (), *, resume: str = "",
        settings: Mapping[str, Any] | None = None, shown: Callable[[str], str] = str,
    ) -> None:  # fmt: skip
        """`entrants` are seats as text, with patterns, none for all AI players; `settings`, with
        `workers`, are those of arcade.tournament; `shown` returns what people read for a label."""
        self.spec, self.shown = spec, shown
        self.id = resume
        self.round, self.matches, self.played = 0, 0, 0  # matches of the round
        self.table: tuple[Place, ...] = ()  # the standings so far, the best first
        self.result: Mapping[str, Any] | None = None  # once it is over, as arcade.tournament returns it
        self._reason, self._cancelled = "it ended early", False
        new = {"game": spec.id, "entrants": list(entrants), **(settings or {})}
        super().__init__("arcade.session.tournament_process", {"resume": resume} if resume else new)

    @property
    def title(self) -> str:
        """What is played, for people."""
        return _(TITLE).format(game=_(self.spec.title))

    @property
    def progress(self) -> float | None:
        """The share of the round that is played; None before the first."""
        return self.played / self.matches if self.matches else None

    @property
    def text(self) -> str:
        """What it does, or how it ended, for people."""
        if self.result is not None:
            return self._outcome
        if self.done:
            return _(CANCELLED) if self._cancelled else _(FAILED).format(reason=self._reason)
        text = PLAYING_ROUND if self.round > 1 else PLAYING if self.matches else STARTING
        now = _(text).format(round=self.round, played=self.played, matches=self.matches)
        return ", ".join(filter(None, (now, self.left_text)))

    @property
    def _outcome(self) -> str:
        """Who won, or who share the first place."""
        best = [place for place in self.table if place.height == self.table[0].height]
        names = [self.shown(place.label) for place in best]
        if len(names) < 2:
            return _(WON).format(name=names[0]) if names else ""
        return _(LEVEL).format(names=", ".join(names))

    def cancel(self) -> None:
        """End it after the matches played so far; can be called twice."""
        self._cancelled = self.result is None
        super().cancel()

    def handle(self, message: Any) -> None:
        match message:
            case {"id": str() as id}:
                self.id = id
            case {"round": int() as number, "matches": int() as matches, "played": int() as played}:
                self.round, self.matches, self.played = number, matches, played
            case {"match": 1}:
                self.played += 1
                self._take_table(message.get("table"))
            case {"result": dict() as result}:
                self._take_table(result["table"])
                self.result = result
            case {"error": str() as reason}:
                self._reason = reason

    def _take_table(self, table: Sequence[Mapping[str, Any]] | None) -> None:
        if table is not None:
            self.table = tuple(Place(**row) for row in table)
