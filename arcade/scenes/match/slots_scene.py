"""The saved moments of a game: to save the present one, and to continue from any of them."""

from __future__ import annotations

from datetime import datetime
from functools import partial

import pygame

from arcade.engine.input.events import InputEvent, MenuInput
from arcade.engine.input.function_keys import slots_key
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Centred, Column, Grid, Panel, Row
from arcade.engine.ui.scroll import Scroll
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.theme import Size
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.language import N_, _
from arcade.match.playback.branch import Branch
from arcade.scenes import routes
from arcade.scenes.foot import Foot, Legend
from arcade.scenes.home.cards import GameCard
from arcade.scenes.match_start import open_match
from arcade.scenes.recordings.thumbnails import Thumbnails
from arcade.scenes.screen import LOW, Overlay
from arcade.session.match.save_slots import SaveSlots
from arcade.session.match.slot_files import SLOTS
from arcade.session.recordings.recording_texts import when
from arcade.session.services import Services

LEGEND: Legend = (("accept", N_("Choose")), ("switch", N_("Overwrite")), ("back", N_("Back")))

UNRATED = N_("After loading a moment the match is no longer rated")


class SlotsScene(Overlay):
    """Lies over the paused match, whose stage may still finish a tick; or over the page of a game.

    A slot with a moment loads it, an empty one is saved to; F2, or a pad's Select, overwrites the one in focus.
    """

    updates_below = True

    def __init__(self, services: Services, route: routes.SaveSlots) -> None:
        super().__init__(services, route)
        self._spec, self._session, self._picture = route.spec, route.session, route.picture
        self.key = slots_key(board=route.spec.is_board_game)
        self._slots = SaveSlots(services, route.spec) if route.session is None else route.session.slots
        self._thumbnails = Thumbnails(services.worker)
        self._saving = 0  # the slot that is saved to as soon as the stage has finished its tick
        self._cards: dict[int, Widget] = {}
        self.heading = N_("Saved moments") if route.session is None else N_("Save and load")

    @property
    def legend(self) -> Legend:  # type: ignore[override]
        return LEGEND if self._session is not None and self._slots.slots else LEGEND[::2]  # nothing to overwrite

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self._slots.changed = self.refresh
        self._slots.read()

    def leave(self) -> None:
        self._slots.changed = lambda: None

    def resume(self) -> None:
        self._slots.read()

    def update(self, now: float) -> None:
        super().update(now)
        session = self._session
        if session is not None and session.match.over:
            self.engine.pop()
        elif self._saving and session is not None and self._picture is not None:
            try:
                if self._slots.save(self._saving, session.lineup, self._picture()):
                    self._saving = 0
                    self.engine.sound.play("accept")
            except OSError as error:
                self._saving = 0
                self.engine.say(str(error))

    # The page

    def build(self) -> Widget:
        low = self.engine.theme.page[1] < LOW
        title = Label(_(self.heading), size=themes.TITLE, bold=True, align="centre")
        self._cards = {number: self._card(number) for number in range(1, SLOTS + 1)}
        cards = Grid(list(self._cards.values()), cell=400, most=2, gap=10)
        note = Paragraph(self._note, size=themes.SMALL, colour="muted", align="centre")
        first = self._first_row()
        self._first = first or cards
        inside = Column([None if low else title, first, cards, note], gap=14)
        self._body = box = Panel(Scroll(inside), padding=12 if low else 24, edge="edge")
        page = Panel(Centred(box, width=980), padding=4 if low else 12, fill="", grow=1)
        return Column([page, Foot(self.engine, self.legend, lambda: self.focus.hint)], gap=0)

    @property
    def _note(self) -> str:
        if self._session is None and not self._slots.slots:
            return _("Nothing is saved yet: press F3 in a match, or choose Save and load in its pause menu")
        return _(UNRATED)

    def _first_row(self) -> Widget | None:
        session = self._session
        if session is None:
            return None
        number = self._slots.next_number
        hint = _("Into slot {number}").format(number=number)
        if number in self._slots.slots:
            hint = _("Into slot {number}, in place of the oldest moment").format(number=number)
        buttons = [Button(_("Save here"), partial(self._save, number), primary=True, grow=1, hint=hint, key="save")]
        if session.begins_at is not None:
            hint = _("Back to where this match began, at once")
            buttons.append(Button(_("This moment again"), self._again, grow=1, key="again", hint=hint))
        buttons.append(Button(_("Back"), self.back, grow=1, key="back", hint=_("Back to the match")))
        return Row(buttons)

    def _card(self, number: int) -> GameCard:
        caption, slot = _("Slot {number}").format(number=number), self._slots.slots.get(number)
        if slot is None:
            hint = _("Save the present moment here") if self._session is not None else ""
            card = GameCard(caption, _("Empty"), partial(self._save, number), picture=lambda size: None, hint=hint)
            card.enabled = self._session is not None
            return card
        saved = when(slot.saved.astimezone(), datetime.now().astimezone())
        (moment, score), path = self._slots.lines_of(slot), slot.picture

        def picture(size: Size) -> pygame.Surface | None:
            return self._thumbnails.get(path, size)

        return GameCard(
            f"{caption}, {saved}", moment, partial(self._load, number), picture=picture, detail=score,
            hint=_("Continue from this moment"),
        )  # fmt: skip

    # Input

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, MenuInput) and event.action == "switch" and not event.repeated:
            focused = self.focus.focused
            number = next((number for number, card in self._cards.items() if card is focused), 0)
            if number:
                self._save(number)
            return None
        return super().handle(event)

    def back(self) -> None:
        self.engine.pop()

    def _save(self, number: int) -> None:
        if self._session is not None:
            self._saving = number

    def _again(self) -> None:
        if self._session is not None and self._session.begin_again():
            self.engine.pop()

    def _load(self, number: int) -> None:
        if self._slots.go_back(number):
            self.engine.pop()
        else:
            self._slots.open(number, partial(self._begin, number))

    def _begin(self, number: int, branch: Branch) -> None:
        """Begin a match from the moment, in place of the present one."""
        if self.engine.scene is not self:
            return
        session = self._session
        if session is None:
            spec, lineup = branch.replay.spec(), self._slots.lineup(number, branch)
            open_match(self, routes.Match(spec, lineup, branch=branch))
            return
        stage = session.release_stage()
        session.quit()
        self.engine.pop()
        self.engine.pop()
        self.engine.push(routes.Match(session.spec, session.lineup, stage, session.series, branch))
