"""ViewPlay: a match that the host alone runs, as another machine plays it.

It shows the host's views.  In a mode with secrets the host tells seed and actions at the end; this machine then plays
the match by itself, from which its recording and its result come, and compares what its seats were shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.seats.controller import Action, AgentID
from arcade.language import _
from arcade.match.play.result import MatchResult, Recorder
from arcade.match.recording.format import PATIENT, RecordingOptions
from arcade.match.stage.stage import Stage
from arcade.match.stage.tick import Tick, same_value
from arcade.together.digest_book import DigestBook
from arcade.together.input_log import InputLog, OwnInputs
from arcade.together.local_play import LocalPlay
from arcade.together.messages import FROM_HOST, Differs, End, Foretold, Handover, Player, Reveal, Ticks, View
from arcade.together.online_match import OnlineMatch
from arcade.together.seats import OnlineSeat
from arcade.together.terms import Terms, commitment
from arcade.together.views.reader import ViewReader
from arcade.together.views.view_stage import ViewStage

MAX_WAITING = 256
"""Views that are held before they are shown; later ones are asked for again."""


class ViewPlay(LocalPlay):
    """`shown` is the match that people see, `match` the one that is being played: at the end the whole one."""

    hears = tuple(kind for kind in FROM_HOST if kind not in (Differs, Foretold, Ticks))

    def __init__(
        self, stage: Stage, terms: Terms, *, record: RecordingOptions | None = PATIENT, watch: Sequence[Recorder] = ()
    ) -> None:
        super().__init__(stage, terms, record=record if terms.mode.is_secret else None)
        self.book = EmptyDigestBook(1.0)
        self._views = ViewStage(self.spec, stage.spaces)
        self._reader = ViewReader(self.spec, stage.spaces)
        self._watching = tuple(watch)
        self._seen = SeenObservations()
        self._comparison: ObservationComparison | None = None  # once the host has told what was secret
        self._next = 0  # the first tick that was not shown
        self._revealed: Reveal | None = None
        self._end: End | None = None
        self._is_abandoned = False
        self._shown: OnlineMatch | None = None
        self._noted: list[Handover] = []  # those that the shown match has

    @property
    def shown(self) -> OnlineMatch | None:
        return self._shown

    @property
    def result(self) -> MatchResult | None:
        shown = self._shown.result if self._shown is not None else None
        if shown is None:
            return None
        if self._is_abandoned:  # the seed of the terms is the trial's, and the actions of others are not known
            return replace(shown, seed=None if self.terms.mode.is_secret else shown.seed, actions="")
        if self._revealed is None:
            return None
        if not self.terms.mode.is_secret:
            return replace(shown, seed=self._revealed.seed, actions=self._revealed.actions)
        whole = self.match.result if self.match is not None and self.match is not self._shown else None
        return None if whole is None else replace(whole, seats=shown.seats, late=shown.late, seconds=shown.seconds)

    @property
    def is_shown(self) -> bool:
        """Whether all of the match was shown, and it is time to learn what was secret."""
        return self._shown is not None and self._shown.over and self._revealed is None and not self._is_abandoned

    def begin(self, lineup: Mapping[str, Player]) -> None:
        self.lineup = dict(lineup)
        seats = self._make_seats(self.inputs, self.own)
        seen = [self._seen] if self.terms.mode.is_secret else []  # else there is nothing to compare it with
        self.match = self._shown = self._make_match(
            self._views, seats, self.inputs, self.book, [*seen, *self._watching]
        )
        self.match.start()

    def take_view(self, view: View) -> None:
        """Take what the host shows, unless it was shown or too much is held; raises ValueError for what is no view."""
        shown = self._shown
        if shown is None or shown.over or view.tick < self._next or len(self._views) >= MAX_WAITING:
            return
        tick = self._reader.read(view, (*self.own, *self._later))
        while len(self.log) < view.tick:
            self.log.append({})  # what others did is not known here
        self._views.feed(tick)
        self._next = view.tick + 1
        self._end_shown()

    def reveal(self, message: Reveal) -> None:
        """Take what was secret; in a mode with secrets the whole match is played from now on, as its inputs come."""
        if not self.is_shown:
            return
        self._revealed, terms = message, self.terms
        if not terms.mode.is_secret:
            return
        if commitment(message.nonce, message.seed) != terms.commitment:
            self.doubt = _("the host has told another seed than the one that it began with")
        self.terms, self.log = replace(terms, seed=message.seed), InputLog(self.spec.agents)
        self.hears, self.stage.draws = (*self.hears, Ticks), False
        nothing = OwnInputs((), self._send_input)
        self._comparison = ObservationComparison(self._seen)
        recorders = [self._comparison, *self._recorders()]
        self.match = self._make_match(self.stage, self._make_seats(nothing, {}), nothing, self.book, recorders)
        self.match.start()

    def _handed_over(self, tick: int) -> dict[AgentID, OnlineSeat]:
        """In the shown match those of ticks that were not shown count with the next one that is."""
        if self._comparison is not None:
            due = [one for one in self.handovers if one.tick == tick]
            return {self._agent_at(one.seat): self._seat_of(one, {}) for one in due}  # nothing is decided here
        due = [one for one in self.handovers if one.tick <= tick and one not in self._noted]
        self._noted += due
        return {self._agent_at(one.seat): self._seat_of(one, self.own) for one in due}

    def play_anew(self) -> None:
        """Do nothing: views show the present alone."""

    def end_at(self, end: End) -> None:
        self._end = end
        self._end_shown()

    def _end_shown(self) -> None:
        """End the shown match once its last view is here, which may come after the word that it ends there."""
        end, shown = self._end, self._shown
        if end is not None and shown is not None and self.match is shown and len(self.log) >= end.tick:
            shown.end_at(end)

    def end_here(self, loser: str, why: str) -> None:
        super().end_here(loser, why)
        self._is_abandoned = True

    def give_up(self) -> None:
        """The host does not show the whole match: what was shown of it is all there is."""
        self.doubt, self._is_abandoned = _("the host has not shown the whole match at its end"), True

    def advance(self, now: float) -> None:
        whole = self._revealed is not None and self.match is not self._shown
        if whole and self.match is not None and self._end is not None and len(self.log) >= self._end.tick:
            self.match.end_at(self._end)
        super().advance(now)
        if self._comparison is not None and self._comparison.differs_at is not None and not self.doubt:
            words = _("the host has shown at tick {tick} what was not so")
            self.doubt = words.format(tick=self._comparison.differs_at)


class EmptyDigestBook(DigestBook):
    """Keeps no digests: those of a machine that does not know the whole game cannot be compared."""

    def note(self, tick: Tick) -> None:
        """Keep none."""


class SeenObservations(Recorder):
    """What the seats of this machine were shown, by tick."""

    def __init__(self) -> None:
        self.ticks: dict[int, Mapping[AgentID, object]] = {}

    def tick(self, tick: Tick, actions: dict[AgentID, Action], seconds: float) -> None:
        found = {agent: seen for agent, seen in tick.observations.items() if seen is not None}
        if found:
            self.ticks[tick.index] = found


class ObservationComparison(Recorder):
    """Compares the whole match with what was shown of it."""

    def __init__(self, seen: SeenObservations) -> None:
        self._seen = seen
        self.differs_at: int | None = None

    def tick(self, tick: Tick, actions: dict[AgentID, Action], seconds: float) -> None:
        shown = self._seen.ticks.get(tick.index, {})
        if self.differs_at is None and any(
            not same_value(shown[agent], tick.observations.get(agent)) for agent in shown
        ):
            self.differs_at = tick.index
