"""Train me an opponent: how long, what will come of it, how it goes, and the way to play against it."""

from __future__ import annotations

from agents.files import folder
from agents.wire.trainer_events import TrainerStatus
from arcade.engine.ui import theme as themes
from arcade.engine.ui.axes import share
from arcade.engine.ui.charts import Line, LineChart
from arcade.engine.ui.controls import Button, Slider
from arcade.engine.ui.layout import Column, Panel, Row
from arcade.engine.ui.progress import ProgressBar
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.widget import Widget
from arcade.language import N_, _, duration_text
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.people import seat_choice_of
from arcade.session.services import Services
from arcade.session.training.errors import reported_text
from arcade.session.training.presets import closing_text
from arcade.session.training.run_link import RunLink
from arcade.session.training.strength import Strength
from arcade.session.training.training import MINUTES, STAYS_FROM, Forecast, Training
from arcade.session.training.words import STEPS

FIRST_MINUTES = 10
"""Where the slider begins."""

HOW = N_(
    "The AI learns {game} here by playing against itself. Meanwhile you can play anything; "
    "the first opponent is ready after a minute or two."
)


class OpponentScene(Screen):
    """The form of a new training, or the present one of the game."""

    heading = N_("Train me an opponent")

    def __init__(self, services: Services, route: routes.TrainOpponent) -> None:
        super().__init__(services, route)
        self.spec = route.spec
        self.forecast: Forecast | None = None
        self._step = MINUTES.index(FIRST_MINUTES)
        self._asked = self._is_new = self._has_details = False
        self._shown: object = None
        self._chart = LineChart("")

    @property
    def training(self) -> Training | None:
        """The training shown; None for the form."""
        trainings = self.services.trainings
        return trainings.of(self.spec.id) if trainings is not None and not self._is_new else None

    @property
    def minutes(self) -> int:
        """The time chosen."""
        return MINUTES[self._step]

    def body(self) -> Widget:
        training = self.training
        if training is None:
            return self._form()
        if training.failure:
            return self._failed(training)
        return self._progress(training)

    def update(self, now: float) -> None:
        super().update(now)
        if self.services.trainings is not None and not self._asked:
            self._asked = True
            self.services.trainings.forecast(self.spec, self._take_forecast)
        if (state := self._state()) != self._shown:
            self._shown = state
            self.refresh()
        if self.training is not None:
            self._chart.set_lines([Line("", self.training.link.strength.points)])

    def _state(self) -> object:
        """What the widgets depend on; texts change by themselves."""
        training = self.training
        if training is None:
            return self.services.trainings is not None
        strength = training.link.strength
        return (
            training, training.done, training.can_play, training.failure, training.progress is None,
            strength.opponent, strength.value is None,
        )  # fmt: skip

    # The form

    def _form(self) -> Widget:
        time = Slider(
            _("Time"), value=self._step, low=0, high=len(MINUTES) - 1, step=1, change=self._set_step,
            show=lambda step: duration_text(MINUTES[round(step)] * 60),
            hint=_("Left and right change the time; you can stop at any time"),
        )  # fmt: skip
        start = Button(
            _("Start training"), self._start, primary=True, enabled=self.services.trainings is not None,
            hint=_("Train in the background"),
        )  # fmt: skip
        facts = Column([
            Paragraph(self._forecast_text, size=themes.BODY),
            Paragraph(lambda: closing_text(stays=self.minutes >= STAYS_FROM), colour="muted"),
        ])  # fmt: skip
        game = _(self.spec.title)
        return Column([
            Label(game, size=themes.LARGE, bold=True),
            Paragraph(_(HOW).format(game=game), colour="muted"),
            time,
            Row([start]),
            Panel(facts),
        ], gap=20)  # fmt: skip

    def _set_step(self, step: float) -> None:
        self._step = round(step)
        self.lay_out()

    def _forecast_text(self) -> str:
        return self.forecast.of(self.minutes).text if self.forecast is not None else _("Estimating …")

    def _take_forecast(self, forecast: Forecast) -> None:
        self.forecast = forecast
        if self.engine.running:
            self.lay_out()

    def _start(self) -> None:
        assert self.services.trainings is not None
        self.services.trainings.start(self.spec, self.minutes)
        self._is_new = self._has_details = False
        self.refresh()

    # A training

    def _progress(self, training: Training) -> Widget:
        self._chart = _chart_of(training.link.strength)
        return Column([
            Paragraph(lambda: training.text, size=themes.LARGE, bold=True),
            ProgressBar(lambda: training.progress) if training.progress is not None else None,
            Row(self._choices(training)),
            self._chart,
        ], gap=20)  # fmt: skip

    def _choices(self, training: Training) -> list[Widget]:
        wait = _("The first opponent is ready after a minute or two")
        play = Button(
            _("Play against it"), lambda: self._play(training), primary=True, enabled=training.can_play,
            hint=_("You against its newest version") if training.can_play else wait,
        )  # fmt: skip
        more = Button(_("Curves and opponents"), lambda: self._open(training), hint=_("Everything about this training"))
        if training.done:
            again = Button(
                _("Continue training"), self._renew, hint=_("Choose a time; the AI continues with what it has learnt")
            )
            return [play, again, more]
        stop = Button(_("Stop"), lambda: self._ask_to_stop(training), danger=True, hint=_("End this training now"))
        return [play, more, stop]

    def _play(self, training: Training) -> None:
        device = seat_choice_of(self.engine.last_device.word)
        self.engine.push(routes.Match(self.spec, training.lineup(device)))

    def _open(self, training: Training) -> None:
        services, facts = self.services, TrainerStatus(run=training.run, game=self.spec.id)
        run = folder("runs") / training.run
        link = RunLink(worker=services.worker, folder=run, status=facts, trainers=services.trainers)
        self.engine.push(routes.Run(link))

    def _renew(self) -> None:
        self._is_new, self._asked = True, False  # the training that is over tells how fast this machine is
        self.refresh()

    def _ask_to_stop(self, training: Training) -> None:
        question, detail = _("Stop this training?"), _("What it has learnt so far is saved.")
        self.engine.push(routes.Confirm(question, detail, _("Stop"), training.cancel))

    # A failure

    def _failed(self, training: Training) -> Widget:
        details = Panel(Paragraph(reported_text(training.failure), size=themes.SMALL)) if self._has_details else None
        label = _("Hide details") if self._has_details else _("Details")
        return Column([
            Paragraph(training.text, size=themes.LARGE, colour="warning"),
            Row([
                Button(_("Try again"), self._renew, primary=True, hint=_("Choose a time and start again")),
                Button(label, self._turn_details, key="details", hint=_("What the trainer reported")),
            ]),
            details,
        ], gap=20)  # fmt: skip

    def _turn_details(self) -> None:
        self._has_details = not self._has_details
        self.refresh()


def _chart_of(strength: Strength) -> LineChart:
    """Make the chart of win rates, or of scores where all win or lose together."""
    if strength.value is not None and not strength.opponent:
        return LineChart(_("Score"), unit=STEPS)
    title = _("How often it beats {opponent}").format(opponent=_(strength.opponent))
    return LineChart(
        title if strength.opponent else _("Strength"),
        show=share,
        low=0.0,
        high=1.0,
        empty=N_("Not measured yet"),
        unit=STEPS,
    )
