"""Seats: people join with their own keys or pad, machines take the rest."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from agents.engines.settings import present_seats
from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from agents.seats.kinds import find_kind
from agents.seats.words import parse_seat
from arcade.engine.input.events import Device, DeviceAdded, DeviceRemoved, InputEvent, KeyInput, MenuInput
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Choice, TextField, Widget
from arcade.engine.window.scene import Host
from arcade.scenes import routes
from arcade.scenes.home.preview_pane import PreviewPane
from arcade.scenes.hud.controls_list import ControlsList
from arcade.scenes.screen import Screen
from arcade.session.even_seats import EvenSeats
from arcade.session.fair_play import held_words
from arcade.session.seating import Seating, describe, sentence
from arcade.session.services import Services

ROWS = pygame.Rect(theme.MARGIN, 112, 760, 50)
PITCH = 58  # from one row's top to the next
WHO = 196  # of a row, where it says which person sits there
FEW = 3  # seats that leave room for a large picture below them
SIDES = {True: pygame.Rect(860, 112, 380, 424), False: pygame.Rect(860, 112, 380, 206)}
PICTURES = {True: pygame.Rect(ROWS.left + 10, 304, ROWS.w - 20, 260), False: pygame.Rect(860, 356, 380, 180)}
START = pygame.Rect(theme.MARGIN, 592, 500, 60)
FAIR = pygame.Rect(START.right + theme.GAP, 592, 760 - 500 - theme.GAP, 60)
FIELD = pygame.Rect(860, 592, 380, 60)
REMOTE = "Where a policy server listens, for remote seats"
SHOWN = 7
"""Rows on the screen at once; larger games have pages."""


class SeatRow(Choice):
    """Left and right choose who takes the seat; accept asks on, where a person does."""

    ask: Callable[[], None] | None = None

    def menu(self, event: MenuInput) -> bool:
        if event.action != "accept" or self.ask is None:
            return super().menu(event)
        if not event.repeated:
            self.ask()
        return True


class SeatsScene(Screen):
    """The first accept of a device that has not sat down yet takes the next free seat; all else edits the rows."""

    read_first = True
    heading = "Seats"
    legend = "Left, right or click: change    {enter}, {a} or click on Start: play    {esc} or {b}: back"

    def __init__(self, services: Services, route: routes.Seats) -> None:
        super().__init__(services, route)
        self.spec = spec = route.spec
        self._by = route.by
        self.seating = Seating(
            spec,
            devices=services.devices.seats,
            snapshots=services.library.names(spec.id),
            endpoints=services.opening.endpoints,
            engines=present_seats(spec.id),
            lineup=services.setup.lineups.get(spec.id),
            training=services.is_trained(spec),
        )
        self._endpoint = services.opening.endpoints[0] if services.opening.endpoints else "tcp://127.0.0.1:5555"
        self._pane = PreviewPane(services, PICTURES[spec.seats <= FEW])
        self._side = SIDES[spec.seats <= FEW]
        self._even = EvenSeats(services, spec, done=self._even_found)
        self._met: set[str] = set()  # devices that sat down or steer the menu
        self._by_mouse = False  # whoever came by mouse has the keyboard too, and has not used it yet
        self._top = 0

    def enter(self, engine: Host) -> None:
        self._controls = ControlsList(self.spec, engine.bindings)
        super().enter(engine)
        self.services.library.refresh_snapshots(self.spec.id, done=self._snapshots_came)
        self._focus_start()
        if self._by is not None:
            self.meet(self._by)

    def resume(self) -> None:
        self._even.forget()
        self.seating.set_devices(self.services.devices.seats)
        self.rebuild()
        self._focus_start()

    def leave(self) -> None:
        self.engine.text_entry = False

    def widgets(self) -> list[Widget]:
        self._even.ask(self.seating.lineup)
        rows = [self._row(place, agent) for place, agent in enumerate(self._visible())]
        people = [self._who(place, agent) for place, agent in enumerate(self._visible()) if self._is_human(agent)]
        field = TextField(
            FIELD, "", value=self._endpoint, limit=120,
            change=self._set_endpoint, editing=self._edit, ask=self._ask_endpoint, hint=REMOTE,
        )  # fmt: skip
        start = Button(START, "Start", self._start, primary=True, hint="Begin the match")
        fair = Button(FAIR, "Limits and rules", self._fair_play, hint=self._fair_words())
        back = self.back_button("To the games")
        pages = [self._pager(-1), self._pager(1)] if len(self.spec.agents) > SHOWN else []
        return [*rows, *people, *pages, start, fair, field, back]

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, DeviceAdded | DeviceRemoved):
            self.seating.set_devices(self.services.devices.seats)
            self.refresh()
        elif isinstance(event, MenuInput) and self._joins(event):
            return None
        elif isinstance(event, KeyInput) and event.pressed and event.name == "f1":
            self.engine.push(routes.Controls(self.spec, self.seating.lineup))
        elif isinstance(event, MenuInput) and event.action in ("next", "previous") and self._pages():
            self._turn_page(1 if event.action == "next" else -1)
        else:
            return super().handle(event)
        return None

    def start(self, event: MenuInput) -> None:
        self._start()

    def update(self, now: float) -> None:
        super().update(now)
        if self.engine.scene is self:
            self._pane.show(self.spec, now)

    def draw_page(self, canvas: pygame.Surface) -> None:
        at = (theme.MARGIN + 150, 44)
        words = "  ·  ".join(part for part in (self.spec.title, self.services.setup.rules_of(self.spec).words) if part)
        theme.draw_text(canvas, words, at, size=theme.LARGE, colour=theme.MUTED, width=900)
        for place, agent in enumerate(self._visible()):
            colour = theme.team_colour(self.spec.team_of(agent))
            pygame.draw.rect(canvas, colour, (ROWS.left - 14, self._rect(place).top + 6, 7, ROWS.h - 12))
        theme.draw_panel(canvas, self._side.inflate(20, 20))
        self._draw_help(canvas)
        self._pane.draw(canvas)
        theme.draw_text(
            canvas, "Policy server for remote seats", (FIELD.left, FIELD.top - 28), size=theme.SMALL,
            colour=theme.MUTED,
        )  # fmt: skip

    def _draw_help(self, canvas: pygame.Surface) -> None:
        theme.draw_text(canvas, "Who plays?", self._side.topleft, size=theme.LARGE, bold=True)
        words = "Press {space}, {enter}, {u} or a gamepad's {a} to take the next free seat with it."
        words = self.engine.bindings.tell(words)
        picture = theme.paragraph(words, width=self._side.w, size=theme.SMALL, colour=theme.MUTED)
        top = canvas.blit(picture, (self._side.left, self._side.top + 50)).bottom + theme.GAP
        area = pygame.Rect(self._side.left, top, self._side.w, self._side.bottom - top)
        self._controls.draw(canvas, area, self.seating.lineup)

    # Joining

    def _joins(self, event: MenuInput) -> bool:
        """Whether this press sat a new person down."""
        word, kind = event.device.word, event.device.kind
        steers = kind == "mouse" or (kind == "keyboard" and self._by_mouse)
        self._by_mouse &= kind != "keyboard"
        if word in self._met or event.repeated or event.action != "accept" or steers:
            self._met.add(word)
            return False
        self._met.add(word)
        agent = self._join(event.device)
        if agent is None:
            return False
        self.engine.sound.play("join")
        self.engine.say(f"{sentence(describe(parse_seat(word)))} takes {agent}")
        self.refresh()
        return True

    def _join(self, device: Device) -> AgentID | None:
        return self.seating.join(parse_seat(device.word))

    def meet(self, device: Device) -> None:
        """`device` led here: it takes the first seat unless people sit already, and steers the menu."""
        self._met.add(device.word)
        self._by_mouse = device.kind == "mouse"
        if not self.seating.people:
            choice = parse_seat(device.word) if device.kind == "gamepad" else SeatChoice("keyboard")
            self.seating.join(choice)
            self.refresh()

    # Rows

    def _visible(self) -> tuple[AgentID, ...]:
        return self.spec.agents[self._top : self._top + SHOWN]

    def _pages(self) -> bool:
        return len(self.spec.agents) > SHOWN

    def _rect(self, place: int) -> pygame.Rect:
        return ROWS.move(0, place * PITCH)

    def _row(self, place: int, agent: AgentID) -> Choice:
        options = self.seating.options(agent)
        present = self.seating.lineup[agent]

        def change(index: int) -> None:
            self._follow(present, options[index])
            self.seating.put(agent, options[index])
            self.refresh()

        rect, hint = self._rect(place), f"Who decides for {agent}"
        if present.is_human:
            rect.w -= WHO + theme.GAP
            hint += "    " + self.engine.bindings.tell("{enter}, {a}: which person it is")
        elif find_kind(present.kind).takes_limits:
            hint = held_words(present, self.spec)
        words, index, note = [describe(option) for option in options], options.index(present), self.spec.seat_notes
        if (even := self._even.of(agent)) is not None:
            words[index], hint = f"even: {even.opponent.label}", even.why
        row = SeatRow(rect, str(agent), words, index=index, change=change, hint=hint, note=note.get(agent, ""))
        row.ask = (lambda: self._ask_who(present)) if present.is_human else None
        return row

    def _follow(self, old: SeatChoice, new: SeatChoice) -> None:
        """Whoever goes on with another half of the keyboard stays who it is."""
        company, holder = self.services.people, self.services.people.holder(old)
        if holder is not None and old.kind == new.kind == "keyboard" and company.holder(new) is None:
            company.give(new, holder.name)

    def _is_human(self, agent: AgentID) -> bool:
        return self.seating.lineup[agent].is_human

    def _who(self, place: int, agent: AgentID) -> Button:
        """Which person sits there; a press lets one choose."""
        row, device, services = self._rect(place), self.seating.lineup[agent], self.services
        rect = pygame.Rect(row.right - WHO, row.top, WHO, row.h)
        name = services.people.seated(self.seating.lineup)[device].name
        hint = f"Who plays with the {describe(device)}: choose a name, or add one"
        return Button(rect, name, lambda: self._ask_who(device), hint=hint)

    def _ask_who(self, device: SeatChoice) -> None:
        company, holder = self.services.people, self.services.people.holder(device)

        def choose(name: str) -> None:
            company.give(device, name)
            self.rebuild()
            self._focus_start()

        question = f"Who plays with the {describe(device)}?"
        held = holder.name if holder is not None else ""
        self.engine.push(routes.People(question, held, choose))

    def _pager(self, by: int) -> Button:
        top = self._rect(SHOWN).top
        rect = (ROWS.left + (0 if by < 0 else ROWS.w // 2 + 6), top, ROWS.w // 2 - 6, 48)
        enabled = 0 <= self._top + by * SHOWN < len(self.spec.agents)
        words = "Seats before" if by < 0 else "More seats"
        return Button(rect, words, lambda: self._turn_page(by), enabled=enabled, hint="Tab or L, R turn the page too")

    def _turn_page(self, by: int) -> None:
        if 0 <= self._top + by * SHOWN < len(self.spec.agents):
            self._top += by * SHOWN
            self.refresh()

    def _focus_start(self) -> None:
        self.focus.focus(next(widget for widget in self.focus.widgets if widget.rect == START))

    def _even_found(self) -> None:
        if self.engine.scene is self:
            self.refresh()

    def _snapshots_came(self) -> None:
        """The store was read: machines that nobody chose become snapshots."""
        snapshots = self.services.library.snapshots[self.spec.id]
        if snapshots == self.seating.snapshots:
            return
        before = self.seating.usual
        self.seating.snapshots = snapshots
        for agent, choice in self.seating.lineup.items():
            if choice == before and self.spec.id not in self.services.setup.lineups:
                self.seating.put(agent, self.seating.usual)
        if self.engine.scene is self:
            self.refresh()

    # Limits and rules, remote, start

    def _fair_play(self) -> None:
        self.engine.push(routes.FairPlay(self.seating))

    def _fair_words(self) -> str:
        return (
            self.services.setup.rules_of(self.spec).words or "How fast machines may be, and by which rules it is played"
        )

    def _set_endpoint(self, value: str) -> None:
        self._endpoint = value

    def _ask_endpoint(self) -> None:
        def take(value: str) -> None:
            self._endpoint = value
            self._edit(False)

        self.engine.push(routes.EnterText("Policy server", self._endpoint, take, hint=REMOTE))

    def _edit(self, on: bool) -> None:
        self.engine.text_entry = on
        if not on and "://" in self._endpoint:
            self.seating.endpoints = tuple(dict.fromkeys((self._endpoint, *self.seating.endpoints)))
            self.refresh()
        elif not on:
            self.engine.say(f"expected an endpoint like tcp://127.0.0.1:5555, got: {self._endpoint!r}")

    def _start(self) -> None:
        self.engine.push(routes.Match(self.spec, self.seating.lineup))
