"""OnlineMatchScene: a match over the network on the screen, which cannot be paused."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pygame

from arcade.engine.input import events
from arcade.engine.ui.theme import Theme
from arcade.engine.window.scene import Host, Scene
from arcade.language import _
from arcade.scenes import routes
from arcade.scenes.dialogs.quitting import quit_arcade
from arcade.scenes.home.game_pictures import GamePictures
from arcade.scenes.hud.hud import Hud
from arcade.scenes.match.feedback import play_events
from arcade.scenes.match.field import Field
from arcade.scenes.match.narration import MatchNarration
from arcade.scenes.match.picture import thumbnail_of
from arcade.scenes.online.other_game import other_game
from arcade.scenes.screen import backdrop
from arcade.session.people import viewer_of
from arcade.session.services import Services
from arcade.together.online_match import OnlineMatch


class OnlineMatchScene(Scene):
    """Owns the session.  Where the match is played anew, its pictures go back with it."""

    plays = True
    is_large = True
    narration: MatchNarration
    hud: Hud

    def __init__(self, services: Services, route: routes.OnlineMatch) -> None:
        self.services, self.session = services, route.session
        self.spec = route.session.spec
        self.field = Field(self.spec)
        self._shown: OnlineMatch | None = None
        self._over_at: float | None = None

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self.field.picture.follow(engine.settings)
        self.session.on_text = lambda text: self.hud.say(text, about="online")
        self.pictures = GamePictures(self.services)
        names = self.services.library.player_names(self.spec)
        self.hud = Hud(engine, self.spec, self.session.lineup, names, self.services.people)
        self.hud.pauses = False

    def resume(self) -> None:
        self.field.picture.follow(self.engine.settings)

    def leave(self) -> None:
        self.session.close(self._thumbnail() if self._shown is not None else None)

    def update(self, now: float) -> None:
        session, match = self.session, self.session.match
        if session.error:
            self.engine.say(session.error)
            self.engine.pop()
            return
        if match is None or match.tick is None:
            return
        if match is not self._shown:
            self._begin(match, now)
        self._update_hud(match, now)
        self.field.update(now)
        if session.outcome is not None and self.engine.scene is self:
            self._over_at = now if self._over_at is None else self._over_at
            if now - self._over_at > self.field.last_sight:
                self._show_results()

    def rest(self, now: float) -> None:
        self.session.update(now)

    def due_in(self, now: float) -> float:
        return self.session.due_in(now)

    def _begin(self, match: OnlineMatch, now: float) -> None:
        launched = self.session.launched
        assert launched is not None
        self._shown = match
        self.hud.begin(launched, now)
        self.field.begin(match, self.engine.devices, self.services.library.player_names(self.spec))
        panel, table = self.field.moves, self.field.picture.table
        moves = (lambda: panel.moves) if panel is not None else tuple
        say = partial(self.hud.say, about="narrator")
        self.narration = MatchNarration(match, self.engine.narrator, table=table, moves=moves, say=say)

    def _update_hud(self, match: OnlineMatch, now: float) -> None:
        hud, launched = self.hud, self.session.launched
        assert launched is not None
        play_events(self.engine, match, launched.watch.take_events())
        self.narration.update(now)
        if refused := self.field.take_refused():
            hud.say(refused, about="refused")
            self.engine.sound.play("warning")
        hud.counting = match.counts_down(now) > 0
        hud.online_words = self.session.network_text
        hud.trainer = self.services.trainer_strip
        hud.update(now)

    def _show_results(self) -> None:
        session = self.session
        assert session.outcome is not None
        assert session.match is not None
        session.keep_recording(self._thumbnail())
        viewer, engine = viewer_of(session.match), self.engine
        hosted = session.hosted
        by_views = session.mode.has_views
        hosting = routes.Lobby(spec=session.spec, again=hosted, by_views=by_views)
        lobby = hosting if hosted else routes.Lobby(code=session.code_text)
        engine.replace(routes.Results(
            session.outcome, None, self.field.picture, viewer, again=lambda: engine.replace(lobby),
            other_game=other_game(engine, hosted) if hosted else None,
        ))  # fmt: skip

    def _thumbnail(self) -> Callable[[Path], None]:
        return thumbnail_of(self.field.picture, self.engine.settings.palette)

    # Input

    def handle(self, event: events.InputEvent) -> bool | None:
        match event:
            case events.MenuInput(repeated=False):
                is_key = event.device.kind == "keyboard"
                if event.action == "start" or (event.action == "back" and is_key):
                    self._open_menu()
            case events.KeyInput(pressed=True):
                self._key(event.name)
            case events.PointerInput():
                self.hud.pointer(event)
                if event.is_click and self.hud.foot.pause_button.collidepoint(event.pos):
                    self._open_menu()
                elif self._shown is not None:
                    self.field.pointer(event)
            case events.QuitAsked():
                return quit_arcade(self.engine, self.services, self.session.leave)
        return None

    def _open_menu(self) -> None:
        if self.session.outcome is None:
            self.engine.push(routes.OnlineMenu(self.session))

    def _key(self, name: str) -> None:
        match name:
            case "f1" if self._shown is not None:
                self.engine.push(routes.Controls(self.spec, self.session.lineup, self._shown, online=True))
            case "tab" if self._shown is not None:
                self.narration.read_board()
            case "f4":
                self.engine.push(routes.HudPieces())
            case "f9":
                self.hud.toggle_insight()

    # Drawing

    def draw(self, canvas: pygame.Surface) -> None:
        theme, hud = self.engine.theme, self.hud
        canvas.blit(backdrop(theme, canvas.get_size()), (0, 0))
        if self._shown is None:
            hud.draw_starting(canvas, theme, _("The match begins …"), partial(self.pictures.get, self.spec))
            return
        top = self.engine.scene
        right, foot = top.covered if top is not None else (0, 0)
        area = pygame.Rect(0, 0, canvas.get_width() - right, canvas.get_height() - foot)
        self._draw_match(canvas, theme, area, alone=not right)

    def _draw_match(self, canvas: pygame.Surface, theme: Theme, area: pygame.Rect, *, alone: bool) -> None:
        hud, moves = self.hud, self.field.moves_width(theme)
        moves = moves if alone or area.w >= 2 * moves else 0
        areas = hud.arrange(theme, area, moves=moves)
        hud.hears_keys = self.engine.scene is self
        self.field.draw(canvas, theme, areas.picture)
        if moves:
            self.field.draw_moves(canvas, theme, areas.around)
        number = self._shown.counts_down(self.engine.clock()) if self._shown is not None else 0
        if number:
            hud.draw_countdown(canvas, theme, number)
        hud.draw(canvas, theme)
        hud.draw_messages(canvas, theme, keys=alone)
