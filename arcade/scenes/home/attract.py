"""Attract mode: AI plays one game after another while there is no input (ATTRACT_AFTER in title.py)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle

import pygame

from arcade.engine.input.events import AxisInput, FocusLost, InputEvent, PointerInput, QuitAsked
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Theme
from arcade.engine.window.scene import Host, Scene
from arcade.games import GameSpec, missing
from arcade.language import _
from arcade.match.play.lineup import ai_choice, make_mapping
from arcade.match.play.seats import PolicyMapping
from arcade.match.stage.stage import Stage
from arcade.scenes import routes
from arcade.scenes.match.picture import GamePicture
from arcade.session.preview import Preview
from arcade.session.services import Services

EACH = 25.0
"""Seconds that one game is shown."""

FAILED = 3.0
"""Seconds from a game that cannot be shown to the next one."""

BLINK = 0.7

ACROSS = 18
"""Units beside the text of a plate."""


class AttractScene(Scene):
    """Lies over the title; any press or move of the mouse leads back to it, and does nothing else.

    A click without a move was meant for the button that the player had pointed at: the title gets it too.
    """

    def __init__(self, services: Services, route: routes.Attract) -> None:
        self.services, self.route = services, route
        self.spec: GameSpec | None = None
        self._order = rotation(services.library.games, featured=services.library.featured)
        self.preview = Preview(services.stages, self._seats)
        self._picture: GamePicture | None = None
        self._since = self._now = 0.0
        self._touched = False
        self._pointer: tuple[int, int] | None = None

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self._next(engine.clock())

    def leave(self) -> None:
        self.preview.close()

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, FocusLost | QuitAsked) or self._is_still(event):
            return None
        if isinstance(event, PointerInput) and event.is_click:
            self._pass_on(event)
            return None
        self._touched = True  # leaves with the next update: no event of this press may reach the title
        return None

    def _pass_on(self, click: PointerInput) -> None:
        self.engine.pop()
        title = self.engine.scene
        if title is not None:
            title.handle(replace(click, kind="move", button=0))
            title.handle(click)

    def update(self, now: float) -> None:
        self._now = now
        if self._touched:
            self.engine.pop()
            return
        self.preview.update(now)
        if now - self._since > (FAILED if self.preview.failure else EACH):
            self._next(now)

    def draw(self, canvas: pygame.Surface) -> None:
        theme = self.engine.theme
        canvas.fill(theme.colours.ground)
        if self._picture is not None:
            match = self.preview.match
            newest = (match.tick, match.frame) if match is not None else ()
            self._picture.draw(canvas, theme, canvas.get_rect(), *newest)
        assert self.spec is not None
        room = canvas.get_rect().inflate(-2 * theme.margin, -2 * theme.margin)
        left = _draw_plate(canvas, theme, self._words(self.spec), "bottomleft", room, themes.BODY)
        steady = self.engine.settings.reduce_flashing
        if steady or self._now % (2 * BLINK) < BLINK:
            start = _("Press any button")
            wide, _high = theme.font(themes.LARGE, bold=True).size(start)
            if left.right + wide + 2 * theme.px(ACROSS) > room.right:
                room.bottom = left.top - theme.gap
            _draw_plate(canvas, theme, start, "bottomright", room, themes.LARGE)

    def _next(self, now: float) -> None:
        self.spec, self._since = next(self._order), now
        self._picture = GamePicture(self.spec, whole=False)
        self.preview.show(self.spec, now=now)

    def _seats(self, stage: Stage) -> PolicyMapping:
        """In the worker: the newest snapshot in each seat, else the scripted player, else a random one."""
        store = self.services.library.store()
        return make_mapping(stage, {agent: ai_choice(stage.spec, agent, store) for agent in stage.agents}, store=store)

    def _words(self, spec: GameSpec) -> str:
        """Return the title of the game, and who plays whom where that is not the same player."""
        title, match, names = _(spec.title), self.preview.match, self.services.library.player_names(spec)
        if match is None:
            return title
        found = dict.fromkeys(names.of_label(player.label, player.kind) for player in match.mapping.values())
        against = _(" against ").join(found)
        return f"{title}:  {against}" if len(found) > 1 else title

    def _is_still(self, event: InputEvent) -> bool:
        """Whether it is a mouse that did not move, or a stick in its middle."""
        if isinstance(event, AxisInput):
            return event.value == 0.0
        if isinstance(event, PointerInput) and event.kind == "move":
            before, self._pointer = self._pointer, event.pos
            return before is None or before == event.pos
        return False


def rotation(games: Sequence[GameSpec], *, featured: GameSpec | None) -> Iterator[GameSpec]:
    """The featured game, then all that can be played here, shuffled; endless."""
    rest = [spec for spec in games if spec is not featured and not missing(spec)]
    random.Random(7).shuffle(rest)
    return cycle([*([featured] if featured is not None else []), *rest])


def _draw_plate(
    canvas: pygame.Surface, theme: Theme, text: str, corner: str, room: pygame.Rect, size: float
) -> pygame.Rect:
    """Draw a line on a plate in that corner of the room; returns the plate."""
    across, down = theme.px(ACROSS), theme.px(8)
    picture = theme.fitted(text, width=room.w - 2 * across, size=size, bold=True)
    plate = picture.get_rect().inflate(2 * across, 2 * down)
    setattr(plate, corner, getattr(room, corner))
    theme.draw_panel(canvas, plate, fill=theme.colours.ground, edge=theme.colours.edge)
    canvas.blit(picture, picture.get_rect(center=plate.center))
    return plate
