"""New run: a form made from the trainer's schema; the trainer checks the settings before it starts."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pygame

from agents.files import folder
from agents.wire.trainer_events import TrainerStatus
from arcade.engine.input.events import InputEvent, MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.menus import Item, ListMenu
from arcade.engine.ui.widgets import Button, Choice, Row, Toggle, Widget, draw_arrows
from arcade.engine.window.scene import Host
from arcade.games import GameSpec
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.services import Services
from arcade.session.trainer_process import NICE, CallOutcome, TrainerCall
from arcade.session.training.form import ROWS, Form, as_text, make_pages, read_text, stepped
from arcade.session.training.run_link import RunLink
from arcade.session.training.schema import SchemaError, SettingField, read_algorithms, read_schema

FIRST_ALGORITHM = "PPO"
FIRST_VALUES: dict[tuple[str, ...], int] = {("resources", "nice"): NICE}
"""Defaults other than the trainer's: low priority, so that the window keeps its frame rate."""

GAME = pygame.Rect(304, 28, 420, 48)
START, BACK = pygame.Rect(1240 - 290, 28, 150, 48), pygame.Rect(1240 - 124, 28, 124, 48)
EXPLANATION = pygame.Rect(theme.MARGIN, 92, 1200, 42)  # two lines above the fields
PAGES = pygame.Rect(theme.MARGIN, 142, 240, 46 * 11)
ROW = pygame.Rect(PAGES.right + 24, PAGES.top, 1240 - PAGES.right - 24, 46)


