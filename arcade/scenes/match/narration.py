"""MatchNarration: what the narrator reads of a match: new scores and moves, and the board on request."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agents.seats.controller import AgentID
from arcade.controls.cursor_controller import people_asked
from arcade.engine.audio.narrator import Narrator
from arcade.games.scores import Points
from arcade.language import N_, _
from arcade.match.play.match import Match
from arcade.match.stage.tick import Tick
from arcade.scenes.tables.table import GameTable
from arcade.session.people import people_at

BETWEEN = 2.0
"""Seconds from one score that is read to the next: some games change it at every tick."""

SEATS_NAMED = 2
"""Seats of a team that are named, the first ones."""

OFF = N_("The narrator is off. Turn it on in Settings, Accessibility.")
NOTHING = N_("There is nothing to read yet")


class MatchNarration:
    """`update` is called once a frame, also while the narrator is off."""

    def __init__(
        self, match: Match, narrator: Narrator, *, table: GameTable | None = None,
        moves: Callable[[], Sequence[str]] = tuple, say: Callable[[str], object] = lambda text: None,
    ) -> None:  # fmt: skip
        """`moves` returns those of the match so far, in the game's notation; `say` shows a line of text."""
        self._match, self._narrator, self._table, self._moves, self._say = match, narrator, table, moves, say
        self._score: Points | None = None  # the one known to the player; None while the narrator is off
        self._read: int | None = None  # number of known moves, likewise
        self._read_at = float("-inf")
        self._index = -1  # of the tick that was looked at last
        self._pointed: tuple[object, ...] = ()  # the turn, and what the cursor is on in it

    def update(self, now: float) -> None:
        """Read what is new."""
        tick = self._match.tick
        if tick is None:
            return
        self._read_cursor(tick)
        if tick.index == self._index:
            return
        is_first, self._index = self._index < 0, tick.index
        if not self._narrator.is_on:
            self._score = self._read = None
            return
        if is_first:
            self._narrator.say(". ".join(filter(None, (_(self._match.spec.title), self._turn))))
        self._read_moves()
        self._read_score(now)

    @property
    def is_on(self) -> bool:
        """Whether anything is read."""
        return self._narrator.is_on

    def follow_cursor(self) -> None:
        """Read nothing of a step that the person did not make."""
        self._pointed = ()

    def read_board(self) -> None:
        """Read the board, or the score where there is none; say why where nothing is read."""
        words = self.board if self._narrator.is_on else ""
        if words:
            self._narrator.say(words)
        else:
            self._say(_(NOTHING if self._narrator.is_on else OFF))

    @property
    def score(self) -> str:
        """Each side and its score: "Left 3, Right 2", "Score 7" where all are one; of sides without one nothing."""
        spec, score = self._match.spec, self._match.score
        if not spec.score.counts:
            return ""
        sides = sorted(range(len(score)), key=spec.side_of) if len(score) == 2 else range(len(score))
        words = ((team, value) for team in sides if (value := score[team]) is not None)
        return ", ".join(f"{self._side(team)} {spec.score.number(value)}" for team, value in words)

    @property
    def board(self) -> str:
        """The pieces on a board, then the score, and whose turn it is."""
        tick = self._match.tick
        view = None if tick is None or self._table is None else tick.views.get(self._looker)
        pieces = self._table.spoken(view) if self._table is not None and view is not None else ""
        return ". ".join(filter(None, (pieces, self.score, self._turn)))

    @property
    def _turn(self) -> str:
        """Whose turn it is; "" in a game in real time."""
        waiting = self._match.waiting_for
        is_turn = self._match.spec.turn_based and waiting
        return _("{seat} to move").format(seat=self._title(waiting[0])) if is_turn else ""

    @property
    def _looker(self) -> AgentID | None:
        """The only person here, whose cards are read; None where others listen too."""
        people = people_at(self._match)
        alone = people[0] if len(people) == 1 else None
        return alone if self._match.tick is not None and alone in self._match.tick.views else None

    def _read_cursor(self, tick: Tick) -> None:
        """Read what the cursor of the person to move has come to."""
        chooser = next((person for person in people_asked(self._match) if person.options), None)
        if chooser is None or not self._narrator.is_on:
            self._pointed = ()
            return
        turn, cursor = (chooser.seat, tick.index), chooser.cursor
        before, self._pointed = self._pointed, (turn, cursor.at, cursor.path)
        if not before or before[0] != turn or before == self._pointed:
            return
        view = tick.views.get(chooser.seat, tick.views.get(None))
        if self._table is not None and view is not None:
            self._narrator.say(self._table.spoken_cursor(view, cursor))
        elif cursor.index is not None:
            self._narrator.say(cursor.options[cursor.index].label)

    def _read_moves(self) -> None:
        """Read the moves since the last look; fewer than then: some were taken back."""
        moves = self._moves()
        known, self._read = len(moves) if self._read is None else self._read, len(moves)
        for place in range(known, len(moves)):
            agents = [agent for played in self._match.moves[place : place + 1] for agent in played]
            seat = self._title(agents[0]) if len(agents) == 1 else ""
            self._narrator.say(f"{seat}: {moves[place]}" if seat else moves[place], interrupt=False)

    def _read_score(self, now: float) -> None:
        score = self._match.score
        if self._score is None:
            self._score = score
        elif score != self._score and now - self._read_at >= BETWEEN:
            self._score, self._read_at = score, now
            self._narrator.say(self.score, interrupt=False)

    def _side(self, team: int) -> str:
        spec = self._match.spec
        if len(spec.teams) == 1:
            return _("Score")
        return " & ".join(self._title(agent) for agent in spec.teams[team][:SEATS_NAMED])

    def _title(self, agent: AgentID) -> str:
        """The name of a seat, as the table has it."""
        return self._table.title(agent) if self._table is not None else self._match.spec.seat_title(agent)
