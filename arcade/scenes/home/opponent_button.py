"""OpponentButton: a player to begin against, with its measured strength."""

from __future__ import annotations

import pygame

from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button, Press
from arcade.engine.ui.theme import Size, Theme

HIGH = 36  # units
PAD, BETWEEN = 14, 16  # units at the sides, and between name and strength


class OpponentButton(Button):
    """The name at the left, the strength at the right; below the name where both are too wide for one line."""

    def __init__(self, name: str, press: Press, *, strength: str = "", hint: str = "", key: str = "") -> None:
        super().__init__(name, press, hint=hint, key=key, size=themes.SMALL, height=HIGH)
        self.strength = strength

    @property
    def spoken(self) -> str:
        return ", ".join(filter(None, (self.label, self.strength)))

    def natural(self, theme: Theme, width: int) -> Size:
        _wide, high = super().natural(theme, width)
        if self._is_tall(theme, width):
            return width, high + self._strength(theme, width).get_height()
        return min(width, self._wide(theme)), high

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        rect, pad = self.rect, theme.px(PAD)
        fill, ink = self._colours(theme)
        theme.draw_panel(canvas, rect, fill=fill)
        inside = rect.inflate(-2 * pad, -theme.px(12))
        if self.strength:
            strength, at = self._strength(theme, rect.w), "bottomleft" if self._is_tall(theme, rect.w) else "midright"
            taken = canvas.blit(strength, strength.get_rect(**{at: getattr(inside, at)}))
            if at == "bottomleft":
                inside.h -= taken.h
            else:
                inside.w -= taken.w + theme.px(BETWEEN)
        theme.draw_text(canvas, self.label, inside.midleft, anchor="midleft", width=inside.w, height=inside.h,
                        size=themes.SMALL, bold=True, colour=ink)  # fmt: skip
        if self.focused:
            theme.draw_focus(canvas, rect)

    def _strength(self, theme: Theme, width: int) -> pygame.Surface:
        room = width - 2 * theme.px(PAD)
        return theme.paragraph(self.strength, width=room, size=themes.SMALLEST, colour=theme.colours.muted)

    def _is_tall(self, theme: Theme, width: int) -> bool:
        return bool(self.strength) and self._wide(theme) > width

    def _wide(self, theme: Theme) -> int:
        """Return the width of all of it in one line."""
        name = theme.font(themes.SMALL, bold=True).size(self.label)[0] + 2 * theme.px(PAD)
        beside = theme.font(themes.SMALLEST).size(self.strength)[0] + theme.px(BETWEEN)
        return name + (beside if self.strength else 0)
