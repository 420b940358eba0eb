"""New training: a preset, or a form made from the trainer's schema, which the trainer checks before it starts."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from agents.errors import UserError
from agents.files import folder, replace_file
from agents.wire.trainer_events import TrainerStatus
from arcade.engine.input.events import InputEvent, MenuInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.cards import Card
from arcade.engine.ui.controls import Button, Choice, Toggle
from arcade.engine.ui.layout import Column, Grid, Row
from arcade.engine.ui.lists import Item, ListView
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.games import GameSpec
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.scenes.training.field_row import FieldRow
from arcade.session.services import Services
from arcade.session.trainer_process import NICE, CallOutcome, TrainerCall
from arcade.session.training.field_hints import shown_hint
from arcade.session.training.field_titles import shown_title
from arcade.session.training.form import Form, as_text, flat, make_pages, put, read_text
from arcade.session.training.presets import PRESETS, QUICK, Preset, closing_text, preset_settings
from arcade.session.training.run_link import RunLink
from arcade.session.training.schema import SchemaError, SettingField, read_algorithms, read_schema
from arcade.session.training.training import STAYS_FROM, Forecast

FIRST_ALGORITHM = "PPO"
FIRST_VALUES: dict[tuple[str, ...], int] = {("resources", "nice"): NICE}
"""Defaults other than the trainer's: low priority, so that the window keeps its frame rate."""


@dataclass(frozen=True, kw_only=True)
class _Start:
    """A training that was asked for; its settings are in `file`."""

    game: GameSpec
    algorithm: str
    run: str
    file: Path
    minutes: float  # 0: until stopped
    nice: int

    @property
    def words(self) -> list[str]:
        """The trainer's arguments."""
        # Trusted: the file has only what was typed into the form.
        return [self.game.id, "--config", str(self.file), "--trust", "--run", self.run]


