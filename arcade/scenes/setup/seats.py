"""Seats screen: people join with keys or gamepad, AI fills the other seats."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from agents.errors import UserError
from agents.seats.controller import AgentID, SeatChoice
from agents.seats.kinds import find_kind, parse_seat
from arcade.engine.input.events import Device, InputEvent, KeyInput, MenuInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Choice, TextField, Widget
from arcade.engine.window.scene import Host
from arcade.scenes import routes
from arcade.scenes.home.preview_pane import PreviewPane
from arcade.scenes.hud.controls_lines import ControlsList
from arcade.scenes.setup.seat_list import SeatListScreen
from arcade.session.fair_play import limits_text
from arcade.session.people import seat_choice_of
from arcade.session.seating import EvenSeats, describe, sentence
from arcade.session.services import Services

ROWS = pygame.Rect(theme.MARGIN, 112, 760, 50)
PERSON = 196  # width of the button that names the person of a seat
FEW = 3  # seats that leave room for a large picture below them
SIDES = {True: pygame.Rect(860, 112, 380, 424), False: pygame.Rect(860, 112, 380, 206)}
PICTURES = {True: pygame.Rect(ROWS.left + 10, 304, ROWS.w - 20, 260), False: pygame.Rect(860, 356, 380, 180)}
START = pygame.Rect(theme.MARGIN, 592, 500, 60)
FAIR = pygame.Rect(START.right + theme.GAP, 592, 760 - 500 - theme.GAP, 60)
FIELD = pygame.Rect(860, 592, 380, 60)
REMOTE = "Address of a policy server, for remote seats"
JOIN = "Press {space}, {enter}, {u} or a gamepad's {a} to take the next free seat with it."


class SeatRow(Choice):
    """Left and right choose the player of the seat; accept asks for a person's name."""

    ask: Callable[[], None] | None = None

    def menu(self, event: MenuInput) -> bool:
        if event.action != "accept" or self.ask is None:
            return super().menu(event)
        if not event.repeated:
            self.ask()
        return True


