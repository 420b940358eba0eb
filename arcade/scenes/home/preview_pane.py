"""PreviewPane: a live picture of a game that plays by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from arcade.engine.ui import theme
from arcade.session.services import Services

if TYPE_CHECKING:
    from arcade.games.spec import GameSpec
    from arcade.scenes.match.picture import GamePicture

KEPT = 64
"""Games whose last pictures are kept, to be shown at once when the game is selected again."""


class PreviewPane:
    """Draws the preview; until its first frame, the last picture of that game or a line of text."""

    def __init__(self, services: Services, rect: pygame.Rect) -> None:
        self.rect = rect
        self._services = services
        self._view: GamePicture | None = None  # made with the first game: the title is shown before numpy is imported
        self._spec: GameSpec | None = None
        self._notice = "Loading …"
        self._last: dict[str, pygame.Surface] = {}

    def show(self, spec: GameSpec | None, now: float, *, lacking: str = "") -> None:
        """Show `spec` and advance its preview; `lacking` says why it cannot be played."""
        preview = self._services.preview
        assert preview is not None
        if self._view is None or spec is not self._spec:
            from arcade.scenes.match.picture import GamePicture

            self._spec, self._view = spec, GamePicture(spec, whole=False) if spec is not None else None
        self._notice = lacking or "Starting …"
        preview.show(None if lacking else spec, now=now)
        preview.update(now)
        if preview.failure:
            self._notice = f"No preview: {preview.failure}"

    def draw(self, canvas: pygame.Surface, caption: str = "") -> None:
        """Draw the picture in its frame, with a caption below."""
        theme.draw_panel(canvas, self.rect.inflate(20, 20), fill=theme.PANEL, edge=theme.RAISED)
        pygame.draw.rect(canvas, theme.WELL, self.rect)
        preview = self._services.preview
        match = preview.match if preview is not None and preview.spec is self._spec else None
        newest = (match.tick, match.frame) if match is not None else ()
        where = (
            self._view.draw(canvas, theme.page_theme(), self.rect, *newest) if self._view else pygame.Rect(0, 0, 0, 0)
        )
        if where.w:
            if self._spec is not None and self._spec.id not in self._last and len(self._last) < KEPT:
                self._last[self._spec.id] = canvas.subsurface(where).copy()
        elif self._spec is not None and self._spec.id in self._last:
            picture = self._last[self._spec.id]
            canvas.blit(picture, picture.get_rect(center=self.rect.center))
        else:
            picture = theme.paragraph(self._notice, width=self.rect.w - 80, colour=theme.MUTED)
            canvas.blit(picture, picture.get_rect(center=self.rect.center))
        if caption:
            at = (self.rect.left, self.rect.bottom + 22)
            theme.draw_text(canvas, caption, at, size=theme.SMALL, colour=theme.FAINT, width=self.rect.w)
