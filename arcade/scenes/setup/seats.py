"""Seats screen: people join with keys or gamepad, AI fills the other seats."""

from __future__ import annotations

from functools import partial

from agents.seats.controller import KEYBOARD_HALVES, AgentID, SeatChoice
from agents.seats.kinds import find_kind, parse_seat
from arcade.engine.input.events import ControlInput, Device, InputEvent, KeyInput, MenuInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Panel, Row, Spacer
from arcade.engine.ui.scroll import Scroll
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.games.seat_colours import seat_colour
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.home.preview import Preview
from arcade.scenes.match_start import open_match
from arcade.scenes.screen import LOW
from arcade.scenes.setup.controls_panel import controls_panel
from arcade.scenes.setup.seat_list import SeatListScreen, SeatRow, clock_choice
from arcade.session.fair_play import limits_text
from arcade.session.people import seat_choice_of
from arcade.session.seating import KEYBOARD, EvenSeats
from arcade.session.services import Services

FEW = 4
"""Seats that leave room for a picture below them."""
JOIN, PAD = N_("To join, press {keys}."), N_("a gamepad's {a}")
FRIENDS_HALF = "arrows"
JOINS = "b"
"""The control of half a keyboard that seats another person: the others move through the page."""


class SeatsScene(SeatListScreen):
    """The first accept of a gamepad, and of a keyboard while none has a seat, takes the next free one.

    So does the second button of half a keyboard.  All else edits the rows.
    """

    heading = N_("Seats")
    legend = (("start", N_("Start")), ("accept", N_("Choose")), ("back", N_("Back")))

    def __init__(self, services: Services, route: routes.Seats) -> None:
        super().__init__(services, route, route.spec, services.setup.lineups.get(route.spec.id))
        self._by = route.by
        self._even = EvenSeats(services, route.spec, done=self._refresh_on_top)
        self._met: set[str] = set()  # gamepads, or "keyboard", that have a seat or move through the menu
        self._start_button = Button("", self._start)
        self._preview = Preview(services)

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self.services.library.refresh_snapshots(self.spec.id, done=self._show_snapshots)
        self._focus_start()
        if self._by is not None:
            self.meet(self._by)

    def resume(self) -> None:
        self._even.forget()
        self.seating.set_devices(self.services.devices.seats)
        self.refresh()

    def actions(self) -> list[Widget]:
        return [Label(_(self.spec.title), size=themes.LARGE, colour="muted")]

    def body(self) -> Widget:
        self._even.find(self.seating.lineup)
        is_low = self.theme.page[1] < LOW
        rows = Scroll(Column([*self.seat_rows(), *self._clock_rows(), Spacer()], gap=8), grow=0, least=200)
        picture = self._preview if self.spec.seats <= FEW and not is_low else Spacer()
        seats = Column([rows, picture], grow=3)
        parts = [Row([seats, self._side()], gap=24, align="stretch", grow=1), self._buttons()]
        return Column(parts[::-1] if is_low else parts, grow=1)

    def _clock_rows(self) -> list[Widget]:
        """The clocks of a board game."""
        if not self.spec.is_board_game:
            return []
        return [clock_choice(self.services.setup.clock_of(self.spec), self._set_clock)]

    def _set_clock(self, clock: str) -> None:
        self.services.setup.clocks[self.spec.id] = clock
        self.services.shelf.note_clock(self.spec.id, clock)

    def _side(self) -> Widget:
        """How to join, and the controls of all people."""
        keys = self._join_keys()
        join = _(JOIN).format(keys=_(" or ").join(filter(None, (", ".join(keys[:-1]), keys[-1])))) if keys else ""
        controls = controls_panel(self.spec, self.seating.lineup, self.engine.bindings, self.theme)
        inside = Column([
            Label(_("Who plays?"), size=themes.LARGE, bold=True),
            Paragraph(join, size=themes.SMALL, colour="muted") if join else None, controls,
        ])  # fmt: skip
        return Panel(Scroll(inside), grow=2, least=300)

    def _buttons(self) -> Widget:
        rules = self.services.setup.rules_of(self.spec).text
        hint = rules or _("Limits for AI players, and rules of a real-time game")
        controls = routes.Controls(self.spec, self.seating.lineup)
        start = Button(_("Start"), self._start, primary=True, hint=_("Begin the match"), grow=2, height=56, key="start")
        self._start_button = start
        is_full = all(choice.is_human for choice in self.seating.lineup.values())
        friend = Button(
            _("Add a friend"), self._add_friend, hint=_("Another person at this screen"), grow=1, key="friend"
        )
        return Row([
            start,
            None if is_full else friend,
            Button(_("Limits and rules"), lambda: self.engine.push(routes.FairPlay(self.seating)), hint=hint, grow=1),
            Button(_("Controls"), lambda: self.engine.push(controls), hint=_("F1: the keys and buttons"), grow=1),
        ])  # fmt: skip

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, MenuInput | ControlInput) and self._joins(event):
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
            self._preview.show(self.spec, now)

    # Joining

    def _join_keys(self) -> list[str]:
        """Return the keys and buttons that seat another person now."""
        lineup, bindings = self.seating.lineup.values(), self.engine.bindings
        if all(choice.is_human for choice in lineup):
            return []
        halves = [half for half in KEYBOARD_HALVES if SeatChoice("keyboard", half) not in lineup]
        keys = [bindings.of(f"keyboard:{half}").labels(JOINS)[0] for half in halves]
        if not self._has_keyboard and "keyboard" not in self._met:
            keys = [bindings.fill_in(key) for key in ("{space}", "{enter}", "{u}")]
        pads = self.engine.devices.pads
        is_pad_free = not pads or any(pad.word not in self._met for pad in pads)
        return [*keys, *([bindings.fill_in(_(PAD))] if is_pad_free else [])]

    @property
    def _has_keyboard(self) -> bool:
        return any(choice.kind == "keyboard" for choice in self.seating.lineup.values())

    def _joins(self, event: MenuInput | ControlInput) -> bool:
        """Whether this press seats another person."""
        device = parse_seat(event.device.word) if self._asks_for_a_seat(event) else None
        if isinstance(event, MenuInput):
            self._met.add(_met_as(event.device))
        return self._take_seat(device)

    def _take_seat(self, choice: SeatChoice | None) -> bool:
        """Give a device the next free seat, and say so; return whether it got one."""
        agent = self.seating.join(choice) if choice is not None else None
        if agent is None:
            return False
        self.engine.sound.play("join")
        device = self.services.library.player_names(self.spec).of_seat(agent, self.seating.lineup)
        self.engine.say(_("{device} takes {seat}").format(device=device, seat=self.spec.seat_title(agent)))
        self.refresh()
        return True

    def _asks_for_a_seat(self, event: MenuInput | ControlInput) -> bool:
        if isinstance(event, ControlInput):
            is_fresh = event.pressed and not event.repeated
            return event.device.kind == "keyboard" and event.control == JOINS and is_fresh
        has_seat = self._has_keyboard if event.device.kind == "keyboard" else event.device.kind != "gamepad"
        return event.is_accept and not has_seat and _met_as(event.device) not in self._met

    def meet(self, device: Device) -> None:
        """Seat `device`, which led here, unless people have seats; its presses move through the menu."""
        self._met.add(_met_as(device))
        if not self.seating.people:
            self.seating.join(seat_choice_of(device.word))
            self.refresh()

    def _add_friend(self) -> None:
        """Seat another person: with a gamepad, else with the half of the keyboard that leaves W A S D to the others."""
        taken = self.seating.lineup.values()
        free = [one for one in self.seating.devices if one not in taken and one != KEYBOARD]
        pads = [one for one in free if one.kind == "gamepad"]
        halves = sorted(free, key=lambda one: one.argument != FRIENDS_HALF)
        self._take_seat(next(iter(pads + halves), None))

    # Rows

    def seat_row(self, agent: AgentID) -> Widget:
        present, title = self.seating.lineup[agent], self.spec.seat_title(agent)
        value, hint = self._player(agent, present)
        row = SeatRow(
            title, value, partial(self.pick, agent), note=_(self.spec.seat_notes.get(agent, "")), hint=hint,
            colour=seat_colour(self.spec, agent, self.theme.colours.teams),
        )  # fmt: skip
        return self.with_person(row, present)

    def _player(self, agent: AgentID, present: SeatChoice) -> tuple[str, str]:
        """Return the name of a seat's player, and a hint."""
        names = self.services.library.player_names(self.spec)
        hint = _("Choose who plays {seat}").format(seat=self.spec.seat_title(agent))
        if (even := self._even.of(agent)) is not None:
            words = _("{level}: {opponent}").format(
                level=names.of_choice(present), opponent=names.of_label(even.opponent.label)
            )
            return words, even.why
        if find_kind(present.kind).takes_limits:
            hint = limits_text(present, self.spec)
        return names.of_seat(agent, self.seating.lineup), hint

    def put(self, agent: AgentID, choice: SeatChoice) -> None:
        self._keep_person(self.seating.lineup[agent], choice)
        super().put(agent, choice)

    def _keep_person(self, old: SeatChoice, new: SeatChoice) -> None:
        """Keep the name of a person who changes to another half of the keyboard."""
        people, holder = self.services.people, self.services.people.holder(old)
        if holder is not None and old.kind == new.kind == "keyboard" and people.holder(new) is None:
            people.give(new, holder.name)

    def name(self, device: SeatChoice, name: str) -> None:
        super().name(device, name)
        self._focus_start()

    def _focus_start(self) -> None:
        self.focus.focus(self._start_button, silently=True)

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

    def _start(self) -> None:
        open_match(self, routes.Match(self.spec, self.seating.lineup))


def _met_as(device: Device) -> str:
    """The name of a device that moves through the menu: all keys are one, though halves of a keyboard have seats."""
    return device.kind if device.kind == "keyboard" else device.word