class NewRunScene(Screen):
    """Sections on the left, their fields on the right, with the trainer's errors at the fields."""

    heading = "New run"
    legend = "{tab} or {l}, {r}: next page    {p} or {start}: begin    {esc} or {b}: sections, then back"

    def __init__(self, services: Services, route: routes.NewRun) -> None:
        super().__init__(services, route)
        assert services.library.featured is not None
        self.game = route.game or services.library.featured
        self.form: Form | None = None
        self.pages = make_pages(None)
        self.algorithm, self.stays, self.page = FIRST_ALGORITHM, False, 0
        self.algorithms: tuple[str, ...] = (FIRST_ALGORITHM,)  # all, once the schema is read
        self.call: TrainerCall | None = None  # to the trainer, while it runs
        self.doing = ""  # shown while the trainer is called
        self._run, self._file = "", Path()

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self._ask_schema()

    def leave(self) -> None:
        self._drop_call()

    def widgets(self) -> list[Widget]:
        self._list = ListMenu(PAGES, self._items(), index=self.page, moved=self._turn, hint="Settings")
        games, hint = partial(self.engine.push, routes.Games(self._choose_game)), "Check the settings, then train"
        return [
            self._list,
            Button(GAME, f"Game: {self.game.title}", games, hint=self.game.id),
            *self._rows(),
            Button(START, "Start", self._check, primary=True, enabled=self._is_ready, hint=hint),
            Button(BACK, "Back", self.engine.pop, hint="To the runs"),
        ]

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, MenuInput) and event.action in ("next", "previous"):
            self._list.select((self.page + (1 if event.action == "next" else -1)) % max(1, len(self._list.items)))
            return None
        return super().handle(event)

    def back(self) -> None:
        """From a field to the sections, and from there to the runs."""
        if self.focus.focused is self._list:
            super().back()
        else:
            self.focus.focus(self._list)

    def start(self, event: MenuInput) -> None:
        if self._is_ready:
            self._check()

    @property
    def _is_ready(self) -> bool:
        return self.form is not None and bool(self.form.sections) and self.call is None

    def draw_page(self, canvas: pygame.Surface) -> None:
        row = self.focus.focused
        hint = row.field.hint if isinstance(row, FieldRow) else self.pages[self.page].hint
        words, colour = self.doing or hint, theme.MUTED
        if not self.doing and self.form is not None and (self.form.trouble or self.form.errors):
            words, colour = self.form.trouble or "Some settings are wrong: see the marked fields", theme.WARNING
        picture = theme.paragraph(words, width=EXPLANATION.w, size=17, colour=colour)
        canvas.blit(picture, EXPLANATION, ((0, 0), EXPLANATION.size))

    def _rows(self) -> list[Widget]:
        places = iter([ROW.move(0, place * (ROW.h + 5)) for place in range(ROWS)])
        own: list[Widget] = [] if self.page else [
            Choice(
                next(places), "algorithm", self.algorithms, index=self.algorithms.index(self.algorithm),
                change=self._choose_algorithm, hint="Checked against the game before training starts",
            ),
            Toggle(
                next(places), "stays running", on=self.stays, change=partial(setattr, self, "stays"),
                hint="On: training continues after this window closes; off: it writes a checkpoint and ends",
            ),
        ]  # fmt: skip
        if self.form is None:
            return own
        fields = self.pages[self.page].fields
        return own + [
            FieldRow(rect, field, self.form, entry=self._type) for field, rect in zip(fields, places, strict=False)
        ]

    def _items(self) -> list[Item]:
        return [Item(page.title, detail="!" if page.is_wrong(self.form) else "") for page in self.pages]

    def _turn(self, page: int) -> None:
        self.page = page
        self.rebuild(keep=0)

    def _type(self, field: SettingField) -> None:
        form = self.form
        assert form is not None

        def accept(text: str) -> None:
            form.set(field, read_text(field, text))

        self.engine.push(routes.EnterText(field.title, as_text(form.value(field)), accept, 400, field.hint))

    def _choose_game(self, game: GameSpec) -> None:
        self.game = game
        self.rebuild(keep=1)

    def _choose_algorithm(self, index: int) -> None:
        self.algorithm = self.algorithms[index]
        self._ask_schema()

    def _ask_schema(self) -> None:
        self._ask(["--schema", self.algorithm], "Loading the settings …", self._take_schema)

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
            self.form.trouble = f"No form for {self.algorithm}: {error}"
        self.form.take_over(earlier)
        self.pages = make_pages(self.form)
        self.page = min(self.page, len(self.pages) - 1)

    def _check(self) -> None:
        """Let the trainer check the settings, then start it."""
        assert self.form is not None
        self._run = f"{self.game.id.rpartition('/')[2].replace(':', '-')}-{time.strftime('%Y%m%d-%H%M%S')}"
        self._file = folder("runs") / f"{self._run}.json"
        settings = self.form.settings() | {"game": self.game.id, "algorithm": self.algorithm}
        text, file = json.dumps(settings, indent=1), self._file
        self.form.errors, self.form.trouble = {}, ""
        self._ask(
            [*self._words(), "--dry-run"], "Checking the settings …", self._take_check,
            prepare=lambda: file.write_text(text, "utf-8"),
        )  # fmt: skip

    def _take_check(self, outcome: CallOutcome) -> None:
        assert self.form is not None
        if outcome.status:
            file = self._file
            self.services.worker.submit(lambda: file.unlink(missing_ok=True))
            self.form.take_errors(outcome.err or f"it ended with status {outcome.status}")
            wrong = (place for place, page in enumerate(self.pages) if page.is_wrong(self.form))
            self.page = next(wrong, self.page)
            return
        nice = self.form.settings().get("resources", {}).get("nice", 0)
        self.services.trainers.start(self._run, self._words(), stays=self.stays, nice=nice)
        facts = TrainerStatus(run=self._run, game=self.game.id, algorithm=self.algorithm)
        services, run = self.services, folder("runs") / self._run
        link = RunLink(worker=services.worker, folder=run, status=facts, trainers=services.trainers)
        link.expect_trainer(self.engine.clock())
        self.engine.replace(routes.Run(link))

    def _words(self) -> list[str]:
        # Trusted: the file has only what was typed into the form.
        return [self.game.id, "--config", str(self._file), "--trust", "--run", self._run]

    def _ask(
        self, words: list[str], doing: str, take: Callable[[CallOutcome], None],
        prepare: Callable[[], object] = lambda: None,
    ) -> None:  # fmt: skip
        self._drop_call()

        def done(outcome: CallOutcome) -> None:
            self.call, self.doing = None, ""
            take(outcome)
            if self.engine.scene is self:
                self.refresh()

        self.doing = doing
        self.call = TrainerCall(words, title=doing, worker=self.services.worker, prepare=prepare, on_end=done)
        self.services.jobs.add(self.call)
        self.refresh()

    def _drop_call(self) -> None:
        if self.call is not None:
            self.call.close()
            self.call, self.doing = None, ""


