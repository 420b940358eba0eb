"""Hints: a strong player is asked once for a move, in its own process; the match is no longer rated then."""

from __future__ import annotations

from agents.engines.engine import present_seats
from agents.errors import UserError
from agents.seats.controller import Action, AgentID, Controller, SeatChoice, Turn
from arcade.games.spec import GameSpec
from arcade.match.play.lineup import make_controller
from arcade.match.play.match import Match
from arcade.match.stage.tick import Tick
from arcade.session.services import Services

ADVISOR = "expert"
"""Level of a game's own player that gives hints."""


def advisor(spec: GameSpec) -> SeatChoice | None:
    """Return the strongest player that can be asked at any moment of the game; None without one."""
    engines = present_seats(spec.id)
    if engines:
        return engines[-1]
    return SeatChoice("scripted", options=(("level", ADVISOR),)) if spec.has_levels and spec.is_board_game else None


class Hints:
    """Asks for a move of the present position; `update` is called once a frame."""

    def __init__(self, services: Services, match: Match) -> None:
        self._services, self._match = services, match
        self._choice = advisor(match.spec)
        self._asked: tuple[Tick, AgentID] | None = None  # the position in question, and the seat to move
        self._player: Controller | None = None  # while it thinks
        self.problem = ""  # why the newest question has no answer

    @property
    def are_offered(self) -> bool:
        """Whether there is a player to ask in this game."""
        return self._choice is not None

    @property
    def is_thinking(self) -> bool:
        """Whether a question is open."""
        return self._asked is not None

    def ask(self, agent: AgentID) -> bool:
        """Ask for a move of the seat that is to move; return whether the match was rated until now."""
        match, tick, choice = self._match, self._match.tick, self._choice
        if tick is None or choice is None or self.is_thinking or agent not in match.waiting_for:
            return False
        was_rated, match.rated = match.rated, False
        match.settings.setdefault("hints", []).append(tick.index)
        self._asked, self.problem = (tick, agent), ""
        seat, store = match.stage.seat(agent), self._services.library.store()
        self._services.worker.submit(
            lambda: make_controller(choice, seat, spec=match.spec, store=store), done=self._begin, failed=self._fail,
            errors=UserError,
        )  # fmt: skip
        return was_rated

    def update(self) -> tuple[AgentID, Action] | None:
        """Return the seat and its move once there is an answer for the present position."""
        if self._asked is None or self._player is None:
            return None
        tick, agent = self._asked
        try:
            action = self._player.act()
        except UserError as error:
            self._fail(error)
            return None
        if action is None and tick is self._match.tick:
            return None
        self.close()
        return (agent, action) if action is not None and tick is self._match.tick else None

    def close(self) -> None:
        """Drop the question; the player ends in the worker, since it may take a moment."""
        player, self._player, self._asked = self._player, None, None
        if player is not None:
            self._services.worker.submit(player.close)

    def _begin(self, player: Controller) -> None:
        if self._asked is None:
            self._services.worker.submit(player.close)
            return
        tick, agent = self._asked
        self._player = player
        player.reset(self._match.stage.seat(agent), seed=self._match.seed)
        player.observe(Turn(agent, tick.index, tick.observations[agent], tick.action_masks.get(agent)))

    def _fail(self, error: BaseException) -> None:
        self.problem = str(error)
        self.close()
