"""BoardCommands: a hint, the board's other side and resignation, in a turn-based match with people here."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agents.seats.controller import AgentID
from arcade.controls.cursor_controller import CursorController, people_asked
from arcade.engine.window.scene import Route
from arcade.language import N_, _
from arcade.match.play.match import Match
from arcade.scenes import routes
from arcade.scenes.match.command import Command
from arcade.scenes.tables.table import GameTable
from arcade.session.match.hints import Hints
from arcade.session.people import people_at

Say = Callable[[str], None]


class BoardCommands:
    """Offers the commands that the present match has; `open_route` opens a screen over the paused match."""

    def __init__(
        self, match: Match, hints: Hints, table: GameTable | None, *, say: Say, open_route: Callable[[Route], None]
    ) -> None:
        self._match, self._hints, self._table = match, hints, table
        self._say, self._open = say, open_route

    @property
    def offered(self) -> Iterator[Command]:
        """Yield the commands that can be given now."""
        if self._match.over:
            return
        people = people_at(self._match)
        if people and self._hints.are_offered:
            yield Command("f5", N_("Thinking …") if self._hints.is_thinking else N_("Hint"), self._hint)
        if self._table is not None and self._table.can_flip:
            yield Command("f6", N_("Flip board"), self._flip)
        if people and len(self._match.spec.teams) == 2 and not self._match.spec.secret:
            yield Command("f7", N_("Resign"), self._ask_to_resign, danger=True)

    def key(self, name: str) -> bool:
        """Give the command of a key; return whether there is one."""
        command = next((one for one in self.offered if one.key == name), None)
        if command is not None:
            command.press()
        return command is not None

    def update(self) -> None:
        """Show the hint that was asked for, once it is there; called once a frame."""
        answer = self._hints.update()
        if self._hints.problem:
            self._say(_("No hint: {problem}").format(problem=self._hints.problem))
            self._hints.problem = ""
        chooser = self._chooser
        if answer is None or chooser is None or chooser.seat != answer[0]:
            return
        index = next((i for i, option in enumerate(chooser.options) if option.action == answer[1]), None)
        if index is not None:
            chooser.cursor.point(index)
            self._say(_("Hint: {move}").format(move=chooser.options[index].label))

    @property
    def _chooser(self) -> CursorController | None:
        return next((person for person in people_asked(self._match) if person.options), None)

    def _hint(self) -> None:
        chooser = self._chooser
        if chooser is None:
            self._say(_("Hints are given on your turn"))
        elif self._hints.ask(chooser.seat):
            self._say(_("A hint is on its way; the match is no longer rated"))

    def _flip(self) -> None:
        if self._table is not None:
            self._table.flipped = not self._table.flipped

    def _ask_to_resign(self) -> None:
        agent = self._resigning
        detail = _("The match ends as a loss for {seat}.").format(seat=self._match.spec.seat_title(agent))
        resign = lambda: self._match.resign(agent)  # noqa: E731
        self._open(routes.Confirm(_("Resign?"), detail, _("Resign"), resign, danger=True))

    @property
    def _resigning(self) -> AgentID:
        """The person to move, or else the first one here."""
        people = people_at(self._match)
        return next((agent for agent in self._match.waiting_for if agent in people), people[0])
