"""GameCard, TrainingStrip, JobsButton: what the home screen shows beside its menu."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button, Press
from arcade.engine.ui.theme import Size, Theme
from arcade.language import _
from arcade.session.jobs import Jobs

JOBS_HIGH = 36  # units of the button
WITH_PICTURE = 250  # units of a card from which on it has room for a picture
PAD, BAR = 14, 5  # units around the text, and of the bar at the left


class GameCard(Button):
    """A game to start with one press: a caption over its title, a line below, and its picture at the right."""

    def __init__(
        self, caption: str, title: str, press: Press, *, picture: Callable[[Size], pygame.Surface | None],
        detail: str = "", hint: str = "",
    ) -> None:  # fmt: skip
        """`picture` returns that of the game in pixels of a size; None: there is none yet."""
        super().__init__(title, press, hint=hint, key=f"{caption} {title}")
        self.caption, self.detail, self._picture = caption, detail, picture

    @property
    def spoken(self) -> str:
        return ", ".join(filter(None, (self.caption, self.label, self.detail)))

    def natural(self, theme: Theme, width: int) -> Size:
        high = 2 * theme.line_height(themes.SMALL) + theme.line_height() + 2 * theme.px(PAD - 4)
        return min(width, theme.px(260)), high

    def least(self, theme: Theme) -> int:
        return theme.px(180)

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        colours, rect, pad = theme.colours, self.rect, theme.px(PAD)
        theme.draw_panel(canvas, rect, fill=colours.raised)
        high = rect.h - 2 * theme.px(PAD - 6)
        picture = self._picture((high * 16 // 9, high)) if rect.w >= theme.px(WITH_PICTURE) else None
        right = rect.right - pad
        if picture is not None:
            at = picture.get_rect(midright=(rect.right - theme.px(PAD - 6), rect.centery))
            right = canvas.blit(picture, at).left - theme.px(PAD - 4)
        left, top = rect.left + pad, rect.top + theme.px(PAD - 4)
        width = right - left
        for text, size, colour, bold in (
            (self.caption, themes.SMALL, colours.muted, False), (self.label, themes.BODY, colours.ink, True),
            (self.detail, themes.SMALL, colours.muted, False),
        ):  # fmt: skip
            high = theme.line_height(size)
            theme.draw_text(canvas, text, (left, top), size=size, colour=colour, bold=bold, width=width, height=high)
            top += theme.line_height(size)
        if self.focused:
            theme.draw_focus(canvas, rect)


class JobsButton(Button):
    """How many jobs are under way in the background, and how far they are; takes no room while none is."""

    def __init__(self, jobs: Jobs, press: Press) -> None:
        hint = _("What the arcade does in the background, with progress")
        super().__init__(lambda: jobs.text, press, hint=hint, key="jobs", size=themes.SMALL, height=JOBS_HIGH)

    @property
    def can_focus(self) -> bool:
        return bool(self.label)

    def natural(self, theme: Theme, width: int) -> Size:
        return super().natural(theme, width) if self.label else (0, 0)

    def least(self, theme: Theme) -> int:
        return super().least(theme) if self.label else 0

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        if self.label:
            super().draw(canvas, theme)


class TrainingStrip(Button):
    """What the training on this machine does, in one line; takes no room while none runs."""

    def __init__(self, text: Callable[[], str], press: Press, *, hint: str = "") -> None:
        super().__init__(text, press, hint=hint, key="training strip", size=themes.SMALL)

    @property
    def can_focus(self) -> bool:
        return bool(self.label)

    def natural(self, theme: Theme, width: int) -> Size:
        if not self.label:
            return 0, 0
        return width, self._words(theme, width).get_height() + 2 * theme.px(PAD - 4)

    def least(self, theme: Theme) -> int:
        return theme.px(180) if self.label else 0

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        if not self.label:
            return
        theme.draw_panel(canvas, self.rect, fill=theme.colours.panel, edge=theme.colours.edge)
        bar = pygame.Rect(self.rect.left, self.rect.top + theme.px(8), theme.px(BAR), self.rect.h - theme.px(16))
        pygame.draw.rect(canvas, theme.colours.green, bar, border_radius=theme.px(2))
        words = self._words(theme, self.rect.w)
        canvas.blit(words, words.get_rect(midleft=(self.rect.left + theme.px(PAD + BAR), self.rect.centery)))
        if self.focused:
            theme.draw_focus(canvas, self.rect)

    def _words(self, theme: Theme, width: int) -> pygame.Surface:
        return theme.paragraph(self.label, width=width - theme.px(2 * PAD + BAR), size=themes.SMALL)
