"""JobsScene: everything under way, with progress and cancel, and what ended."""

from __future__ import annotations

from collections.abc import Callable

from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Panel, Row
from arcade.engine.ui.progress import ProgressBar
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Route
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.jobs import Job
from arcade.session.services import Services
from arcade.session.tournaments import TournamentJob
from arcade.session.training.training import Training

NONE = N_("Nothing is under way. Videos, trainings and tournaments are listed here while they run.")

OPENED: dict[type, Callable[..., Route]] = {
    Training: lambda job: routes.TrainOpponent(job.spec),
    TournamentJob: lambda job: routes.Tournament(job.spec, job),
}
"""Jobs that have a page of their own."""


class JobsScene(Screen):
    """Running jobs first, then the ended ones, newest first."""

    heading = N_("Jobs")

    def __init__(self, services: Services, route: routes.Jobs) -> None:
        super().__init__(services, route)
        self._shown = -1

    def actions(self) -> list[Widget]:
        if not self.services.jobs.ended:
            return []
        return [Button(_("Clear the list"), self._clear, hint=_("Forget the ended jobs"))]

    def body(self) -> Widget:
        jobs = self.services.jobs
        if not jobs.running and not jobs.ended:
            return Panel(Paragraph(_(NONE), colour="muted"))
        ended = [self._ended(job) for job in reversed(jobs.ended)]
        title = Label(_("Ended"), bold=True, colour="muted") if ended else None
        return Column([*(self._running(job) for job in jobs.running), title, *ended], gap=12)

    def update(self, now: float) -> None:
        super().update(now)
        if self.services.jobs.version != self._shown:
            self._shown = self.services.jobs.version
            self.refresh()

    def _running(self, job: Job) -> Widget:
        stop = Button(_("Cancel"), lambda: self._ask(job), danger=True, key=f"cancel {id(job)}", hint=job.title)
        texts = Column([
            Label(job.title, bold=True), Paragraph(lambda: job.text, size=themes.SMALL, colour="muted"),
            ProgressBar(lambda: job.progress),
        ], gap=6, grow=1)  # fmt: skip
        return Panel(Row([texts, self._opener(job), stop]), padding=14)

    def _ended(self, job: Job) -> Widget:
        texts = Column([Label(job.title), Paragraph(job.text, size=themes.SMALL, colour="muted")], gap=2, grow=1)
        return Panel(Row([texts, self._opener(job)]), padding=12)

    def _opener(self, job: Job) -> Widget | None:
        """Make the button to the job's page."""
        route = OPENED.get(type(job))
        if route is None:
            return None
        return Button(_("Open"), lambda: self.engine.push(route(job)), key=f"open {id(job)}", hint=job.title)

    def _ask(self, job: Job) -> None:
        question = _("Cancel this job?")
        self.engine.push(routes.Confirm(question, job.title, _("Cancel it"), job.cancel))

    def _clear(self) -> None:
        self.services.jobs.forget_ended()