ARROWS = 34  # width of each side that a click steps on


class FieldRow(Row):
    """Left and right step through choices and numbers; accept or a click opens a text entry."""

    def __init__(
        self, rect: pygame.Rect, field: SettingField, form: Form, *, entry: Callable[[SettingField], None]
    ) -> None:
        """`entry` opens the text entry of a field."""
        super().__init__(rect, field.title)
        self.field, self._form, self._entry = field, form, entry
        self.hint = "Left, right: change" + ("" if field.kind in ("toggle", "choice") else "    Enter, A: type a value")
        if not self._steps:
            self.hint = "Enter, A or click: type a value"

    @property
    def value(self) -> Any:
        return self._form.value(self.field)

    @property
    def error(self) -> str:
        return self._form.errors.get(self.field.path, "")

    def step(self, way: int) -> None:
        """Select the next value; None precedes the first choice where it is allowed."""
        field = self.field
        if field.kind == "toggle":
            self._form.set(field, not self.value)
        elif field.kind == "choice":
            options = [*([None] if field.optional else []), *field.options]
            place = options.index(self.value) if self.value in options else 0
            self._form.set(field, options[(place + way) % len(options)])
        elif field.kind == "number":
            self._form.set(field, stepped(field, self.value, way))

    def menu(self, event: MenuInput) -> bool:
        way = {"left": -1, "right": 1}.get(event.action, 0)
        if way and self._steps:
            self.step(way)
            return True
        return event.is_accept and self.pressed()

    def pointer(self, event: PointerInput) -> bool:
        area, x = self.value_side, event.pos[0]
        at_arrow = self._steps and (area.left <= x <= area.left + ARROWS or x >= area.right - ARROWS)
        if not event.is_click or not at_arrow:
            return event.is_click and self.pressed()
        self.step(-1 if x <= area.left + ARROWS else 1)
        return True

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        if not self.error:
            super().draw(canvas, focused=focused)
            return
        rect, left = self.rect, self.rect.left + 16
        theme.draw_panel(canvas, rect, fill=theme.RAISED, edge=theme.WARNING)
        theme.draw_text(canvas, self.label, (left, rect.top + 2), width=self.label_width, size=theme.SMALL)
        look: dict[str, Any] = {"size": 16, "colour": theme.WARNING, "anchor": "bottomleft"}
        theme.draw_text(canvas, self.error, (left, rect.bottom - 3), width=rect.w - 32, **look)
        self.draw_value(canvas)
        if focused:
            theme.draw_focus(canvas, rect)

    def draw_value(self, canvas: pygame.Surface) -> None:
        area = self.value_side
        if self.error:
            area.h = 28
        text = {True: "On", False: "Off"}[bool(self.value)] if self.field.kind == "toggle" else as_text(self.value)
        look: dict[str, Any] = {"anchor": "center", "bold": self.field.path in self._form.changed}
        colour = theme.INK if text else theme.FAINT
        theme.draw_text(canvas, text or "none", area.center, colour=colour, width=area.w - 2 * ARROWS - 8, **look)
        if self._steps:
            draw_arrows(canvas, area)

    def pressed(self) -> bool:
        if self.field.kind in ("toggle", "choice"):
            self.step(1)
        else:
            self._entry(self.field)
        return True

    @property
    def _steps(self) -> bool:
        return self.field.kind in ("toggle", "choice", "number")