class SeatsScene(SeatListScreen):
    """The first accept of a device without a seat takes the next free one; all else edits the rows."""

    read_first = True
    heading = "Seats"
    legend = "Left, right or click: change    {enter}, {a} or click on Start: play    {esc} or {b}: back"
    first_row = ROWS

    def __init__(self, services: Services, route: routes.Seats) -> None:
        spec, endpoints = route.spec, services.opening.endpoints
        super().__init__(services, route, spec, services.setup.lineups.get(spec.id))
        self._by = route.by
        self._endpoint = endpoints[0] if endpoints else "tcp://127.0.0.1:5555"
        self._pane = PreviewPane(services, PICTURES[spec.seats <= FEW])
        self._side = SIDES[spec.seats <= FEW]
        self._even = EvenSeats(services, spec, done=self._refresh_on_top)
        self._met: set[str] = set()  # devices that have a seat or move through the menu
        self._by_mouse = False  # the player came by mouse, and has not used the keyboard yet

    def enter(self, engine: Host) -> None:
        self._controls = ControlsList(self.spec, engine.bindings)
        super().enter(engine)
        self.services.library.refresh_snapshots(self.spec.id, done=self._show_snapshots)
        self._focus_start()
        if self._by is not None:
            self.meet(self._by)

    def resume(self) -> None:
        self._even.forget()
        self.seating.set_devices(self.services.devices.seats)
        self.rebuild()
        self._focus_start()

    def widgets(self) -> list[Widget]:
        lineup = self.seating.lineup
        self._even.find(lineup)
        rows = [self._row(place, agent) for place, agent in enumerate(self.visible)]
        people = [
            self._person(place, lineup[agent]) for place, agent in enumerate(self.visible) if lineup[agent].is_human
        ]
        rules = self.services.setup.rules_of(self.spec).text or "Limits for AI players, and rules of a real-time game"
        return [
            *rows, *people, *self.page_buttons(),
            Button(START, "Start", self._start, primary=True, hint="Begin the match"),
            Button(FAIR, "Limits and rules", lambda: self.engine.push(routes.FairPlay(self.seating)), hint=rules),
            TextField(FIELD, "", value=self._endpoint, press=self._ask_endpoint, hint=REMOTE),
            self.back_button("To the games"),
        ]  # fmt: skip

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, MenuInput) and self._joins(event):
            return None
        if isinstance(event, KeyInput) and event.pressed and event.name == "f1":
            self.engine.push(routes.Controls(self.spec, self.seating.lineup))
            return None
        return super().handle(event)

    def start(self, event: MenuInput) -> None:
        self._start()

    def update(self, now: float) -> None:
        super().update(now)
        if self.engine.scene is self:
            self._pane.show(self.spec, now)

    def draw_page(self, canvas: pygame.Surface) -> None:
        text = "  ·  ".join(filter(None, (self.spec.title, self.services.setup.rules_of(self.spec).text)))
        theme.draw_text(canvas, text, (theme.MARGIN + 150, 44), size=theme.LARGE, colour=theme.MUTED, width=900)
        self.draw_teams(canvas)
        theme.draw_panel(canvas, self._side.inflate(20, 20))
        self._draw_help(canvas)
        self._pane.draw(canvas)
        at = (FIELD.left, FIELD.top - 28)
        theme.draw_text(canvas, "Policy server for remote seats", at, size=theme.SMALL, colour=theme.MUTED)

    def _draw_help(self, canvas: pygame.Surface) -> None:
        side, text = self._side, self.engine.bindings.fill_in(JOIN)
        theme.draw_text(canvas, "Who plays?", side.topleft, size=theme.LARGE, bold=True)
        picture = theme.paragraph(text, width=side.w, size=theme.SMALL, colour=theme.MUTED)
        top = canvas.blit(picture, (side.left, side.top + 50)).bottom + theme.GAP
        room = pygame.Rect(side.left, top, side.w, side.bottom - top)
        self._controls.draw(canvas, theme.page_theme(), room, self.seating.lineup)

    # Joining

    def _joins(self, event: MenuInput) -> bool:
        """Whether this press seats another person."""
        word, kind = event.device.word, event.device.kind
        steers = kind == "mouse" or (kind == "keyboard" and self._by_mouse)
        self._by_mouse &= kind != "keyboard"
        is_new = word not in self._met and not event.repeated and event.action == "accept" and not steers
        self._met.add(word)
        agent = self.seating.join(parse_seat(word)) if is_new else None
        if agent is None:
            return False
        self.engine.sound.play("join")
        self.engine.say(f"{sentence(describe(parse_seat(word)))} takes {self.spec.seat_title(agent)}")
        self.refresh()
        return True

    def meet(self, device: Device) -> None:
        """Seat `device`, which led here, unless people have seats; its presses move through the menu."""
        self._met.add(device.word)
        self._by_mouse = device.kind == "mouse"
        if not self.seating.people:
            self.seating.join(seat_choice_of(device.word))
            self.refresh()

    # Rows

    def _row(self, place: int, agent: AgentID) -> Choice:
        options, present = self.seating.options(agent), self.seating.lineup[agent]

        def change(index: int) -> None:
            self._keep_person(present, options[index])
            self.seating.put(agent, options[index])
            self.refresh()

        rect, title = self.row_rect(place), self.spec.seat_title(agent)
        hint = f"Who plays {title}"
        if present.is_human:
            rect.w -= PERSON + theme.GAP
            hint += "    " + self.engine.bindings.fill_in("{enter}, {a}: choose the person")
        elif find_kind(present.kind).takes_limits:
            hint = limits_text(present, self.spec)
        names = self.services.library.player_names(self.spec)
        labels, index = list(map(names.of_choice, options)), options.index(present)
        if (even := self._even.of(agent)) is not None:
            labels[index], hint = f"{names.of_choice(present)}: {names.of_label(even.opponent.label)}", even.why
        note = self.spec.seat_notes.get(agent, "")
        row = SeatRow(rect, title, labels, index=index, change=change, hint=hint, note=note)
        row.ask = (lambda: self._ask_person(present)) if present.is_human else None
        return row

    def _keep_person(self, old: SeatChoice, new: SeatChoice) -> None:
        """Keep the name of a person who changes to another half of the keyboard."""
        people, holder = self.services.people, self.services.people.holder(old)
        if holder is not None and old.kind == new.kind == "keyboard" and people.holder(new) is None:
            people.give(new, holder.name)

    def _person(self, place: int, device: SeatChoice) -> Button:
        """The button that names the person with `device`, and lets another one be chosen."""
        rect = self.row_rect(place)
        rect = pygame.Rect(rect.right - PERSON, rect.top, PERSON, rect.h)
        name = self.services.people.seated(self.seating.lineup)[device].name
        hint = f"Who plays with the {describe(device)}: choose a name, or add one"
        return Button(rect, name, lambda: self._ask_person(device), hint=hint)

    def _ask_person(self, device: SeatChoice) -> None:
        people, holder = self.services.people, self.services.people.holder(device)

        def choose(name: str) -> None:
            people.give(device, name)
            self.rebuild()
            self._focus_start()

        present = holder.name if holder is not None else ""
        self.engine.push(routes.People(f"Who plays with the {describe(device)}?", present, choose))

    def _focus_start(self) -> None:
        self.focus.focus(next(widget for widget in self.focus.widgets if widget.rect == START))

    def _refresh_on_top(self) -> None:
        if self.engine.scene is self:
            self.refresh()

    def _show_snapshots(self) -> None:
        """The store was read: default seats change to snapshots, unless people chose seats already."""
        snapshots, before = self.services.library.snapshots[self.spec.id], self.seating.default
        if snapshots == self.seating.snapshots:
            return
        self.seating.snapshots = snapshots
        for agent, choice in self.seating.lineup.items():
            if choice == before and self.spec.id not in self.services.setup.lineups:
                self.seating.put(agent, self.seating.default)
        self._refresh_on_top()

    # Remote seats, start

    def _ask_endpoint(self) -> None:
        self.engine.push(routes.EnterText("Policy server", self._endpoint, self._set_endpoint, hint=REMOTE))

    def _set_endpoint(self, endpoint: str) -> None:
        if "://" not in endpoint:
            raise UserError(f"expected an endpoint like tcp://127.0.0.1:5555, got: {endpoint!r}")
        self._endpoint = endpoint
        self.seating.endpoints = tuple(dict.fromkeys((endpoint, *self.seating.endpoints)))
        self.refresh()

    def _start(self) -> None:
        self.engine.push(routes.Match(self.spec, self.seating.lineup))
