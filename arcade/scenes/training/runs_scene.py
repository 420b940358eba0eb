"""The training page: the runs as cards, connections to other machines, and new runs."""

from __future__ import annotations

from agents.files import folder
from agents.wire.trainer_events import TrainerStatus
from arcade.engine.ui import theme as themes
from arcade.engine.ui.cards import Card
from arcade.engine.ui.charts import Sparkline
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Grid, Panel, Row
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.widget import Widget
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.services import Services
from arcade.session.training.run_cards import RunCard, RunCards
from arcade.session.training.run_link import RunLink
from arcade.session.training.runs import RunFound, endpoint

LOOK_EVERY = 2.0
"""Seconds between two scans of the runs on disk."""

NONE = N_("No training on this machine yet. Start one: the AI learns a game by playing against itself.")

NONE_OF = N_("No training of {game} on this machine yet. Start one: the AI learns it by playing against itself.")


class RunsScene(Screen):
    """Running runs first; a press opens one."""

    heading = N_("Training")

    def __init__(self, services: Services, route: routes.Runs) -> None:
        super().__init__(services, route)
        self.game = route.game  # whose runs are shown; "": those of all games
        self.cards: tuple[RunCard, ...] = ()
        self._finder = RunCards(folder("runs"))
        self._look_at = 0.0
        self._looking = self._looked = False
        self._address = "tcp://"

    @property
    def runs(self) -> tuple[RunFound, ...]:
        """The runs found, in the order of their cards."""
        return tuple(card.found for card in self.cards)

    def actions(self) -> list[Widget]:
        new = Button(
            _("New training"), lambda: self.engine.push(routes.NewRun()), primary=True,
            hint=_("Choose a game, and how long to train"),
        )  # fmt: skip
        connect = Button(_("Other machine …"), self._connect, hint=_("Connect to a trainer on another machine"))
        jobs = Button(
            lambda: self.services.jobs.text or _("Jobs"), lambda: self.engine.push(routes.Jobs()), key="jobs",
            hint=_("Everything under way, with progress"),
        )  # fmt: skip
        return [self._game_button(), new, jobs, connect] if self.game else [new, jobs, connect]

    def _game_button(self) -> Button:
        """The game whose runs are shown; a press shows those of all."""
        return Button(
            self._title_of(self.game), self._show_all, chosen=True, key="game", hint=_("Show the runs of all games")
        )

    def _show_all(self) -> None:
        self.game = ""
        self.refresh()

    def _title_of(self, game: str) -> str:
        spec = self.services.library.find(game)
        return _(spec.title) if spec is not None else game

    def body(self) -> Widget:
        cards = [card for card in self.cards if self.game in ("", card.found.game)]
        if not cards:
            none = _(NONE_OF).format(game=self._title_of(self.game)) if self.game else _(NONE)
            return Panel(Paragraph(none if self._looked else _("Looking for runs …"), colour="muted"))
        return Grid([self._card(card) for card in cards], cell=360, gap=14)

    def update(self, now: float) -> None:
        super().update(now)
        if now >= self._look_at and not self._looking:
            self._looking, self._look_at = True, now + LOOK_EVERY
            trainings = self.services.trainings
            preparing = dict.fromkeys(trainings.preparing if trainings is not None else (), 0)
            started = preparing | self.services.trainers.processes
            self.services.worker.submit(lambda: self._finder.find(started), done=self._found)

    def resume(self) -> None:
        self._look_at = 0.0

    def show_run(self, run: RunFound) -> None:
        """Open the screen of a run."""
        facts = TrainerStatus(run=run.run, game=run.game, step=run.step)
        services = self.services
        link = RunLink(worker=services.worker, folder=run.folder, status=facts, trainers=services.trainers)
        self.engine.push(routes.Run(link))

    def connect(self, address: str) -> None:
        """Open the trainer at `address`, or the local run that it belongs to."""
        address = address.strip()
        self._address = address or "tcp://"
        if not endpoint(address):
            text = _("Expected an address like tcp://192.168.1.20:5556, got: {address}")
            self.engine.say(text.format(address=repr(address)))
            return
        here = next((run for run in self.runs if run.reached is not None and run.reached.control == address), None)
        if here is not None:
            self.show_run(here)
        else:
            self.engine.push(routes.Run(RunLink(worker=self.services.worker, address=address)))

    def _card(self, card: RunCard) -> Card:
        run, strength = card.found, card.strength
        spec = self.services.library.find(run.game)
        title = _(spec.title) if spec is not None else card.title

        def state() -> str:
            return card.state(self._seconds_left(run.run))

        bounds = (0.0, 1.0) if strength.opponent else (None, None)
        texts = Column([
            Label(title, size=themes.LARGE, bold=True),
            Label(state, colour=_colour(run)),
        ], gap=2, grow=1)  # fmt: skip
        curve = Sparkline(strength.points, low=bounds[0], high=bounds[1], width=110, height=56)
        whole = Column([
            Row([texts, curve], stacks=False), Paragraph(card.strength_text, size=themes.SMALL)
        ], gap=6)  # fmt: skip
        return Card(
            whole, lambda: self.show_run(run), label=f"{title}, {state()}", key=run.run,
            hint=_("Curves, opponents and controls of this training"), least=300,
        )  # fmt: skip

    def _seconds_left(self, run: str) -> float | None:
        """Return the time left of a run that this window follows."""
        trainings = self.services.trainings
        links = [one.link for one in trainings.all] if trainings is not None else []
        if self.services.trainer is not None:
            links.append(self.services.trainer)
        return next((link.status.seconds_left for link in links if link.status.run == run), None)

    def _found(self, cards: tuple[RunCard, ...]) -> None:
        self._looking, self._looked = False, True
        if cards != self.cards or not cards:
            was_empty, self.cards = not self.cards, cards
            if self.engine.running:
                self.refresh()
            if was_empty and cards:
                self._focus_first()

    def _focus_first(self) -> None:
        if (card := next((widget for widget in self.tree.walk() if isinstance(widget, Card)), None)) is not None:
            self.focus.focus(card, silently=True)

    def _connect(self) -> None:
        self.engine.push(
            routes.EnterText(
                _("Address of a trainer"), self._address, self.connect,
                hint=_("tcp://KEY@HOST:PORT of a trainer started with --listen; its key: arcade keys show"),
                symbols=True,
            )
        )  # fmt: skip


def _colour(run: RunFound) -> str:
    """Choose the colour of a run's state."""
    if run.has_failed:
        return "warning"
    return "green" if run.reached or run.is_starting else "muted"
