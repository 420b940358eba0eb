"""WatchPage: training games, replayed here from their moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pygame

from agents.seats.controller import AgentID
from arcade.engine.ui import theme
from arcade.games import find_game
from arcade.games.seat_colours import seat_colour
from arcade.games.spec import GameError, GameSpec
from arcade.scenes.match.picture import GamePicture
from arcade.scenes.training.pages import AREA, RunPage
from arcade.session.services import Services
from arcade.session.training.run_link import RunLink
from arcade.session.training.runs import read_game_kwargs
from arcade.session.training.spectator import Spectator

PICTURE = pygame.Rect(AREA.left, AREA.top, 860, AREA.h)
SIDE = pygame.Rect(PICTURE.right + 24, AREA.top, AREA.right - PICTURE.right - 24, AREA.h)
SHOWN_SEATS = 12


class WatchPage(RunPage):
    """The trainer streams moves, a few bytes per tick, only while this page is shown."""

    title = "Watch"

    def __init__(self, link: RunLink, services: Services) -> None:
        super().__init__(link)
        self._services = services
        self._picture: GamePicture | None = None
        self.spectator: Spectator | None = None  # while shown

    def hide(self) -> None:
        """End the stream and the process that replays it."""
        if self.link.client is not None:
            self.link.client.watch(False)
        if self.spectator is not None:
            self.spectator.close()
            self.spectator = None

    def update(self, now: float) -> bool:
        client = self.link.client
        if client is not None and not client.watching:
            client.watch(True)
        if self.spectator is None and client is not None and client.status.game:
            self.spectator = Spectator(self._services.stages, self._find_game(client.status.game))
        self.rest(now)
        return False

    def rest(self, now: float) -> None:
        if self.spectator is not None and self.link.client is not None:
            self.spectator.update(now, self.link.client.episodes)

    def draw(self, canvas: pygame.Surface) -> None:
        theme.draw_panel(canvas, PICTURE, edge=theme.RAISED)
        inside = PICTURE.inflate(-20, -20)
        spectator = self.spectator
        if spectator is not None and spectator.spec is not None and self._picture is None:
            self._picture = GamePicture(spectator.spec, whole=False)
        shown = (spectator.newest, spectator.frame) if spectator is not None else ()
        if self._picture is None or not self._picture.draw(canvas, theme.page_theme(), inside, *shown).w:
            picture = theme.paragraph(self._waiting(), width=inside.w - 80, colour=theme.MUTED)
            canvas.blit(picture, picture.get_rect(center=inside.center))
        self._draw_side(canvas)

    def _waiting(self) -> str:
        if not self.link.live:
            return "Games can be watched while the trainer answers"
        if self.spectator is not None and self.spectator.trouble:
            return self.spectator.trouble
        return "Waiting for the next game …"

    def _draw_side(self, canvas: pygame.Surface) -> None:
        theme.draw_panel(canvas, SIDE)
        left, width, y = SIDE.left + 20, SIDE.w - 40, SIDE.top + 18
        theme.draw_text(canvas, self.link.status.game, (left, y), size=theme.LARGE, bold=True, width=width)
        spectator = self.spectator
        if spectator is None or spectator.episode is None:
            return
        episode = spectator.episode
        facts = f"episode {episode.number:,}  ·  tick {spectator.tick:,}"
        theme.draw_text(canvas, facts, (left, y + 44), size=theme.SMALL, colour=theme.MUTED, width=width)
        for place, (agent, name) in enumerate(list(episode.lineup.items())[:SHOWN_SEATS]):
            at = y + 84 + place * 26
            colour = self._colour(agent)
            title = spectator.spec.seat_title(agent) if spectator.spec is not None else agent
            seat = theme.draw_text(canvas, title, (left, at), size=theme.SMALL, colour=colour, width=width // 2)
            room = (seat.right + 12, at)
            theme.draw_text(canvas, name, room, size=theme.SMALL, width=left + width - room[0])
        if spectator.trouble:
            picture = theme.paragraph(spectator.trouble, width=width, size=theme.SMALL, colour=theme.WARNING)
            canvas.blit(picture, (left, SIDE.bottom - 16 - picture.get_height()))

    def _colour(self, agent: AgentID) -> theme.Colour:
        spec = self._services.library.find(self.link.status.game)
        seats = {str(seat): seat for seat in spec.agents} if spec else {}
        if spec is None or agent not in seats:
            return theme.INK
        return seat_colour(spec, seats[agent], theme.TEAMS)

    def _find_game(self, game: str) -> Callable[[], GameSpec]:
        """A job for the worker.  A trainer elsewhere may only name installed games, never a module."""
        folder, games = self.link.folder, self._services.library.games

        def find() -> GameSpec:
            spec = next((spec for spec in games if spec.id == game), None)
            if spec is None and folder is None:
                raise GameError(f"expected a game of this arcade to watch, got: {game!r}")
            spec = spec or find_game(game)
            return replace(spec, kwargs={**spec.kwargs, **(read_game_kwargs(folder) if folder is not None else {})})

        return find
