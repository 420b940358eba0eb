"""WatchPage: training games, replayed here from their moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pygame

from agents.seats.controller import AgentID
from arcade.engine.ui import theme as themes
from arcade.engine.ui.layout import Column, Panel, Row
from arcade.engine.ui.texts import Label, Paragraph, Picture
from arcade.engine.ui.theme import Colour, Theme
from arcade.engine.ui.widget import Widget
from arcade.games import find_game
from arcade.games.seat_colours import seat_colour
from arcade.games.spec import GameError, GameSpec
from arcade.language import N_, _, local_number
from arcade.palettes import PALETTES
from arcade.scenes.match.picture import GamePicture
from arcade.scenes.training.pages import RunPage
from arcade.session.services import Services
from arcade.session.training.run_link import RunLink
from arcade.session.training.runs import read_game_kwargs
from arcade.session.training.spectator import Spectator

SHOWN_SEATS = 12


class WatchPage(RunPage):
    """The trainer streams moves, a few bytes per tick, only while this page is shown."""

    title = N_("Watch")

    def __init__(self, link: RunLink, services: Services) -> None:
        super().__init__(link, services)
        self._picture: GamePicture | None = None
        self._shown: object = None
        self.spectator: Spectator | None = None  # while shown

    def hide(self) -> None:
        """End the stream and the process that replays it."""
        if self.link.client is not None:
            self.link.client.watch(False)
        if self.spectator is not None:
            self.spectator.close()
            self.spectator = None

    def body(self) -> Widget:
        picture = Picture(self._paint, width=760, height=430, least=320, grow=3)
        return Row([picture, Panel(self._side(), grow=1, least=260)], align="stretch", grow=1)

    def update(self, now: float) -> bool:
        client = self.link.client
        if client is not None and not client.watching:
            client.watch(True)
        if self.spectator is None and client is not None and client.status.game:
            self.spectator = Spectator(self.services.stages, self._find_game(client.status.game))
        self.rest(now)
        episode = self.spectator.episode if self.spectator is not None else None
        shown = episode.lineup if episode is not None else None
        changed, self._shown = shown != self._shown, shown
        return changed

    def rest(self, now: float) -> None:
        if self.spectator is not None and self.link.client is not None:
            self.spectator.update(now, self.link.client.episodes)

    def _paint(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect) -> None:
        theme.draw_panel(canvas, area, edge=theme.colours.raised)
        inside, spectator = area.inflate(-theme.px(20), -theme.px(20)), self.spectator
        if spectator is not None and spectator.spec is not None and self._picture is None:
            self._picture = GamePicture(spectator.spec, whole=False)
        shown = (spectator.newest, spectator.frame) if spectator is not None else ()
        if self._picture is None or not self._picture.draw(canvas, theme, inside, *shown).w:
            width = max(1, inside.w - theme.px(40))
            text = theme.paragraph(self._waiting(), width=width, colour=theme.colours.muted)
            canvas.blit(text, text.get_rect(center=inside.center))

    def _waiting(self) -> str:
        if not self.link.live:
            return _("Games can be watched while the training runs")
        if self.spectator is not None and self.spectator.trouble:
            return self.spectator.trouble
        return _("Waiting for the next game …")

    def _side(self) -> Widget:
        """Which episode it is, and who plays in it."""
        spectator = self.spectator
        if spectator is None or spectator.episode is None:
            return Paragraph(_("The players are shown here."), colour="muted")
        lineup = list(spectator.episode.lineup.items())
        return Column([
            Paragraph(self._facts, size=themes.SMALL, colour="muted"),
            *(self._seat(agent, name) for agent, name in lineup[:SHOWN_SEATS]),
            Paragraph(lambda: self.spectator.trouble if self.spectator else "", size=themes.SMALL, colour="warning"),
        ])  # fmt: skip

    def _facts(self) -> str:
        spectator = self.spectator
        if spectator is None or spectator.episode is None:
            return ""
        number, tick = local_number(f"{spectator.episode.number:,}"), local_number(f"{spectator.tick:,}")
        return _("Episode {number}, tick {tick}").format(number=number, tick=tick)

    def _seat(self, agent: AgentID, name: str) -> Widget:
        spec = self.spec
        title = spec.seat_title(agent) if spec is not None else str(agent)
        seat = Label(title, size=themes.SMALL, colour=self._colour(agent), bold=True)
        return Column([seat, Label(self.shown(name), size=themes.SMALL)], gap=0)

    def _colour(self, agent: AgentID) -> Colour | str:
        spec = self.spec
        seats = {str(seat): seat for seat in spec.agents} if spec else {}
        if spec is None or str(agent) not in seats:
            return "ink"
        return seat_colour(spec, seats[str(agent)], PALETTES[self.services.settings().palette].teams)

    def _find_game(self, game: str) -> Callable[[], GameSpec]:
        """A job for the worker.  A trainer elsewhere may only name installed games, never a module."""
        folder, games = self.link.folder, self.services.library.games

        def find() -> GameSpec:
            spec = next((spec for spec in games if spec.id == game), None)
            if spec is None and folder is None:
                raise GameError(f"expected a game of this arcade to watch, got: {game!r}")
            spec = spec or find_game(game)
            return replace(spec, kwargs={**spec.kwargs, **(read_game_kwargs(folder) if folder is not None else {})})

        return find
