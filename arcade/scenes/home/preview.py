"""Preview: a live picture of a game that plays by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from arcade.engine.ui.theme import Size, Theme
from arcade.engine.ui.widget import Widget
from arcade.engine.window.video import fit_rect
from arcade.language import _
from arcade.session.services import Services

if TYPE_CHECKING:
    from arcade.games.spec import GameSpec
    from arcade.scenes.home.game_pictures import GamePictures
    from arcade.scenes.match.picture import GamePicture

KEPT = 64
"""Games whose last pictures are kept, to be shown at once when the game is selected again."""
FRAME = 10
"""Units of the frame."""


class Preview(Widget):
    """Shows the preview; until its first frame, the last picture of that game, that of its tile, or a line of text."""

    def __init__(self, services: Services) -> None:
        super().__init__(grow=1)
        self._services = services
        self._view: GamePicture | None = None  # made with the first game: the title is shown before numpy is imported
        self._spec: GameSpec | None = None
        self._notice, self._is_lacking = "", False  # why the game cannot be played; "" before the first one
        self._last: dict[str, pygame.Surface] = {}
        self._tiles: GamePictures | None = None  # made with the first game, too

    def natural(self, theme: Theme, width: int) -> Size:
        width = min(width, theme.px(660))
        return width, width * 9 // 16 + 2 * theme.px(FRAME)

    def least_height(self, theme: Theme, width: int) -> int:
        return min(theme.px(140), self.measure(theme, width)[1])

    def least(self, theme: Theme) -> int:
        return theme.px(300)

    def show(self, spec: GameSpec | None, now: float, *, lacking: str = "") -> None:
        """Show `spec` and advance its preview; `lacking` says why it cannot be played."""
        preview = self._services.preview
        assert preview is not None
        if self._view is None or spec is not self._spec:
            from arcade.scenes.home.game_pictures import GamePictures

            self._tiles = self._tiles or GamePictures(self._services)
            self._spec, self._view = spec, self._tiles.view(spec) if spec is not None else None
        self._notice, self._is_lacking = lacking or _("Starting …"), bool(lacking)
        preview.show(None if lacking else spec, now=now)
        preview.update(now)
        if preview.failure:
            self._notice = _("No preview: {reason}").format(reason=preview.failure)

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        inside = self.rect.inflate(-2 * theme.px(FRAME), -2 * theme.px(FRAME))
        theme.draw_panel(canvas, self.rect, edge=theme.colours.raised)
        pygame.draw.rect(canvas, theme.colours.well, inside)
        preview = self._services.preview
        match = preview.match if preview is not None and preview.spec is self._spec else None
        newest = (match.tick, match.frame) if match is not None else ()
        where = self._view.draw(canvas, theme, inside, *newest) if self._view else pygame.Rect(0, 0, 0, 0)
        visible = where.clip(canvas.get_clip())
        if where.w:
            if (
                self._spec is not None
                and self._spec.id not in self._last
                and visible == where
                and len(self._last) < KEPT
            ):
                self._last[self._spec.id] = canvas.subsurface(where).copy()
        elif self._spec is not None and self._spec.id in self._last:
            picture = self._last[self._spec.id]
            canvas.blit(picture, picture.get_rect(center=inside.center))
        else:
            self._draw_waiting(canvas, theme, inside, has_failed=preview is None or bool(preview.failure))

    def _draw_waiting(self, canvas: pygame.Surface, theme: Theme, inside: pygame.Rect, *, has_failed: bool) -> None:
        """Draw the picture of the game's tile, and over it, or without one, what is waited for."""
        size = fit_rect((16, 9), inside).size
        tile = self._tiles.get(self._spec, size) if self._tiles is not None and self._spec is not None else None
        if tile is not None and not has_failed and not self._is_lacking:
            canvas.blit(tile, tile.get_rect(center=inside.center))
            return
        picture = theme.paragraph(self._notice or _("Loading …"), width=inside.w * 4 // 5, colour=theme.colours.muted)
        canvas.blit(picture, picture.get_rect(center=inside.center))
