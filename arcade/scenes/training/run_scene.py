"""RunScene: one run: state, four tabs, and buttons for remote control of its trainer."""

from __future__ import annotations

import pygame

from arcade.engine.ui import theme
from arcade.engine.ui.axes import short_number
from arcade.engine.ui.widgets import Button, Widget
from arcade.scenes import routes
from arcade.scenes.screen import TabbedScreen
from arcade.scenes.training.curves_page import CurvesPage
from arcade.scenes.training.pages import AREA, MatchmakingPage, PoolPage, RunPage
from arcade.scenes.training.watch_page import WatchPage
from arcade.session.services import Services

BUTTONS = pygame.Rect(1240 - 4 * 136 + 12, 28, 124, 48)
TAB = pygame.Rect(AREA.left, 108, 170, 48)
TROUBLE = pygame.Rect(TAB.left + 4 * (TAB.w + theme.GAP) + 12, 104, 450, 60)  # three lines beside the tabs
STATES = {
    "looking": "looking for its trainer …", "ended": "not training", "connecting": "connecting …",
    "silent": "no answer", "starting": "starting …", "stopping": "stopping …",
}  # fmt: skip
COLOURS = {
    "starting": "BLUE",
    "stopping": "BLUE",
    "running": "GREEN",
    "paused": "YELLOW",
    "silent": "WARNING",
    "ended": "FAINT",
}
"""Names in the palette."""


class RunScene(TabbedScreen[RunPage]):
    """Closing the screen closes the link."""

    first_tab = TAB
    nap = 0.002

    def __init__(self, services: Services, route: routes.Run) -> None:
        super().__init__(services, route)
        self.link = link = route.link
        self.pages = (CurvesPage(link), PoolPage(link), WatchPage(link, services), MatchmakingPage(link))
        self.page = self.pages[0]
        self._buttons: list[Button] = []

    def widgets(self) -> list[Widget]:
        rects = [BUTTONS.move(place * (BUTTONS.w + theme.GAP), 0) for place in range(4)]
        self._buttons = [
            Button(rects[0], "Pause", self._pause),
            Button(rects[1], "Freeze", lambda: self._request("freeze"), hint="Save a snapshot of the policy"),
            Button(rects[2], "Stop", self._stop, hint="End the training; it can be resumed later"),
            Button(rects[3], "Back", self.back, hint="To the runs"),
        ]
        self._update_buttons()
        return [*self.tabs(), *self._buttons, *self.page.widgets()]

    def turn_to(self, page: RunPage) -> None:
        if page is not self.page:
            self.page.hide()
            super().turn_to(page)

    def update(self, now: float) -> None:
        super().update(now)
        self.link.update(now)
        if self.link.client is not None:
            notices, self.link.client.notices = self.link.client.notices, []
            for words in notices[-3:]:
                self.engine.say(words)
        if self.page.update(now):
            self.refresh()
        self._update_buttons()

    def rest(self, now: float) -> None:
        self.page.rest(now)

    def leave(self) -> None:
        self.page.hide()
        self.link.close()

    def draw_page(self, canvas: pygame.Surface) -> None:
        name = self.link.name
        theme.draw_text(canvas, name, (theme.MARGIN, 20), size=theme.LARGE, bold=True, width=BUTTONS.left - 70)
        at = (theme.MARGIN + 18, 76)
        state = self.link.state
        colour = getattr(theme, COLOURS.get(state, "BLUE"))
        pygame.draw.circle(canvas, colour, (theme.MARGIN + 6, 76), 6)
        theme.draw_text(
            canvas, self.facts_words, at, size=theme.SMALL, colour=theme.MUTED, anchor="midleft",
            width=BUTTONS.left - at[0] - 20,
        )  # fmt: skip
        if trouble := self.link.trouble:
            picture = theme.paragraph(trouble, width=TROUBLE.w, size=16, colour=theme.WARNING)
            canvas.blit(picture, TROUBLE, ((0, 0), TROUBLE.size))
        self.page.draw(canvas)

    @property
    def facts_words(self) -> str:
        """State and progress in one line."""
        facts, state = self.link.status, self.link.state
        words = STATES.get(state, state)
        if facts.asked and facts.asked != state and self.link.live:
            words += f", soon {facts.asked}"
        parts = [words, facts.game, facts.algorithm]
        if facts.step:
            parts.append(f"{short_number(facts.step)} steps")
        if facts.snapshots:
            parts.append(f"{facts.snapshots} snapshot{'s' if facts.snapshots > 1 else ''}")
        return "  ·  ".join(part for part in parts if part)

    @property
    def _can_resume(self) -> bool:
        return self.link.folder is not None and self.link.state in ("ended", "stopped")

    def _update_buttons(self) -> None:
        """Label and enable the buttons by the run's state."""
        pause, freeze, stop, _ = self._buttons
        live, facts = self.link.live, self.link.status
        paused = (facts.asked or facts.state) == "paused"
        pause.label = "Resume" if self._can_resume or paused else "Pause"
        pause.hint = "Continue training" if paused else "Pause after the current iteration"
        if self._can_resume:
            pause.hint = "Start a trainer that resumes from the last checkpoint"
        pause.enabled = live or self._can_resume
        freeze.enabled = stop.enabled = live

    def _pause(self) -> None:
        if self._can_resume:
            self.link.expect_trainer(self.engine.clock())
            self.services.trainers.resume(self.link.name)
        else:
            facts = self.link.status
            self._request("resume" if (facts.asked or facts.state) == "paused" else "pause")

    def _request(self, name: str) -> None:
        if self.link.client is not None:
            self.link.client.request(name)

    def _stop(self) -> None:
        self.engine.push(
            routes.Confirm(
                f"Stop {self.link.name}?", "The trainer writes a last checkpoint. You can resume it later.",
                "Stop it", lambda: self._request("stop"),
            )
        )  # fmt: skip
