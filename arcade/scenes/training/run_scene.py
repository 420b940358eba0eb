"""RunScene: one run: state, four tabs, and buttons for remote control of its trainer."""

from __future__ import annotations

from arcade.engine.ui import theme as themes
from arcade.engine.ui.axes import short_number
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column
from arcade.engine.ui.texts import Paragraph
from arcade.engine.ui.widget import Widget
from arcade.language import N_, _, ngettext
from arcade.scenes import routes
from arcade.scenes.screens import TabbedScreen
from arcade.scenes.training.curves_page import CurvesPage
from arcade.scenes.training.pages import MatchmakingPage, PoolPage, RunPage
from arcade.scenes.training.watch_page import WatchPage
from arcade.session.services import Services
from arcade.session.training.run_cards import plain_title
from arcade.session.training.words import training_text

SOON = {"paused": N_("It will pause after this iteration."), "stopped": N_("It will stop after this iteration.")}
"""What was asked of a trainer that has not done it yet."""


class RunScene(TabbedScreen[RunPage]):
    """Closing the screen closes the link."""

    nap = 0.002

    def __init__(self, services: Services, route: routes.Run) -> None:
        super().__init__(services, route)
        self.link = link = route.link
        kinds = (CurvesPage, PoolPage, WatchPage, MatchmakingPage)
        self.pages = tuple(kind(link, services) for kind in kinds)
        self.page = self.pages[0]
        self._shown: object = None
        self._named = ""  # the game whose snapshots have names

    @property
    def heading(self) -> str:  # type: ignore[override]
        """The title of the game."""
        return self.game_title or plain_title(self.link.name)

    @property
    def game_title(self) -> str:
        """The title of the game that is trained; "" before it is known."""
        spec = self.services.library.find(self.link.status.game)
        return spec.title if spec is not None else self.link.status.game.rpartition("/")[2]

    def actions(self) -> list[Widget]:
        live, resumes = self.link.live, self._can_resume or self._is_paused
        pause = Button(
            _("Resume") if resumes else _("Pause"), self._pause, enabled=live or self._can_resume, key="pause",
            hint=self._pause_hint(),
        )  # fmt: skip
        save, stop = _("Save the AI as it is now, to play against"), _("End the training; it can be resumed later")
        return [
            pause,
            Button(_("Save a snapshot"), lambda: self._request("freeze"), enabled=live, hint=save),
            Button(_("Stop"), self._stop, enabled=live, danger=True, hint=stop),
        ]

    def head(self) -> Widget | None:
        trouble = Paragraph(lambda: self.link.trouble, size=themes.SMALL, colour="warning")
        return Column([
            Paragraph(self.state_text), Paragraph(self.facts_text, size=themes.SMALL, colour="muted"),
            trouble if self.link.trouble else None, super().head(),
        ], gap=6)  # fmt: skip

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
        if (game := self.link.status.game) and game != self._named:
            self._named = game
            self.services.library.refresh_snapshots(game)
        state = self.link.live, self._can_resume, self._is_paused, bool(self.link.trouble), self.heading
        changed = self.page.update(now)
        if changed or state != self._shown:
            self._shown = state
            self.refresh()

    def rest(self, now: float) -> None:
        self.page.rest(now)

    def leave(self) -> None:
        self.page.hide()
        self.link.close()

    def state_text(self) -> str:
        """What the trainer does, in a sentence."""
        facts, text = self.link.status, training_text(self.link, _(self.heading))
        is_asked = self.link.live and facts.asked != self.link.state
        return f"{text} {_(SOON[facts.asked])}" if is_asked and facts.asked in SOON else text

    def facts_text(self) -> str:
        """Algorithm and progress in one line."""
        facts = self.link.status
        parts = [facts.algorithm]
        if facts.step:
            parts.append(_("{count} steps").format(count=short_number(facts.step)))
        if facts.snapshots:
            parts.append(
                ngettext("{count} snapshot", "{count} snapshots", facts.snapshots).format(count=facts.snapshots)
            )
        return "  ·  ".join(part for part in parts if part)

    @property
    def _can_resume(self) -> bool:
        return self.link.folder is not None and self.link.state in ("ended", "stopped")

    @property
    def _is_paused(self) -> bool:
        facts = self.link.status
        return (facts.asked or facts.state) == "paused"

    def _pause_hint(self) -> str:
        if self._can_resume:
            return _("Start a trainer that resumes from the last checkpoint")
        return _("Continue training") if self._is_paused else _("Pause after the current iteration")

    def _pause(self) -> None:
        if self._can_resume:
            self.link.expect_trainer(self.engine.clock())
            self.services.trainers.resume(self.link.name)
        else:
            self._request("resume" if self._is_paused else "pause")

    def _request(self, name: str) -> None:
        if self.link.client is not None:
            self.link.client.request(name)

    def _stop(self) -> None:
        question = _("Stop training {game}?").format(game=_(self.heading))
        detail = _("The trainer writes a last checkpoint. You can resume it later.")
        self.engine.push(routes.Confirm(question, detail, _("Stop it"), lambda: self._request("stop")))