class NewRunScene(Screen):
    """A game and a preset with its estimate; all settings are behind *Advanced*, with the trainer's errors at them."""

    heading = N_("New training")
    legend = (("start", N_("Start")), ("accept", N_("Choose")), ("back", N_("Back")))

    def __init__(self, services: Services, route: routes.NewRun) -> None:
        super().__init__(services, route)
        assert services.library.featured is not None
        self.game = route.game or services.library.featured
        self.form: Form | None = None
        self.pages = make_pages(None)
        self.algorithm, self.stays, self.page = FIRST_ALGORITHM, False, 0
        self.algorithms: tuple[str, ...] = (FIRST_ALGORITHM,)  # all, once the schema is read
        self.preset = QUICK
        self.forecast: Forecast | None = None  # of the game
        self.is_advanced = False
        self.call: TrainerCall | None = None  # to the trainer, while it runs
        self.doing = ""  # shown while the trainer is called
        self._is_checking = False  # the call decides whether the training starts
        self._is_starting = False  # its settings are being written
        self._asked = ""  # the game whose forecast was asked for
        self._of_preset: dict[tuple[str, ...], Any] = {}  # all settings of the preset, by path
        self._start: _Start | None = None  # the newest one
        self._list = ListView(())

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self._ask_schema()

    def leave(self) -> None:
        self._drop_call()

    def actions(self) -> list[Widget]:
        if self._is_checking:
            return [Button(_("Cancel"), self._cancel, danger=True, hint=_("Do not start the training"), key="start")]
        start = Button(
            _("Start"), self._prepare, primary=True, enabled=self._is_ready, hint=_("Train with these settings"),
            key="start",
        )  # fmt: skip
        return [start]

    def body(self) -> Widget:
        title, advanced = _("Game: {game}").format(game=_(self.game.title)), self.is_advanced
        trouble = self.form is not None and (self.form.trouble or self.form.errors)
        games = routes.Games(self._choose_game, N_("Game to train"))
        rows: list[Widget | None] = [
            Paragraph(self._trouble_text(), colour="warning") if trouble and not self.doing else None,
            Row([Button(title, lambda: self.engine.push(games), key="game", hint=_("Choose another game"))]),
            Row([Grid([self._preset_card(preset) for preset in PRESETS.values()], cell=300, most=3, grow=1)]),
            Paragraph(self._words_below),  # one text, so that nothing below it moves
            Paragraph(lambda: closing_text(stays=self.stays), size=themes.SMALL, colour="muted"),
            Row([
                Button(_("Hide settings") if advanced else _("Advanced"), self._turn_advanced, key="advanced",
                       chosen=advanced, hint=_("All settings of the training")),
            ]),
            self._settings() if advanced else None,
        ]  # fmt: skip
        return Column(rows, gap=16)

    def update(self, now: float) -> None:
        super().update(now)
        if self.services.trainings is not None and self._asked != self.game.id:
            self._asked, self.forecast = self.game.id, None
            self.services.trainings.forecast(self.game, self._take_forecast)

    def handle(self, event: InputEvent) -> bool | None:
        if self.is_advanced and isinstance(event, MenuInput) and event.action in ("next", "previous"):
            self._turn((self.page + (1 if event.action == "next" else -1)) % len(self.pages))
            return None
        return super().handle(event)

    def back(self) -> None:
        """End the check, or go from a field to the list of pages first."""
        if self._is_checking:
            self._cancel()
        elif isinstance(self.focus.focused, FieldRow):
            self.focus.focus(self._list)
        else:
            super().back()

    def start(self, event: MenuInput) -> None:
        if self._is_ready:
            self._prepare()

    @property
    def _is_ready(self) -> bool:
        if self.forecast is None or self._is_checking or self._is_starting:
            return False
        return self._is_as_preset or (self.form is not None and bool(self.form.sections) and self.call is None)

    @property
    def _is_as_preset(self) -> bool:
        """Whether nothing was changed under Advanced, so that there is nothing to check."""
        if self.form is None:
            return self.algorithm == FIRST_ALGORITHM
        return self.algorithm == FIRST_ALGORITHM and bool(self.form.sections) and not self._changes

    @property
    def _changes(self) -> bool:
        """Whether a setting is another one than the preset's."""
        form, preset = self.form, FIRST_VALUES | self._of_preset
        return form is not None and any(
            form.value(field) != preset.get(field.path, field.default) for field in form.fields
        )

    def _preset_card(self, preset: Preset) -> Card:
        texts = Column(
            [Label(_(preset.title), bold=True), Paragraph(_(preset.help), size=themes.SMALL, colour="muted")]
        )
        return Card(
            texts, lambda: self._choose_preset(preset), label=_(preset.title), key=preset.name,
            chosen=preset is self.preset, hint=self._preset_hint,
        )  # fmt: skip

    @property
    def _preset_hint(self) -> str:
        if self._changes:
            return _("Choosing it undoes your changes under Advanced")
        return _("How long to train; Start is at the top")

    def _choose_preset(self, preset: Preset) -> None:
        self.preset, self.stays = preset, preset.minutes >= STAYS_FROM
        if self.form is not None:
            self.form.changed.clear()
        self._apply_preset()
        self.refresh()

    def _apply_preset(self) -> None:
        """Fill the form with the settings of the preset, but for those that were changed by hand."""
        if self.forecast is None:
            return
        before, now = self._of_preset, flat(preset_settings(self.preset, self.game, self.forecast.speed))
        self._of_preset = now
        if self.form is None:
            return
        for field in self.form.fields:
            if field.path in now and self.form.changed.get(field.path) in (None, before.get(field.path)):
                self.form.set(field, now[field.path])

    def _take_forecast(self, forecast: Forecast) -> None:
        if forecast.spec is self.game:
            self.forecast = forecast
            self._apply_preset()
            self.refresh()

    def _words_below(self) -> str:
        """Return what is being done, or an estimate; the settings load unseen where they are not shown."""
        return _(self.doing) if self._is_checking or (self.doing and self.is_advanced) else self._estimate_text()

    def _estimate_text(self) -> str:
        return self.forecast.of(self.preset.minutes).text if self.forecast is not None else _("Estimating …")

    def _trouble_text(self) -> str:
        assert self.form is not None
        return self.form.trouble or _("Some settings are wrong: see the marked fields")

    def _turn_advanced(self) -> None:
        self.is_advanced = not self.is_advanced
        self.refresh()

    def _settings(self) -> Widget:
        """Make the pages of all settings, and the fields of the present one."""
        self._list = ListView(
            self._items(), index=self.page, moved=self._turn, grow=1, width=260, rows=11, key="pages",
            hint=_("Pages of settings"),
        )  # fmt: skip
        hint = Paragraph(shown_hint(self.pages[self.page].hint), size=themes.SMALL, colour="muted")
        fields = Column([hint, *self._rows()], gap=6, grow=3)
        return Row([self._list, fields], align="start", gap=24)

    def _rows(self) -> list[Widget]:
        own: list[Widget] = [] if self.page else [
            Choice(
                _("Algorithm"), self.algorithms, index=self.algorithms.index(self.algorithm),
                change=self._choose_algorithm, hint=_("Checked against the game before training starts"),
            ),
            Toggle(
                _("Stays running"), on=self.stays, change=partial(setattr, self, "stays"),
                hint=_("On: training continues after this window closes; off: it writes a checkpoint and ends"),
            ),
        ]  # fmt: skip
        if self.form is None:
            return own
        return own + [FieldRow(field, self.form, entry=self._type) for field in self.pages[self.page].fields]

    def _items(self) -> list[Item]:
        return [Item(page.title, detail="!" if page.is_wrong(self.form) else "") for page in self.pages]

    def _turn(self, page: int) -> None:
        self.page = page
        self.refresh()

    def _type(self, field: SettingField) -> None:
        form = self.form
        assert form is not None

        def accept(text: str) -> None:
            form.set(field, read_text(field, text))

        self.engine.push(
            routes.EnterText(
                shown_title(field.title), as_text(form.value(field)), accept, 400, shown_hint(field.hint), symbols=True
            )
        )

    def _choose_game(self, game: GameSpec) -> None:
        self.game = game
        self.refresh()

    def _choose_algorithm(self, index: int) -> None:
        self.algorithm = self.algorithms[index]
        self._ask_schema()

    def _ask_schema(self) -> None:
        self._ask(["--schema", self.algorithm], N_("Loading the settings …"), self._take_schema)

    def _take_schema(self, outcome: CallOutcome) -> None:
        earlier, self.form = self.form or Form((), unused=FIRST_VALUES), Form(())
        try:
            if outcome.status:
                lines = outcome.err.strip().splitlines()
                raise SchemaError(lines[-1].strip() if lines else f"it ended with status {outcome.status}")
            schema = json.loads(outcome.out)
            self.form = Form(read_schema(schema))
            self.algorithms = read_algorithms(schema) or self.algorithms
        except (SchemaError, ValueError) as error:
            text = _("No settings for {algorithm}: {reason}")
            self.form.trouble = text.format(algorithm=self.algorithm, reason=error)
        self.form.take_over(earlier)
        self.pages = make_pages(self.form)
        self.page = min(self.page, len(self.pages) - 1)
        self._apply_preset()

    def _prepare(self) -> None:
        """Write the settings and start the trainer; where something was changed, let it check them first."""
        run = f"{self.game.stem}-{time.strftime('%Y%m%d-%H%M%S')}"
        settings, file = self._settings_chosen(), folder("runs") / f"{run}.json"
        text = json.dumps(settings, indent=1)
        self._start = start = _Start(
            game=self.game, algorithm=self.algorithm, run=run, file=file, minutes=settings.get("minutes", 0.0),
            nice=settings.get("resources", {}).get("nice", 0),
        )  # fmt: skip
        if self._is_as_preset:
            self._is_starting = True
            self.services.worker.submit(
                lambda: replace_file(file, text), done=lambda _done: self._begin(start), failed=self._not_written,
                errors=(UserError, OSError),
            )  # fmt: skip
            self.refresh()
            return
        assert self.form is not None
        self.form.errors, self.form.trouble = {}, ""
        self._ask(
            [*start.words, "--dry-run"], N_("Checking the settings …"), partial(self._take_check, start),
            prepare=lambda: replace_file(file, text), is_check=True,
        )  # fmt: skip

    def _settings_chosen(self) -> dict[str, Any]:
        """Return the preset's settings, and those of the form in place of its fields."""
        settings: dict[str, Any] = {"game": self.game.id, "algorithm": self.algorithm}
        fields = {field.path for field in self.form.fields} if self.form is not None else set()
        changed = self.form.changed if self.form is not None else {}
        without_field = {path: value for path, value in self._of_preset.items() if path not in fields}
        for path, value in (without_field | changed).items():
            put(settings, path, value)
        return settings

    def _cancel(self) -> None:
        """End the check of the settings, which stay in the form."""
        self._drop_call()
        self._delete_settings()
        self.refresh()

    def _delete_settings(self) -> None:
        """Delete the file of a start that came to nothing."""
        assert self._start is not None
        file = self._start.file
        self.services.worker.submit(lambda: file.unlink(missing_ok=True))

    def _take_check(self, start: _Start, outcome: CallOutcome) -> None:
        assert self.form is not None
        if outcome.status:
            self._delete_settings()
            self.form.take_errors(outcome.err or f"it ended with status {outcome.status}")
            wrong = (place for place, page in enumerate(self.pages) if page.is_wrong(self.form))
            self.page, self.is_advanced = next(wrong, self.page), True
            return
        self._begin(start)

    def _not_written(self, error: BaseException) -> None:
        self._is_starting = False
        reason = getattr(error, "strerror", None) or error
        self.engine.say(_("The settings of the training could not be saved: {error}").format(error=reason))
        self.refresh()

    def _begin(self, start: _Start) -> None:
        """Start the trainer and show its run, unless the player has gone elsewhere meanwhile."""
        assert self.services.trainings is not None
        self._is_starting = False
        self.services.trainings.begin(
            start.game, start.run, start.words, minutes=start.minutes, nice=start.nice, stays=self.stays
        )
        if self.engine.scene is not self:
            self.refresh()
            return
        facts = TrainerStatus(run=start.run, game=start.game.id, algorithm=start.algorithm)
        services, run = self.services, folder("runs") / start.run
        link = RunLink(worker=services.worker, folder=run, status=facts, trainers=services.trainers)
        link.expect_trainer(self.engine.clock())
        self.engine.replace(routes.Run(link))

    def _ask(
        self, words: list[str], doing: str, take: Callable[[CallOutcome], None],
        prepare: Callable[[], object] = lambda: None, is_check: bool = False,
    ) -> None:  # fmt: skip
        self._drop_call()

        def done(outcome: CallOutcome) -> None:
            self.call, self.doing, self._is_checking = None, "", False
            take(outcome)
            if self in self.engine.scenes:
                self.refresh()

        self.doing, self._is_checking = doing, is_check
        self.call = TrainerCall(words, title=doing, worker=self.services.worker, prepare=prepare, on_end=done)
        self.services.jobs.add(self.call, passing=True)
        self.refresh()

    def _drop_call(self) -> None:
        if self.call is not None:
            self.call.close()
            self.call, self.doing, self._is_checking = None, "", False
