"""BoardCommands: a hint, the board's other side, draw offers and resignation, in a turn-based match."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from agents.seats.controller import AgentID
from arcade.controls.cursor import Option
from arcade.controls.cursor_controller import CursorController, people_asked
from arcade.engine.window.scene import Route
from arcade.language import N_, _, ngettext
from arcade.scenes import routes
from arcade.scenes.match.command import Command
from arcade.scenes.match.narration import MatchNarration
from arcade.scenes.tables.table import GameTable
from arcade.session.match.session import MatchSession
from arcade.session.people import people_at

Say = Callable[[str], None]


class BoardCommands:
    """Offers the commands that the present match has; `open_route` opens a screen over the paused match."""

    def __init__(
        self, session: MatchSession, table: GameTable | None, narration: MatchNarration, *, say: Say,
        open_route: Callable[[Route], None],
    ) -> None:  # fmt: skip
        self._match, self._hints, self._draws, self._table = session.match, session.hints, session.draw_offers, table
        self._label = session.services.library.player_names(session.spec).of_label
        self._say, self._open, self._narration = say, open_route, narration

    @property
    def offered(self) -> Iterator[Command]:
        """Yield the commands that can be given now."""
        if self._match.over:
            return
        people = people_at(self._match)
        if people and self._hints.are_offered:
            yield Command("f5", N_("Thinking …") if self._hints.is_thinking else N_("Hint (unrated)"), self._hint)
        if self._table is not None and self._table.can_flip:
            yield Command("f6", N_("Flip board"), self._flip)
        if self._narration.is_on:
            yield Command("tab", N_("Read the board"), self._narration.read_board)
        if people and self._draws.are_possible:
            yield Command("f3", N_("Offer a draw"), self._ask_to_offer)
        if people and self._match.spec.is_board_game:
            yield Command("f7", N_("Resign"), self._ask_to_resign, danger=True)

    def key(self, name: str) -> bool:
        """Give the command of a key; return whether there is one."""
        command = next((one for one in self.offered if one.key == name), None)
        if command is not None:
            command.press()
        return command is not None

    def update(self) -> None:
        """Show the hint that was asked for, once it is there, and an offer of AI; called once a frame."""
        if (agent := self._draws.update()) is not None:
            self._show_offer(agent)
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
            self._narration.follow_cursor()
            self._say(_("Hint: {move}").format(move=self._name(chooser.options[index])))

    def _name(self, option: Option) -> str:
        """Return an option as the list of moves would have it."""
        views = self._match.tick.views if self._match.tick is not None else {}
        view = views.get(None)
        return option.label if self._table is None or view is None else self._table.option_name(view, option)

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

    def _ask_to_offer(self) -> None:
        agent = self._speaker
        if moves := self._draws.wait(agent):
            words = ngettext(
                "A draw can be offered again in {count} move", "A draw can be offered again in {count} moves", moves
            )
            self._say(words.format(count=moves))
            return
        detail = _("The match ends as a draw if {player} accepts.").format(player=self._opponent(agent))
        offer = partial(self._offer, agent)
        self._open(routes.Confirm(_("Offer a draw?"), detail, _("Offer a draw"), offer, danger=False))

    def _offer(self, agent: AgentID) -> None:
        accepted, opponent = self._draws.offer(agent), self._opponent(agent)
        if accepted is False:
            self._say(_("{player} declines the draw").format(player=opponent))
        elif accepted is None:
            self._ask_to_accept(
                _("{player}: do you accept a draw?").format(player=opponent), by=self._match.spec.seat_title(agent),
                to=opponent,
            )  # fmt: skip

    def _show_offer(self, agent: AgentID) -> None:
        """Ask the person opposite about a draw that AI offers."""
        player, other = self._match.mapping[agent], self._match.spec.seat_title(self._draws.opponents(agent)[0])
        self._ask_to_accept(_("Accept a draw?"), by=self._label(player.label, player.kind), to=other)

    def _ask_to_accept(self, question: str, *, by: str, to: str) -> None:
        detail = _("{player} offers it. The match ends then.").format(player=by)
        declined = partial(self._say, _("{player} declines the draw").format(player=to))
        accept, no = self._match.agree_draw, _("Decline")
        self._open(routes.Confirm(question, detail, _("Accept"), accept, danger=False, no=no, otherwise=declined))

    def _opponent(self, agent: AgentID) -> str:
        """Return the name of the player opposite, or the seat's where both have the same name."""
        other = self._draws.opponents(agent)[0]
        own, name = (self._label(one.label, one.kind) for one in map(self._match.mapping.__getitem__, (agent, other)))
        return name if name != own else self._match.spec.seat_title(other)

    def _ask_to_resign(self) -> None:
        agent = self._speaker
        detail = _("The match ends as a loss for {seat}.").format(seat=self._match.spec.seat_title(agent))
        resign = lambda: self._match.resign(agent)  # noqa: E731
        self._open(routes.Confirm(_("Resign?"), detail, _("Resign"), resign))

    @property
    def _speaker(self) -> AgentID:
        """The person to move, or else the first one here."""
        people = people_at(self._match)
        return next((agent for agent in self._match.waiting_for if agent in people), people[0])
