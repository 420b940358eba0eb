"""RunScene: one run: state, four tabs, and buttons for remote control of its trainer."""

from __future__ import annotations

from agents.errors import UserError
from agents.seats.controller import AgentID
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column
from arcade.engine.ui.texts import Paragraph
from arcade.engine.ui.widget import Widget
from arcade.games import GameError, find_game
from arcade.language import N_, _, ngettext
from arcade.scenes import routes
from arcade.scenes.match_start import open_match
from arcade.scenes.screen import TabbedScreen
from arcade.scenes.training.curves_page import CurvesPage
from arcade.scenes.training.pages import MatchmakingPage, PoolPage, RunPage
from arcade.scenes.training.watch_page import WatchPage
from arcade.session.people import seat_choice_of
from arcade.session.services import Services
from arcade.session.training.errors import trouble_text
from arcade.session.training.presets import rounded_text
from arcade.session.training.resuming import Risk, find_risk
from arcade.session.training.run_cards import plain_title
from arcade.session.training.training import lineup_against, newest_opponents
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
        self._listed: object = None  # the game and the number of snapshots at the newest look
        self._opponents: dict[AgentID, str] = {}  # newest snapshots of this run, for every seat or none

    @property
    def heading(self) -> str:  # type: ignore[override]
        """The title of the game."""
        return self.game_title or plain_title(self.link.name)

    @property
    def game_title(self) -> str:
        """The title of the game that is trained; "" before it is known."""
        spec = self.services.library.find(self.link.status.game)
        return _(spec.title) if spec is not None else self.link.status.game.rpartition("/")[2]

    def actions(self) -> list[Widget]:
        live, resumes = self.link.live, self._can_resume or self._is_paused
        pause = Button(
            _("Resume") if resumes else _("Pause"), self._pause, enabled=live or self._can_resume, key="pause",
            hint=self._pause_hint(),
        )  # fmt: skip
        again = Button(_("Start again"), self._start_again, primary=True, hint=_("With the same settings"))
        save = _("Keep the AI as it is now, to play against and to train against (a snapshot)")
        stop = _("End the training; it can be resumed later")
        play = Button(
            _("Play against it"), self._play, primary=True, key="play", hint=_("You against its newest version")
        )  # fmt: skip
        return [
            *([play] if self._opponents else []),
            again if self.link.can_start_again and self.services.trainings is not None else pause,
            Button(_("Save this version"), lambda: self._request("freeze"), enabled=live, hint=save),
            Button(_("Stop"), self._stop, enabled=live or self._can_stop_start, danger=True, hint=stop),
        ]

    def head(self) -> Widget | None:
        trouble = Paragraph(self._trouble_text, size=themes.SMALL, colour="warning")
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
        self._list_snapshots()
        can_play, has_trouble = bool(self._opponents), bool(self.link.trouble)
        able = self._can_resume, self.link.can_start_again, self._can_stop_start
        state = self.link.live, able, self._is_paused, can_play, has_trouble, self.heading
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
        trainings = self.services.trainings
        own = trainings.under_way(self.link.name) if trainings is not None else None
        is_starting = own is not None and own.link.state == self.link.state == "starting"
        link = own.link if own is not None and is_starting else self.link  # it knows since when
        facts, text = self.link.status, training_text(link, _(self.heading))
        is_asked = self.link.live and facts.asked != self.link.state
        return f"{text} {_(SOON[facts.asked])}" if is_asked and facts.asked in SOON else text

    def _trouble_text(self) -> str:
        """What is wrong, "" for nothing; silence has its words already."""
        return self.link.trouble if self.link.state == "silent" else trouble_text(self.link.trouble)

    def facts_text(self) -> str:
        """Algorithm and progress in one line."""
        facts = self.link.status
        parts = [_("Trained with {algorithm}").format(algorithm=facts.algorithm)] if facts.algorithm else []
        if facts.step:
            parts.append(_("{count} steps").format(count=rounded_text(facts.step)))
        if facts.snapshots:
            parts.append(
                ngettext("{count} saved version", "{count} saved versions", facts.snapshots).format(
                    count=facts.snapshots
                )
            )
        return "  ·  ".join(part for part in parts if part)

    @property
    def _can_resume(self) -> bool:
        is_over = self.link.state in ("ended", "stopped")
        return self.link.folder is not None and is_over and not self.link.saved_nothing

    @property
    def _can_stop_start(self) -> bool:
        """Whether it can be stopped though it takes no requests yet."""
        trainings = self.services.trainings
        own = trainings.under_way(self.link.name) if trainings is not None else None
        return self.link.can_stop_start or (self.link.state == "starting" and own is not None)

    @property
    def _is_paused(self) -> bool:
        facts = self.link.status
        return (facts.asked or facts.state) == "paused"

    def _list_snapshots(self) -> None:
        """Name the snapshots, and find opponents among them, again after each new one."""
        facts, client = self.link.status, self.link.client
        known = facts.game, facts.snapshots, self.link.live, len(client.frozen) if client is not None else 0
        if facts.game and known != self._listed:
            self._listed = known
            self.services.library.refresh_snapshots(facts.game, self._find_opponents)

    def _find_opponents(self) -> None:
        library, game = self.services.library, self.link.status.game
        spec = library.find(game)
        if spec is not None:
            own = [card for card in library.cards(game)[::-1] if card.run == self.link.name]
            found = newest_opponents(own, spec)
            self._opponents = found if len(found) == len(spec.agents) else {}

    def _play(self) -> None:
        spec = self.services.library.find(self.link.status.game)
        assert spec is not None, "only opponents of games in the catalogue are found"
        device = seat_choice_of(self.engine.last_device.word)
        open_match(self, routes.Match(spec, lineup_against(self._opponents, spec, device)))

    def _pause_hint(self) -> str:
        if self._can_resume:
            return _("Start a trainer that resumes from the last checkpoint")
        return _("Continue training") if self._is_paused else _("Pause after the current iteration")

    def _pause(self) -> None:
        if not self._can_resume:
            self._request("resume" if self._is_paused else "pause")
        elif (folder := self.link.folder) is not None:
            self.services.worker.submit(
                lambda: find_risk(folder), done=self._ask_or_resume, errors=UserError,
                failed=lambda error: self.engine.say(str(error)),
            )  # fmt: skip

    def _ask_or_resume(self, risk: Risk | None) -> None:
        if risk is None:
            self._resume()
            return
        question, yes = _("Trust this training?"), _("Trust and resume")
        self.engine.push(routes.Confirm(question, risk.text, yes, lambda: self._trust(risk)))

    def _trust(self, risk: Risk) -> None:
        self.services.worker.submit(
            risk.accept, done=lambda _done: self._resume(trust_checkpoint=risk.foreign_checkpoint), errors=UserError,
            failed=lambda error: self.engine.say(str(error)),
        )  # fmt: skip

    def _resume(self, *, trust_checkpoint: bool = False) -> None:
        game, trainings = self.link.status.game, self.services.trainings
        if trainings is None:
            return
        try:
            spec = self.services.library.find(game) or find_game(game)  # one that was opened since the start
        except GameError as error:
            self.engine.say(str(error))
            return
        self.link.expect_trainer(self.engine.clock())
        trainings.resume(spec, self.link.name, trust_checkpoint=trust_checkpoint)

    def _start_again(self) -> None:
        spec = self.services.library.find(self.link.status.game)
        if spec is not None and self.services.trainings is not None:
            self.link.expect_trainer(self.engine.clock())
            self.services.trainings.again(spec, self.link.name)

    def _stop_start(self) -> None:
        """Stop it, also where it has begun while the question was open."""
        trainings = self.services.trainings
        training = trainings.under_way(self.link.name) if trainings is not None else None
        if training is not None:
            training.cancel()
        elif self.link.live:
            self._request("stop")
        else:
            self.link.stop_start()

    def _request(self, name: str) -> None:
        if self.link.client is not None:
            self.link.client.request(name)

    def _stop(self) -> None:
        question = _("Stop training {game}?").format(game=_(self.heading))
        if self._can_stop_start:
            detail = _("It has not begun yet, so there is nothing to save.")
            self.engine.push(routes.Confirm(question, detail, _("Stop it"), self._stop_start))
            return
        detail = _("What it has learnt so far is saved. You can resume it later.")
        self.engine.push(routes.Confirm(question, detail, _("Stop it"), lambda: self._request("stop")))
